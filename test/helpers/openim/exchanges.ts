import { readFileSync } from "node:fs";
import { recordsOf } from "../../../src/openim/index.js";
import { adminUserID, sign, tokens } from "../http/request.js";
import type { Item } from "./world.js";

/** The versions of the OpenIM server that were asked: its main branch of July 2026, and v3.8.3-patch.16. */
export type Version = "main" | "patch.16";

export const versions: readonly Version[] = ["main", "patch.16"];

/** What a server answers, and the conversations that it has made or changed, where that was looked at. */
export interface Answer {
  status: number;
  /** Only the headers that the exchange is about. */
  headers: Record<string, string | null>;
  /** The parsed JSON, or the text that is none. */
  body: Body | string;
  stored?: readonly Item[];
}

export interface Body {
  errCode: number;
  errMsg: string;
  errDlt: string;
  data?: Record<string, unknown> | null;
}

/** A request to the server, and its answers. */
export interface Exchange {
  method: string;
  path: string;
  /** The name of a token in {@link tokensByName}. */
  token?: string;
  /** Without the token. */
  headers: Record<string, string>;
  body?: string;
  answers: Partial<Record<Version, Answer>>;
}

interface Line {
  method?: string;
  path: string;
  token?: string;
  operationID?: string | null;
  contentType?: string | null;
  headers?: Record<string, string>;
  /** How many spaces stand before the body. */
  spaces?: number;
  body?: string;
  main?: Partial<Answer>;
  patch16?: Partial<Answer>;
  /** The answer of both versions, but for the order of members within a page. */
  both?: Partial<Answer>;
}

/** The requests to the server and its answers; it held the database of `../imported/openim`. */
export const exchanges: readonly Exchange[] = readFileSync(new URL("answers.ndjson", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((text) => exchangeOf(JSON.parse(text)));

/** The tokens of the requests, as the server would give them out: for the administrator, and for the users by ID. */
export const tokensByName: Readonly<Record<string, string>> = {
  admin: tokens.admin,
  selfMadeAdmin: await sign({ UserID: adminUserID, PlatformID: 10, exp: 4_102_444_801 }),
  signedOut: await sign({ UserID: adminUserID, PlatformID: 10, exp: 4_102_444_802 }),
  malformed: "abc",
  wrongSecret: tokens.ofAnotherSecret,
  expired: tokens.expired,
  notYet: tokens.notYetValid,
  noExp: tokens.withoutExpiry,
  hs512: tokens.ofAnotherAlgorithm,
  ...Object.fromEntries(
    await Promise.all(["u00", "u03", "u10"].map(async (userID) => [userID, await tokenOf(userID)])),
  ),
};

function tokenOf(userID: string): Promise<string> {
  return sign({ UserID: userID, PlatformID: 1, exp: 4_102_444_800 });
}

function exchangeOf({ operationID = "op-1", contentType = "application/json", spaces = 0, ...line }: Line): Exchange {
  const { method = "POST", path, token, headers, body, both, main = both, patch16 = both } = line;
  return {
    method,
    path,
    ...(token !== undefined && { token }),
    headers: {
      ...(operationID !== null && { operationID }),
      ...(contentType !== null && { "content-type": contentType }),
      ...headers,
    },
    ...(body !== undefined && { body: " ".repeat(spaces) + body }),
    answers: { ...(main && { main: answerOf(main) }), ...(patch16 && { "patch.16": answerOf(patch16) }) },
  };
}

function answerOf(given: Partial<Answer>): Answer {
  const stored = given.stored?.flatMap((document) => recordsOf("conversation", document).conversations);
  return { status: 200, headers: {}, body: "", ...given, ...(stored && { stored }) };
}

import { SignJWT } from "jose";
import { expect } from "vitest";
import type { FetchHandlerOptions } from "../../../adapters/fetch.js";

import type { Send } from "./send.js";
import { adminUserID, secret } from "./world.js";

export { adminUserID, httpWorld, secret } from "./world.js";

/** A request as it goes over the wire. */
export interface HttpRequest {
  method: string;
  /** The request target: path and query. */
  path: string;
  headers: Record<string, string>;
  /** A string or bytes are sent with their length, a list is streamed without one. */
  body?: string | Uint8Array | readonly string[] | undefined;
}

/** An answer as it came over the wire. */
export interface HttpAnswer {
  status: number;
  headers: Headers;
  text: string;
}

/** A request to the world below, and its answer. */
export interface HttpCase {
  /** What differs from the request for the first page of g1's members; a header that is null is not sent. */
  request: Partial<Omit<HttpRequest, "headers">> & { headers?: Record<string, string | null> };
  /** 200 where none is given. */
  status?: number;
  /** The body, character by character. */
  text: string;
  /** Some of the answer's headers; null for one that must not be there. */
  headers?: Record<string, string | null>;
  /** What differs from the handler's usual options. */
  options?: Partial<FetchHandlerOptions>;
}

const year2001 = 978_307_200;
const year2100 = 4_102_444_800;

/** Tokens, of which `admin` is good. */
export const tokens = {
  admin: await sign({ UserID: adminUserID, PlatformID: 10, exp: year2100, nbf: year2001, iat: year2001 }),
  revoked: await sign({ UserID: adminUserID, PlatformID: 5, exp: year2100 }),
  expired: await sign({ UserID: adminUserID, PlatformID: 10, exp: year2001 }),
  notYetValid: await sign({ UserID: adminUserID, PlatformID: 10, exp: year2100, nbf: year2100 - 1 }),
  inMilliseconds: await sign({ UserID: adminUserID, PlatformID: 10, exp: year2100 * 1000 }),
  ofAnybody: await sign({ UserID: "u1", PlatformID: 1, exp: year2100 }),
  withoutExpiry: await sign({ UserID: adminUserID, PlatformID: 10 }),
  withoutUserID: await sign({ PlatformID: 10, exp: year2100 }),
  ofAnotherSecret: await sign({ UserID: adminUserID, exp: year2100 }, { key: "another secret" }),
  ofAnotherAlgorithm: await sign({ UserID: adminUserID, exp: year2100 }, { alg: "HS512" }),
};

/** Mints a token by hand, as the reference server does. */
export function sign(claims: Record<string, unknown>, { key = secret, alg = "HS256" } = {}): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg, typ: "JWT" }).sign(new TextEncoder().encode(key));
}

export const paths = {
  members: "/group/get_group_member_list",
  blacks: "/friend/get_black_list",
  joined: "/group/get_joined_group_list",
  requests: "/group/get_recv_group_applicationList",
  accounts: "/user/search_notification_account",
  conversations: "/conversation/set_conversations",
};

/** The request that a case describes. */
export function requestOf({ request }: Pick<HttpCase, "request">): HttpRequest {
  const { headers, ...rest } = request;
  const sent = Object.entries({ operationID: "op-1", token: tokens.admin, ...headers });
  return {
    method: "POST",
    path: paths.members,
    ...((request.method ?? "POST") === "POST" && { body: membersBody }),
    ...rest,
    headers: Object.fromEntries(sent.filter((header): header is [string, string] => header[1] !== null)),
  };
}

/** Expects the answer of a case. */
export async function expectAnswer(send: Send, example: HttpCase): Promise<void> {
  const { status, headers, text } = await send(requestOf(example));
  expect({ status, text }, JSON.stringify(example.request)).toStrictEqual({
    status: example.status ?? 200,
    text: example.text,
  });
  for (const [name, value] of Object.entries(example.headers ?? {})) expect(headers.get(name), name).toBe(value);
}

export const membersBody = '{"groupID":"g1","pagination":{"pageNumber":1,"showNumber":10}}';

/** The answer to {@link membersBody}. */
export const membersText =
  '{"errCode":0,"errMsg":"","errDlt":"","data":{"total":1,"members":[{"groupID":"g1","userID":"u1","roleLevel":100,' +
  '"joinTime":5,"nickname":"Ann","faceURL":"","appMangerLevel":0,"joinSource":0,"operatorUserID":"","ex":"",' +
  '"muteEndTime":0,"inviterUserID":""}]}}';

/** The body of a failure, with what explains it beside its code and name. */
export function failureText(errCode: number, errMsg: string, explanation?: string): string {
  const errDlt = `${errCode} ${errMsg}${explanation === undefined ? "" : `: ${explanation}`}`;
  return `{"errCode":${errCode},"errMsg":"${errMsg}","errDlt":"${errDlt}"}`;
}

/** The body of the answer to a request that is wrong. */
export const argsError = (explanation: string) => failureText(1001, "ArgsError", explanation);

/** The body of the answer that names what is not there. */
export const notFound = (what: string) =>
  `{"errCode":1004,"errMsg":"RecordNotFoundError","errDlt":"${what}: [1004]RecordNotFoundError"}`;

export const texts = {
  unknownPath: argsError("path must be that of an operation"),
  wrongMethod: argsError("method must be POST"),
  tooLong: argsError("body must have at most 1048576 bytes"),
  notJson: argsError("body must be a JSON object in UTF-8"),
  noGroupID: argsError("groupID must be a string of 1 to 64 characters without control characters"),
  noAdministrator: failureText(1002, "NoPermissionError", "the caller is no administrator"),
  otherSecret: failureText(
    1505,
    "TokenUnknownError",
    "its signature is of another secret than the server's, or it was damaged on its way",
  ),
  internalError: failureText(500, "ServerInternalError"),
  done: '{"errCode":0,"errMsg":"","errDlt":"","data":null}',
};

/** Cases by what they show: the request, the answer's body, and what else is unusual. */
export function cases(
  sent: Record<string, [request: HttpCase["request"], text: string, more?: Omit<HttpCase, "request" | "text">]>,
): Record<string, HttpCase> {
  return Object.fromEntries(
    Object.entries(sent).map(([name, [request, text, more]]) => [name, { request, text, ...more }]),
  );
}

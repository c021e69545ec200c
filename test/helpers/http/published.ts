import { expect } from "vitest";
import type { Send } from "./adapters.js";
import { type HttpRequest, membersBody, paths, requestOf, texts } from "./request.js";
import { successCases } from "./successCases.js";
import { origin } from "./world.js";

/** Content types that clients send, one for each operation; none for the first. */
const operations: readonly [name: string, contentType: string | null][] = [
  ["members are listed", null],
  ["a blacklist is listed, with times in seconds", "text/plain"],
  ["joined groups are listed", "application/x-www-form-urlencoded"],
  ["join requests are listed", "application/json; charset=utf-16"],
  ["notification accounts are listed", "///"],
  ["a conversation is set, with null as data", "application/json"],
];

interface Hosting {
  /** Where the operations stand. */
  base?: string;
  /** What the host itself answers to a path that is no operation's, where it does. */
  notFound?: unknown;
  /** Whether the host passes methods other than POST and OPTIONS on. */
  hasAllMethods?: boolean;
  /** Headers of whoever may call, beside the token. */
  headers?: Record<string, string>;
}

/** Expects that a host answers what clients send as im-admin does. */
export async function expectServed(
  send: Send,
  { base = "/admin", notFound, hasAllMethods = true, headers = {} }: Hosting = {},
): Promise<void> {
  const ask = (request: Partial<HttpRequest>, more: Record<string, string | null> = {}) => {
    const sent = requestOf({ request: { ...request, headers: { origin, ...headers, ...more } } });
    return send({ ...sent, path: base + sent.path });
  };

  for (const [name, contentType] of operations) {
    const { request: { headers: _, ...request } = {}, text = "" } = successCases[name] ?? {};
    const answer = await ask(request, { "content-type": contentType });
    expect({ name, status: answer.status, text: answer.text }).toStrictEqual({ name, status: 200, text });
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
  }

  const { status, text } = await ask({ path: "/nowhere" });
  expect({ status, text }).toStrictEqual(notFound ?? { status: 404, text: texts.unknownPath });

  const preflight = await ask({ method: "OPTIONS" }, { "access-control-request-headers": "operationid,token" });
  expect({ status: preflight.status, text: preflight.text }).toStrictEqual({ status: 204, text: "" });
  for (const [header, value] of [
    ["access-control-allow-origin", origin],
    ["access-control-allow-methods", "POST"],
    ["access-control-allow-headers", "operationid,token"],
  ] as const) {
    expect(preflight.headers.get(header), header).toBe(value);
  }

  if (hasAllMethods) {
    const answer = await ask({ method: "GET" });
    expect({ status: answer.status, text: answer.text }).toStrictEqual({ status: 405, text: texts.wrongMethod });
    expect(answer.headers.get("allow")).toBe("POST");
  }

  for (const body of [membersBody.padEnd(1_048_577), [membersBody, " ".repeat(1_048_515)]]) {
    const answer = await ask({ path: paths.members, body });
    expect({ status: answer.status, text: answer.text }).toStrictEqual({ status: 413, text: texts.tooLong });
  }
}

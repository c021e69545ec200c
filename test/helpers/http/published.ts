import { conversionCases } from "./conversionCases.js";
import { expectAnswer, type HttpCase, texts } from "./request.js";
import type { Send } from "./send.js";
import { successCases } from "./successCases.js";
import { origin } from "./world.js";

/** Content types that clients send, one for each operation; none for the first. */
const contentTypes = [
  null,
  "text/plain",
  "application/x-www-form-urlencoded",
  "application/json; charset=utf-16",
  "///",
  "application/json",
];

interface Hosting {
  /** Where the operations stand. */
  base?: string;
  /** What the host itself answers to a path that is no operation's, where it does. */
  notFound?: Pick<HttpCase, "status" | "text">;
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
  const ask: Send = ({ path, ...request }) =>
    send({ ...request, path: base + path, headers: { origin, ...request.headers, ...headers } });

  const readable = { "content-type": "application/json", "access-control-allow-origin": origin };
  for (const [index, type] of contentTypes.entries()) {
    const { request, text } = Object.values(successCases)[index] as HttpCase;
    await expectAnswer(ask, { request: { ...request, headers: { "content-type": type } }, text, headers: readable });
  }
  await expectAnswer(ask, { request: { path: "/nowhere" }, status: 404, text: texts.unknownPath, ...notFound });
  for (const name of [
    "a preflight has no body",
    "a body of 1 MiB and 1 byte is refused",
    "a body in pieces of 1 MiB and 1 byte is refused",
    ...(hasAllMethods ? ["GET is 405"] : []),
  ]) {
    await expectAnswer(ask, conversionCases[name] as HttpCase);
  }
}

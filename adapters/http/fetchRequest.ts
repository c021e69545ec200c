import { bodyIsGone, discardTimeout, GrowingBytes, incompleteBody } from "./body.js";
import { pathOf } from "./path.js";
import type { Body, HttpAnswer, HttpRequest } from "./request.js";
import { within } from "./within.js";

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/**
 * Answers a request of any runtime with the Fetch standard.
 *
 * @param bodyOf returns the request's body when it is needed
 */
export async function answerRequest(
  request: Request,
  answer: (request: HttpRequest) => Promise<HttpAnswer>,
  bodyOf = ({ body }: Request) => body,
): Promise<Response> {
  let reader: Reader | undefined;
  let isWhole = false;

  async function readBody(limit: number): Promise<Body | undefined> {
    const body = bodyOf(request);
    if (request.bodyUsed || body?.locked)
      throw bodyIsGone("hand over the request before its body is read, or a clone() of it");
    const bytes = new GrowingBytes();
    reader = body?.getReader();
    while (reader !== undefined) {
      const { done, value } = await reader.read().catch(incomplete);
      isWhole = done;
      if (done) break;
      if (bytes.length + value.length > limit) return undefined;
      bytes.append(value);
    }
    return { json: bytes.bytes() };
  }

  const { status, headers, body } = await answer({
    method: request.method,
    path: pathOf(request.url),
    header: (name) => request.headers.get(name) ?? undefined,
    raw: request,
    onGone: (listener) => request.signal?.addEventListener("abort", listener, { once: true }),
    readBody,
  });
  if (!isWhole) {
    const unread = bodyOf(request);
    await discard(reader ?? (unread?.locked ? undefined : unread?.getReader()));
  }
  return new Response(body, { status, headers });
}

/**
 * Reads the rest of a body for a while. Otherwise Workers reset the connection, with the next request on it, and a
 * client that is cut off while it sends may not see its answer.
 */
async function discard(reader: Reader | undefined): Promise<void> {
  if (reader === undefined) return;
  const cancel = () => void reader.cancel().catch(() => {});
  await within(discardTimeout, readAll(reader), "the client goes on sending").catch(cancel);
}

async function readAll(reader: Reader): Promise<void> {
  while (!(await reader.read()).done);
}

function incomplete(): never {
  throw incompleteBody();
}

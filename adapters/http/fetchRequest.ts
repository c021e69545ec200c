import { bodyIsGone, discardTimeout, GrowingBytes, incompleteBody } from "./body.js";
import type { Body, HttpAnswer, HttpRequest } from "./request.js";

/** Any runtime that has the Fetch standard. */
export function fromRequest(request: Request): HttpRequest {
  return {
    method: request.method,
    path: new URL(request.url).pathname,
    header: (name) => request.headers.get(name) ?? undefined,
    raw: request,
    readBody: (limit) => readBody(request, limit),
  };
}

export function toResponse({ status, headers, body }: HttpAnswer): Response {
  return new Response(body, { status, headers });
}

async function readBody({ body, bodyUsed }: Request, limit: number): Promise<Body | undefined> {
  if (bodyUsed || body?.locked) throw bodyIsGone("hand over the request before its body is read, or a clone() of it");
  const bytes = new GrowingBytes();
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = body?.getReader();
  while (reader !== undefined) {
    const { done, value } = await reader.read().catch(incomplete);
    if (done) break;
    if (bytes.length + value.length > limit) {
      discard(reader).catch(() => {});
      return undefined;
    }
    bytes.append(value);
  }
  return { json: bytes.bytes() };
}

function incomplete(): never {
  throw incompleteBody();
}

/** Reads on for a while, since a client that is cut off while it sends may not see the answer. */
async function discard(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const deadline = performance.now() + discardTimeout;
  while (performance.now() < deadline) {
    const { done } = await reader.read();
    if (done) return;
  }
  await reader.cancel();
}

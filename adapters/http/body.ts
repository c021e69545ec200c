import { OperationError } from "../../src/errors.js";

/** Reads a request's body; undefined where it is longer than the limit. */
export async function readBody(request: Request, limit: number): Promise<Uint8Array | undefined> {
  if (Number(request.headers.get("content-length")) > limit) return undefined;
  if (request.body === null) return new Uint8Array();
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  let body: Uint8Array = new Uint8Array();
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(incomplete);
    if (done) return body.subarray(0, length);
    if (length + value.length > limit) {
      discard(reader).catch(() => {});
      return undefined;
    }
    // Copied at once, since a list of chunks of one byte each would take a hundred times their memory.
    if (length + value.length > body.length) body = enlarged(body, length + value.length);
    body.set(value, length);
    length += value.length;
  }
}

/** How long a client may go on sending after its answer, in milliseconds. */
export const discardTimeout = 2_000;

/** Reads on for a while, since a client that is cut off while it sends may not see the answer. */
async function discard(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const deadline = performance.now() + discardTimeout;
  while (performance.now() < deadline) {
    const { done } = await reader.read();
    if (done) return;
  }
  await reader.cancel();
}

function incomplete(error: unknown): never {
  // Not the sender's fault: the body was read before.
  if (error instanceof TypeError) throw error;
  throw incompleteBody();
}

export function incompleteBody(): OperationError {
  return new OperationError("ArgsError", "body must arrive whole");
}

function enlarged(bytes: Uint8Array, length: number): Uint8Array {
  const larger = new Uint8Array(Math.max(length, 2 * bytes.length));
  larger.set(bytes);
  return larger;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Parses a body, whatever its content type says. */
export function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    throw new OperationError("ArgsError", "body must be a JSON object in UTF-8");
  }
}

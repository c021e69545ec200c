import { OperationError } from "../../src/errors.js";

/** Reads a request's body; undefined where it is longer than the limit. */
export async function readBody(request: Request, limit: number): Promise<Uint8Array | undefined> {
  if (Number(request.headers.get("content-length")) > limit) return undefined;
  if (request.body === null) return new Uint8Array();
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  const body = new GrowingBytes();
  for (;;) {
    const { done, value } = await reader.read().catch(incomplete);
    if (done) return body.bytes();
    if (body.length + value.length > limit) {
      discard(reader).catch(() => {});
      return undefined;
    }
    body.append(value);
  }
}

/** Bytes that come in chunks. */
export class GrowingBytes {
  length = 0;
  #space = new Uint8Array();

  /** Copies a chunk at once, since a list of chunks of one byte each would take a hundred times their memory. */
  append(chunk: Uint8Array): void {
    const length = this.length + chunk.length;
    if (length > this.#space.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#space.length));
      larger.set(this.#space);
      this.#space = larger;
    }
    this.#space.set(chunk, this.length);
    this.length = length;
  }

  bytes(): Uint8Array {
    return this.#space.subarray(0, this.length);
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

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Parses a body, whatever its content type says. */
export function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    throw new OperationError("ArgsError", "body must be a JSON object in UTF-8");
  }
}

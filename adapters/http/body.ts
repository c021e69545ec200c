import { OperationError } from "../../src/errors.js";

/** Reads a request's body; undefined, with the rest unread, where it is longer than the limit. */
export async function readBody(request: Request, limit: number): Promise<Uint8Array | undefined> {
  if (Number(request.headers.get("content-length")) > limit) return undefined;
  if (request.body === null) return new Uint8Array();
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return concatenate(chunks, length);
    length += value.length;
    if (length > limit) {
      // The answer does not wait for the sender to take notice.
      reader.cancel().catch(() => {});
      return undefined;
    }
    chunks.push(value);
  }
}

function concatenate(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = chunks;
  if (chunks.length === 1 && first !== undefined) return first;
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  return whole;
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

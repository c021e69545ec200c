import { readChunks } from "./readChunks.js";
import type { ReadValue } from "./readJson.js";

/** The most bytes of a document of MongoDB: 16 MiB, and some for its own use. */
const mostBytes = (16 << 20) + (16 << 10);

/** An empty document: its length, and the byte that ends it. */
const leastBytes = 5;

/**
 * Reads the documents of a file of `mongodump`, which stand one behind the other, and yields the bytes of each.
 *
 * @param onRead learns how many bytes of the file have been read
 */
export function* readBson(path: string, onRead: (bytes: number) => void): Generator<ReadValue> {
  let rest = Buffer.alloc(0);
  let line = 1;
  for (const chunk of readChunks(path, onRead)) {
    rest = Buffer.concat([rest, chunk]);
    let start = 0;
    while (rest.length - start >= 4) {
      const length = rest.readInt32LE(start);
      if (length < leastBytes || length > mostBytes) {
        yield { line, problem: "is no BSON, and nothing after it can be read", isLast: true };
        return;
      }
      if (rest.length - start < length) break;
      yield { line, value: rest.subarray(start, start + length) };
      start += length;
      line += 1;
    }
    rest = rest.subarray(start);
  }
  if (rest.length > 0) yield { line, problem: "ends early: the file was cut off", isLast: true };
}

import { beginsArchive, isAnArchive } from "./archive.js";
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
  let parts: Uint8Array[] = [];
  let bytes = 0;
  let needed = 4;
  let line = 1;
  for (const chunk of readChunks(path, onRead)) {
    parts.push(chunk);
    bytes += chunk.length;
    if (bytes < needed) continue;
    const read = Buffer.concat(parts);
    let start = 0;
    for (;;) {
      needed = 4;
      if (read.length - start < needed) break;
      needed = read.readInt32LE(start);
      if (needed < leastBytes || needed > mostBytes) {
        const isFirst = line === 1 && beginsArchive(read);
        yield { line, problem: isFirst ? isAnArchive : "is no BSON, and nothing after it can be read", isLast: true };
        return;
      }
      if (read.length - start < needed) break;
      yield { line, value: read.subarray(start, start + needed) };
      start += needed;
      line += 1;
    }
    parts = [read.subarray(start)];
    bytes = read.length - start;
  }
  if (bytes > 0) yield { line, problem: "ends early: the file was cut off", isLast: true };
}

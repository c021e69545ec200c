import { closeSync, openSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import { Gunzip } from "fflate/browser";

const chunkBytes = 1 << 20;

/**
 * Reads a file in chunks, and unpacks it if its name ends in `.gz`. It reads synchronously, since a transaction takes its
 * records so. Node's own gunzip cannot do that.
 *
 * @param onRead learns how many bytes of the file have been read
 * @throws Error if a packed file is damaged or ends early
 */
export function readChunks(path: string, onRead: (bytes: number) => void): Generator<Uint8Array, undefined> {
  const chunks = readFile(path, onRead);
  return path.endsWith(".gz") ? unpacked(chunks) : chunks;
}

function* readFile(path: string, onRead: (bytes: number) => void): Generator<Uint8Array, undefined> {
  const file = openSync(path, "r");
  try {
    let total = 0;
    for (;;) {
      const buffer = Buffer.allocUnsafe(chunkBytes);
      const length = readSync(file, buffer);
      if (length === 0) return;
      total += length;
      onRead(total);
      yield buffer.subarray(0, length);
    }
  } finally {
    closeSync(file);
  }
}

/** The trailer of each part of a packed file: a checksum, and the number of bytes modulo 2^32. */
const trailerBytes = 8;

/** So few bytes are unpacked at once, since they may become a thousand times as many. */
const packedBytes = 1 << 14;

/** Unpacks a file. If somebody joined several packed files to one, each part has its own trailer. */
function* unpacked(chunks: Iterable<Uint8Array>): Generator<Uint8Array, undefined> {
  const ready: Uint8Array[] = [];
  let checksum = 0;
  let size = 0;
  let latest = Buffer.alloc(0);
  let total = 0;
  const gunzip = new Gunzip((chunk) => {
    ready.push(chunk);
    checksum = crc32(chunk, checksum);
    size = (size + chunk.length) >>> 0;
  });
  /** Requires that the part which ends there is whole. */
  const requireWhole = (end: number) => {
    const trailer = end - total + latest.length - trailerBytes;
    if (trailer >= 0 && latest.readUInt32LE(trailer) === checksum && latest.readUInt32LE(trailer + 4) === size) return;
    throw new Error("its checksum is another one");
  };
  gunzip.onmember = (start) => {
    requireWhole(start);
    checksum = 0;
    size = 0;
  };
  const push = (chunk: Uint8Array, isLast: boolean) => {
    latest = Buffer.concat([latest.subarray(-packedBytes), chunk]);
    total += chunk.length;
    try {
      gunzip.push(chunk, isLast);
      if (isLast) requireWhole(total);
    } catch (error) {
      throw new Error(`it cannot be unpacked: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    }
    return ready.splice(0);
  };
  for (const chunk of chunks) {
    for (let start = 0; start < chunk.length; start += packedBytes) {
      yield* push(chunk.subarray(start, start + packedBytes), false);
    }
  }
  yield* push(new Uint8Array(), true);
}

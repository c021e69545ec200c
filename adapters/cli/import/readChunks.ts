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

/** The trailer of a packed file: a checksum, and the number of bytes modulo 2^32. */
const trailerBytes = 8;

function* unpacked(chunks: Iterable<Uint8Array>): Generator<Uint8Array, undefined> {
  const ready: Uint8Array[] = [];
  let hasParts = false;
  let checksum = 0;
  let size = 0;
  let trailer = Buffer.alloc(0);
  const gunzip = new Gunzip((chunk) => {
    ready.push(chunk);
    checksum = crc32(chunk, checksum);
    size = (size + chunk.length) >>> 0;
  });
  gunzip.onmember = () => {
    hasParts = true;
  };
  const push = (chunk: Uint8Array, isLast: boolean) => {
    try {
      gunzip.push(chunk, isLast);
    } catch (error) {
      throw new Error(`it cannot be unpacked: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    }
    return ready.splice(0);
  };
  for (const chunk of chunks) {
    yield* push(chunk, false);
    trailer = Buffer.concat([trailer, chunk.subarray(-trailerBytes)]).subarray(-trailerBytes);
  }
  yield* push(new Uint8Array(), true);
  const isWhole =
    trailer.length === trailerBytes && trailer.readUInt32LE(0) === checksum && trailer.readUInt32LE(4) === size;
  // If somebody joined several packed files to one, each part has its own trailer.
  if (!hasParts && !isWhole) throw new Error("it cannot be unpacked: its checksum is another one");
}

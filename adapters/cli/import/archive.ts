import { closeSync, openSync, readSync, statSync } from "node:fs";
import { constants, gunzipSync } from "node:zlib";

/** The bytes that begin what `mongodump --archive` writes. */
const beginning = Buffer.from([0x6d, 0xe2, 0x99, 0x81]);

/** What a file is that begins so, and what to do. */
export const isAnArchive =
  "is an archive, which only mongorestore reads: leave out --archive, write a folder by mongodump --out dump, and " +
  "import the folder of the database in it, such as dump/openim_v3";

/** Whether these bytes begin an archive of `mongodump`. */
export function beginsArchive(bytes: Uint8Array): boolean {
  return beginning.equals(bytes.subarray(0, beginning.length));
}

/** Whether a file is an archive of `mongodump`, packed or not; false for what cannot be read. */
export function isArchive(path: string): boolean {
  try {
    // To open a pipe would wait for who writes it.
    return statSync(path).isFile() && beginsArchive(firstBytes(path));
  } catch {
    return false;
  }
}

function firstBytes(path: string): Uint8Array {
  const bytes = Buffer.alloc(4096);
  const file = openSync(path, "r");
  try {
    const read = bytes.subarray(0, readSync(file, bytes));
    // With `--gzip` the archive is packed as a whole. These are only its first bytes, so no end is expected.
    return read[0] === 0x1f && read[1] === 0x8b ? gunzipSync(read, { finishFlush: constants.Z_SYNC_FLUSH }) : read;
  } finally {
    closeSync(file);
  }
}

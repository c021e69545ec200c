import { open } from "node:fs/promises";
import { requireKnown } from "../../src/knownOptions.js";
import type { History, HistoryEntry } from "./history.js";
import { HistoryReader } from "./historyReader.js";
import { bytesOf, partNumbers, partPath } from "./parts.js";

export interface HistoryFileOptions {
  /**
   * How many bytes a part may have before the next one begins: FILE.1, FILE.2 and so on.
   * @default 67108864
   */
  partBytes?: number | undefined;
}

const newline = 0x0a;
/** How each entry begins. */
const beginning = Buffer.from('{"entry":');

/**
 * Opens a history in a file, a line of JSON for each entry. Nothing in it is ever changed or deleted. Several processes
 * may append to one file. Of each entry, the disk has it before the call goes on.
 *
 * @throws TypeError for a wrong path or option. It rejects if the file cannot be written.
 */
export async function openHistoryFile(path: string, options: HistoryFileOptions = {}): Promise<History> {
  requireKnown("options", options, ["partBytes"]);
  const { partBytes = 67_108_864 } = options;
  if (typeof path !== "string" || path === "") throw new TypeError("path must be a file name");
  if (!Number.isSafeInteger(partBytes) || partBytes < 1) throw new TypeError("partBytes must be an integer >= 1");
  const numbers = await partNumbers(path);
  await requireHistory(partPath(path, numbers[0] ?? 0));
  let newest = numbers.at(-1) ?? 0;
  await append([]);
  const reader = new HistoryReader(path);

  async function append(entries: readonly HistoryEntry[]): Promise<void> {
    // Another process may have begun the next part.
    while ((await bytesOf(partPath(path, newest))) >= partBytes) newest += 1;
    const file = await open(partPath(path, newest), "a+", 0o600);
    try {
      if (entries.length === 0) return;
      const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
      const bytes = Buffer.from(((await endsWithin(file)) ? "\n" : "") + lines);
      // One write: those of several processes do not mix.
      const { bytesWritten } = await file.write(bytes);
      if (bytesWritten < bytes.length) throw new Error(`there is no room for the history ${path}`);
      await file.datasync();
    } finally {
      await file.close();
    }
  }

  return {
    append,
    list: (range) => reader.list(range),
    read: (settingID, request) => reader.read(settingID, request),
  };
}

/** Fails if there is another kind of file, such as a database or a configuration. */
async function requireHistory(path: string): Promise<void> {
  if ((await bytesOf(path)) === 0) return;
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(beginning.length), 0, beginning.length, 0);
    // A crash may have cut the first entry.
    if (!buffer.subarray(0, bytesRead).equals(beginning.subarray(0, bytesRead))) {
      throw new Error("it is there, and no history");
    }
  } finally {
    await file.close();
  }
}

/** Whether a file ends within a line, because a crash or a full disk has cut it. */
async function endsWithin(file: Awaited<ReturnType<typeof open>>): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return false;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] !== newline;
}

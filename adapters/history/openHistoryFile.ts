import type { History } from "./history.js";
import { openHistoryDatabase } from "./historyDatabase.js";
import { keepEntries } from "./keepEntries.js";
import { readPage, readRequest } from "./readSettings.js";

/** A history in a file. */
export interface HistoryFile extends History {
  /** Closes the file. Afterwards, nothing can be kept or read. */
  close(): Promise<void>;
}

/**
 * Opens a history in an SQLite file, by better-sqlite3 or, if it is not installed, by `node:sqlite`. A new file has mode
 * 600: only its owner may read and write it. Nothing in it is ever changed or deleted. Several processes of one machine
 * may share a file. Of each entry, the disk has it before the call goes on.
 *
 * Its lists count up to 100,000 settings, and cut texts off after 256 characters.
 *
 * @throws TypeError for a wrong path. It rejects if the file cannot be written, or is no history.
 */
export async function openHistoryFile(path: string): Promise<HistoryFile> {
  if (typeof path !== "string" || path.trim() === "") throw new TypeError("path must be a file name");
  const database = await openHistoryDatabase(path, "write");
  return {
    append: (entries) => database.write(keepEntries(entries)),
    list: ({ offset, limit }, filter = {}) => database.read(readPage(offset, limit, filter)),
    async read(settingID, request) {
      const found = await database.read(readRequest(settingID, request));
      if (found === undefined) return undefined;
      const { setting, begun, ended } = found;
      return { setting, begun: JSON.parse(begun), ended: ended && JSON.parse(ended) };
    },
    close: async () => database.close(),
  };
}

import { statSync } from "node:fs";
import { type Connection, pragma } from "./connection.js";
import type { FileGuard } from "./fileGuard.js";

/** A `-wal` has a header, and a header before each page; their lengths in bytes. */
const logHeader = 32;
const frameHeader = 24;

/**
 * Detects that a file in WAL mode was truncated while it is open. SQLite itself would go on answering from pages in
 * memory, and writing. It does not detect a file that was overwritten without becoming shorter.
 */
export function guardLength(connection: Connection): FileGuard {
  const path = connection.all("SELECT file FROM pragma_database_list WHERE name = 'main'")[0]?.["file"];
  const pageSize = Number(pragma(connection, "page_size"));

  /** Each page is in the file or in the log. Look at the log last: pages move from the log to the file. */
  function isTooShort(): boolean {
    const pages = Number(pragma(connection, "page_count"));
    const logged = Math.max(0, lengthOf(`${path}-wal`) - logHeader) / (pageSize + frameHeader);
    const filed = lengthOf(`${path}`) / pageSize;
    return filed < 1 || filed + logged < pages;
  }

  return () => {
    // Look twice: another process may just have made the database smaller.
    if (isTooShort() && isTooShort()) {
      throw new Error(`the database file ${path} was truncated while it was open: restore it from a backup`);
    }
  };
}

function lengthOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

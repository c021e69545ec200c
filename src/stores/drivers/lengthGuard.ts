import { statSync } from "node:fs";
import { type Connection, pragma } from "./connection.js";
import type { FileGuard } from "./fileGuard.js";

/** What a `-wal` has beside pages: a header, and one before each page; in bytes. */
const logHeader = 32;
const frameHeader = 24;

/**
 * Guards a file in WAL mode against being truncated while it is open. SQLite answers from the pages that it has in
 * memory, and writes on. A file that was overwritten and became no shorter is not noticed.
 */
export function guardLength(connection: Connection): FileGuard {
  const path = connection.all("SELECT file FROM pragma_database_list WHERE name = 'main'")[0]?.["file"];
  const pageSize = Number(pragma(connection, "page_size"));

  /** Each page stands in the file or in the log; they are looked at in this order, since pages move to the file. */
  function isTooShort(): boolean {
    const pages = Number(pragma(connection, "page_count"));
    const logged = Math.max(0, lengthOf(`${path}-wal`) - logHeader) / (pageSize + frameHeader);
    const filed = lengthOf(`${path}`) / pageSize;
    return filed < 1 || filed + logged < pages;
  }

  return () => {
    // The second look excludes that another process has just made the database smaller.
    if (isTooShort() && isTooShort()) {
      throw new Error(`the database file ${path} was truncated while it was open: restore it from a backup`);
    }
  };
}

function lengthOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

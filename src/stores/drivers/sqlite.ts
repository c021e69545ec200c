import { requireKnown } from "../../knownOptions.js";
import { betterSqlite3, loadBetterSqlite3 } from "./betterSqlite3.js";
import { type FileOptions, openFileDatabase } from "./fileDatabase.js";
import type { BundledStore } from "./fileStore.js";
import { laneStore } from "./lane/laneStore.js";

export type { BundledStore } from "./fileStore.js";

/** The options of {@link openSqliteStore}. */
export interface SqliteStoreOptions extends FileOptions {
  /**
   * How many threads run heavy reads, from 0 to 64; one more runs heavy writes, unless it is 0. Heavy reads are searches
   * in large lists, pages of more than 100 items, and filters that read all items of a list. Heavy writes are
   * `setConversations` for more than 100 users, and `put` and `remove` of more than 100 records or of an iterable that
   * is no array. They do not hold up the caller's thread, and reads use as many cores as there are threads for them.
   * Each thread starts when it is first needed, and has its own connection. A database in memory has no threads.
   * @default 1
   */
  threads?: number | undefined;
}

const mostThreads = 64;

/**
 * Opens a store in an SQLite file. Several processes may share the file. A file of an earlier im-admin is migrated
 * first, in one transaction.
 *
 * @throws Error if better-sqlite3 is not installed, or if the file cannot be opened, is no database, belongs to another
 * program, is in UTF-16, or was made by a newer im-admin. Later calls of the store reject if somebody has replaced,
 * moved or deleted the file or its `-wal`
 */
export function openSqliteStore(options: SqliteStoreOptions): BundledStore {
  // Before it creates a file.
  loadBetterSqlite3();
  requireKnown("openSqliteStore", options, ["path", "readonly", "adopt", "threads"]);
  const { threads = 1, ...file } = options;
  if (!Number.isInteger(threads) || threads < 0 || threads > mostThreads) {
    throw new TypeError(`threads must be an integer from 0 to ${mostThreads}`);
  }
  return laneStore(openFileDatabase(betterSqlite3, file), { engine: betterSqlite3.name, file }, threads).store;
}

import { requireKnown } from "../../knownOptions.js";
import { betterSqlite3, loadBetterSqlite3 } from "./betterSqlite3.js";
import { openFileDatabase } from "./fileDatabase.js";
import type { BundledStore } from "./fileStore.js";
import { laneStore } from "./lane/laneStore.js";

export type { BundledStore } from "./fileStore.js";

/** How a database file is opened. */
export interface SqliteStoreOptions {
  /**
   * The database file; `":memory:"` for a store that ends with the process. Where there is no file, one is made that
   * only its owner may read and write (mode 600).
   */
  path: string;
  /**
   * Refuse all writes; the file must exist and have the current schema. Where its folder cannot be written, a file in
   * WAL mode (of up to 2 GiB) is read into memory, unless it has a `-wal` that is not empty.
   * @default false
   */
  readonly?: boolean | undefined;
  /**
   * Add im-admin's tables to a database that another program has made, which is refused otherwise. Its tables stay as
   * they are, and so do its `user_version` and an `application_id` that it has set. The file is switched to WAL mode,
   * because a commit would otherwise fail whenever somebody reads. From then on it is opened with or without this.
   * @default false
   */
  adopt?: boolean | undefined;
  /**
   * How many bytes of the file are read through a memory map, from 0 to 2,147,418,112. Random pages of a large file
   * are then about 23 % faster, and the process counts 160 to 260 MB more of resident memory; but where another program
   * truncates the file, the operating system ends the process at once (SIGBUS) instead of a call failing.
   * @default 0
   */
  mappedBytes?: number | undefined;
  /**
   * How many threads make heavy calls, from 0 to 64: searches in large lists, pages of more than 100 items, filters that
   * look at all entries, `setConversations` for more than 100 users, and `put` and `remove` of more than 1,000 records or
   * of what is no array. They do not hold up the thread of the caller, and reads use as many cores as there are threads.
   * Each is started when it is first needed, and has a connection of its own. A database in memory has none.
   * @default 1
   */
  threads?: number | undefined;
}

const mostThreads = 64;

/**
 * Opens a store in an SQLite file, which several processes may share. A file from an earlier im-admin is brought to
 * the current schema first, in one transaction.
 *
 * @throws Error where better-sqlite3 is not installed, or where the file cannot be opened, is no database or that of
 * another program, is in UTF-16, or was made by a newer im-admin; calls of the
 * store fail so once somebody has replaced, moved or deleted the file or its `-wal`
 */
export function openSqliteStore(options: SqliteStoreOptions): BundledStore {
  // Before a file is made.
  loadBetterSqlite3();
  requireKnown("openSqliteStore", options, ["path", "readonly", "adopt", "mappedBytes", "threads"]);
  const { threads = 1, ...file } = options;
  if (!Number.isInteger(threads) || threads < 0 || threads > mostThreads) {
    throw new TypeError(`threads must be an integer from 0 to ${mostThreads}`);
  }
  return laneStore(openFileDatabase(betterSqlite3, file), { engine: betterSqlite3.name, file }, threads).store;
}

import { requireKnown } from "../../knownOptions.js";
import { betterSqlite3, loadBetterSqlite3 } from "./betterSqlite3.js";
import { openFileDatabase } from "./fileDatabase.js";
import type { BundledStore } from "./fileStore.js";
import { laneStore } from "./lane/laneStore.js";

export type { BundledStore } from "./fileStore.js";

/** The options of {@link openSqliteStore}. */
export interface SqliteStoreOptions {
  /**
   * The database file; `":memory:"` for a store that ends with the process. If the file does not exist, it is created
   * with mode 600: only its owner may read and write it.
   */
  path: string;
  /**
   * Refuse all writes. The file must exist and have the current schema. A file in WAL mode (of up to 2 GiB) in a
   * read-only folder is read into memory; this fails if its `-wal` is not empty.
   * @default false
   */
  readonly?: boolean | undefined;
  /**
   * Add im-admin's tables to another program's database, which is refused otherwise. Its own tables, its `user_version`,
   * its `application_id`, if set, and its journal mode do not change. In another mode than WAL, a commit waits while
   * another connection reads, so give your connections a `busy_timeout`. Later openings do not need this option.
   * @default false
   */
  adopt?: boolean | undefined;
  /**
   * How many bytes of the file are read through a memory map, from 0 to 2,147,418,112. Random pages of a large file are
   * then about 23 % faster, and the process has 160 to 260 MB more of resident memory. But if another program truncates
   * the file, the operating system ends the process at once (SIGBUS); without the map, only a call fails.
   * @default 0
   */
  mappedBytes?: number | undefined;
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
  requireKnown("openSqliteStore", options, ["path", "readonly", "adopt", "mappedBytes", "threads"]);
  const { threads = 1, ...file } = options;
  if (!Number.isInteger(threads) || threads < 0 || threads > mostThreads) {
    throw new TypeError(`threads must be an integer from 0 to ${mostThreads}`);
  }
  return laneStore(openFileDatabase(betterSqlite3, file), { engine: betterSqlite3.name, file }, threads).store;
}

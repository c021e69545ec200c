import { Database } from "bun:sqlite";
import type { Row } from "../sqlite/database.js";
import type { Connection, Engine } from "./connection.js";
import { type BundledStore, createFileStore } from "./fileStore.js";

export type { BundledStore } from "./fileStore.js";

/** The options of {@link openBunSqliteStore}. */
export interface BunSqliteStoreOptions {
  /**
   * The database file; `":memory:"` for a store that ends with the process. If the file does not exist, it is created
   * with mode 600: only its owner may read and write it.
   */
  path: string;
  /**
   * Refuse all writes. The file must exist and have the current schema. A file in WAL mode in a read-only folder is
   * read into memory; this fails if its `-wal` is not empty.
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
}

/** Bun's own SQLite. */
const bunSqlite: Engine = {
  name: "bun:sqlite",
  connect: (path, mode) =>
    connectionOf(new Database(path, mode === "read" ? { readonly: true } : { readwrite: true, create: false })),
  connectCopy: (content) => connectionOf(Database.deserialize(content, true)),
};

function connectionOf(database: Database): Connection {
  return {
    // Bun keeps prepared statements itself.
    all: (text, values = []) => database.query<Row>(text).all(...values),
    close: () => database.close(),
  };
}

/**
 * Opens a store in an SQLite file with `bun:sqlite`. Several processes may share the file. A file of an earlier
 * im-admin is migrated first, in one transaction.
 *
 * @throws Error if the file cannot be opened, is no database, belongs to another program, is in UTF-16, or was made by
 * a newer im-admin
 */
export function openBunSqliteStore(options: BunSqliteStoreOptions): BundledStore {
  return createFileStore("openBunSqliteStore", bunSqlite, options);
}

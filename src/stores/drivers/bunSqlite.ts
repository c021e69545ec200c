import { Database } from "bun:sqlite";
import type { Row } from "../sqlite/database.js";
import type { Connection, Engine } from "./connection.js";
import { type BundledStore, createFileStore } from "./fileStore.js";

export type { BundledStore } from "./fileStore.js";

/** How a database file is opened. */
export interface BunSqliteStoreOptions {
  /**
   * The database file; `":memory:"` for a store that ends with the process. Where there is no file, one is made that
   * only its owner may read and write (mode 600).
   */
  path: string;
  /**
   * Refuse all writes; the file must exist and have the current schema. Where its folder cannot be written, a file in
   * WAL mode is read into memory, unless it has a `-wal` that is not empty.
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
}

/** The SQLite that Bun has. */
const bunSqlite: Engine = {
  name: "bun:sqlite",
  connect: (path, mode) =>
    connectionOf(new Database(path, mode === "read" ? { readonly: true } : { readwrite: true, create: false })),
  connectCopy: (content) => connectionOf(Database.deserialize(content, true)),
};

function connectionOf(database: Database): Connection {
  return {
    // Bun keeps what it has prepared.
    all: (text, values = []) => database.query<Row>(text).all(...values),
    close: () => database.close(),
  };
}

/**
 * Opens a store in an SQLite file by `bun:sqlite`, which several processes may share. A file from an earlier im-admin
 * is brought to the current schema first, in one transaction.
 *
 * @throws Error where the file cannot be opened, is no database or that of another program, is in
 * UTF-16, or was made by a newer im-admin
 */
export function openBunSqliteStore(options: BunSqliteStoreOptions): BundledStore {
  return createFileStore("openBunSqliteStore", bunSqlite, options);
}

import { Database } from "bun:sqlite";
import type { Row } from "../sqlite/database.js";
import type { Connection, Engine } from "./connection.js";
import { type BundledStore, createFileStore } from "./fileStore.js";

export type { BundledStore } from "./fileStore.js";

/** How a database file is opened. */
export interface BunSqliteStoreOptions {
  /** The database file, made where there is none; `":memory:"` for a store that ends with the process. */
  path: string;
  /**
   * Refuse all writes; the file must exist and have the current schema. Where its folder cannot be written, a file in
   * WAL mode is read into memory, unless it has a `-wal` that is not empty.
   * @default false
   */
  readonly?: boolean;
}

/** The SQLite that Bun has. */
const bunSqlite: Engine = {
  connect: (path, mode) =>
    connectionOf(
      new Database(path, mode === "read" ? { readonly: true } : { readwrite: true, create: mode === "write" }),
    ),
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
 * @throws Error where the file cannot be opened, is no database, is in UTF-16, or was made by a newer im-admin
 */
export function openBunSqliteStore(options: BunSqliteStoreOptions): BundledStore {
  return createFileStore("openBunSqliteStore", bunSqlite, options);
}

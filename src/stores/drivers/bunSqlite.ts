import { Database } from "bun:sqlite";
import type { Row } from "../sqlite/database.js";
import type { Connection, Engine } from "./connection.js";
import { type BundledStore, createFileStore, type FileOptions } from "./fileStore.js";

export type { BundledStore } from "./fileStore.js";

/** The options of {@link openBunSqliteStore}. */
export interface BunSqliteStoreOptions extends FileOptions {}

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

import { type BundledStore, createSqlStore } from "./sql/store.js";
import { openSqliteDatabase, type SqliteStoreOptions } from "./sqliteDatabase.js";

export type { BundledStore } from "./sql/store.js";
export type { SqliteStoreOptions } from "./sqliteDatabase.js";

/**
 * Opens a store in an SQLite file, which several processes may share. A file from an earlier im-admin is brought to
 * the current schema first, in one transaction.
 *
 * @throws Error where the file cannot be opened, is no database, or was made by a newer im-admin
 */
export function openSqliteStore(options: SqliteStoreOptions): BundledStore {
  return createSqlStore(openSqliteDatabase(options));
}

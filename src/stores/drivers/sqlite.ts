import { defaultSizes } from "../sqlite/nodes/tables.js";
import { type BundledStore, createSqlStore } from "../sqlite/store.js";
import { createBulk } from "../sqlite/upkeep/bulk.js";
import { openSqliteDatabase, type SqliteStoreOptions } from "./betterSqlite3.js";

export type { BundledStore } from "../sqlite/store.js";
export type { SqliteStoreOptions } from "./betterSqlite3.js";

/**
 * Opens a store in an SQLite file, which several processes may share. A file from an earlier im-admin is brought to
 * the current schema first, in one transaction.
 *
 * @throws Error where the file cannot be opened, is no database, is in UTF-16, or was made by a newer im-admin; calls
 * of the store fail so once somebody has replaced, moved or deleted the file or its `-wal`
 */
export function openSqliteStore(options: SqliteStoreOptions): BundledStore {
  return createSqlStore(openSqliteDatabase(options), { bulk: createBulk(defaultSizes) });
}

import { type BundledStore, createFileStore, type FileOptions } from "./fileStore.js";
import { nodeSqlite } from "./nodeEngine.js";

export type { BundledStore } from "./fileStore.js";

/** The options of {@link openNodeSqliteStore}. */
export interface NodeSqliteStoreOptions extends FileOptions {}

/**
 * Opens a store in an SQLite file with `node:sqlite`. Several processes may share the file. A file of an earlier
 * im-admin is migrated first, in one transaction.
 *
 * @throws Error if the file cannot be opened, is no database, belongs to another program, is in UTF-16, or was made by
 * a newer im-admin
 */
export function openNodeSqliteStore(options: NodeSqliteStoreOptions): BundledStore {
  return createFileStore("openNodeSqliteStore", nodeSqlite, options);
}

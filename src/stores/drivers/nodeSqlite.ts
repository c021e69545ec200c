import { type BundledStore, createFileStore } from "./fileStore.js";
import { nodeSqlite } from "./nodeEngine.js";

export type { BundledStore } from "./fileStore.js";

/** How a database file is opened. */
export interface NodeSqliteStoreOptions {
  /** The database file, made where there is none; `":memory:"` for a store that ends with the process. */
  path: string;
  /**
   * Refuse all writes; the file must exist and have the current schema, and a file in WAL mode needs a folder that can
   * be written.
   * @default false
   */
  readonly?: boolean;
}

/**
 * Opens a store in an SQLite file by `node:sqlite`, which several processes may share. A file from an earlier im-admin
 * is brought to the current schema first, in one transaction.
 *
 * @throws Error where the file cannot be opened, is no database, is in UTF-16, or was made by a newer im-admin
 */
export function openNodeSqliteStore(options: NodeSqliteStoreOptions): BundledStore {
  return createFileStore("openNodeSqliteStore", nodeSqlite, options);
}

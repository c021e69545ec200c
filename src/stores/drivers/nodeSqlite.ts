import { type BundledStore, createFileStore } from "./fileStore.js";
import { nodeSqlite } from "./nodeEngine.js";

export type { BundledStore } from "./fileStore.js";

/** The options of {@link openNodeSqliteStore}. */
export interface NodeSqliteStoreOptions {
  /**
   * The database file; `":memory:"` for a store that ends with the process. If the file does not exist, it is created
   * with mode 600: only its owner may read and write it.
   */
  path: string;
  /**
   * Refuse all writes. The file must exist and have the current schema. A file in WAL mode needs a writable folder.
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

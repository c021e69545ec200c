import { type BundledStore, createFileStore } from "./fileStore.js";
import { nodeSqlite } from "./nodeEngine.js";

export type { BundledStore } from "./fileStore.js";

/** How a database file is opened. */
export interface NodeSqliteStoreOptions {
  /**
   * The database file; `":memory:"` for a store that ends with the process. Where there is no file, one is made that
   * only its owner may read and write (mode 600).
   */
  path: string;
  /**
   * Refuse all writes; the file must exist and have the current schema, and a file in WAL mode needs a folder that can
   * be written.
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

/**
 * Opens a store in an SQLite file by `node:sqlite`, which several processes may share. A file from an earlier im-admin
 * is brought to the current schema first, in one transaction.
 *
 * @throws Error where the file cannot be opened, is no database or that of another program, is in
 * UTF-16, or was made by a newer im-admin
 */
export function openNodeSqliteStore(options: NodeSqliteStoreOptions): BundledStore {
  return createFileStore("openNodeSqliteStore", nodeSqlite, options);
}

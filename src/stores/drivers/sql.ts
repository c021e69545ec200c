import type { BundledStore } from "../bundledStore.js";
import type { SqlDatabase } from "../sqlite/database.js";
import * as migrations from "../sqlite/schema/migrations.js";
import * as store from "../sqlite/store.js";

export type { BundledStore } from "../bundledStore.js";
export type { Row, SqlDatabase, Statement, Statements, Value } from "../sqlite/database.js";

/**
 * Makes a store of any engine that speaks SQLite's SQL and has FTS5. The database is to have been prepared by
 * {@link migrate}; `close()` closes it.
 *
 * @throws TypeError for what has not the three methods
 */
export function createSqlStore(database: SqlDatabase): BundledStore {
  return store.createSqlStore(checked(database));
}

/**
 * Brings a database to the current schema, in one transaction; one that has it is left alone, and so are other tables
 * of yours.
 *
 * Rejects where the database was made by a newer im-admin; nothing is changed then.
 */
export async function migrate(database: SqlDatabase): Promise<void> {
  await migrations.migrate(checked(database));
}

function checked(database: SqlDatabase): SqlDatabase {
  for (const method of ["read", "write", "close"] as const) {
    if (typeof database?.[method] !== "function") throw new TypeError(`database must have the method ${method}`);
  }
  return database;
}

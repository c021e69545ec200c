import type { Json } from "../../json.js";
import type { BundledStore } from "../bundledStore.js";
import type * as database from "../sqlite/database.js";
import { oneValue } from "../sqlite/pages/oneValue.js";
import * as migrations from "../sqlite/schema/migrations.js";
import * as store from "../sqlite/store.js";

export type { BundledStore } from "../bundledStore.js";
export type { Row, Statement, Statements, Value } from "../sqlite/database.js";

/** What the store needs of an engine that speaks SQLite's SQL and has FTS5. */
export interface SqlDatabase extends Pick<database.SqlDatabase, "read" | "write" | "close"> {
  /**
   * Takes JSON that was read as a BLOB, whatever the engine gives for one. A page is one value then, of which nobody
   * has to make a text. Without it, each entry of a page is a row with a text.
   */
  jsonOf?(bytes: unknown): Json;
}

/**
 * Makes a store of any engine that speaks SQLite's SQL and has FTS5. The database is to have been prepared by
 * {@link migrate}; `close()` closes it.
 *
 * @throws TypeError for what has not the three methods
 */
export function createSqlStore(database: SqlDatabase): BundledStore {
  const engine = checked(database);
  return store.createSqlStore({
    read: (statements) => engine.read(statements),
    write: (statements, call) => engine.write(statements, call),
    close: () => engine.close(),
    ...(engine.jsonOf && { pages: oneValue(engine.jsonOf.bind(engine)) }),
  });
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

import type { Json } from "../../json.js";
import type { BundledStore } from "../bundledStore.js";
import type * as database from "../sqlite/database.js";
import * as migrations from "../sqlite/schema/migrations.js";
import { storeOn } from "../sqlite/store.js";

export type { BundledStore } from "../bundledStore.js";
export type { Row, Statement, Statements, Value } from "../sqlite/database.js";

/** A driver for an engine that speaks SQLite's SQL. */
export interface SqlDatabase extends Pick<database.SqlDatabase, "read" | "write" | "close"> {
  /**
   * Converts the engine's BLOB into JSON. If you define it, a page is one value, and its bytes go out without being
   * decoded. Without it, each item of a page is a row with a text.
   */
  jsonOf?(bytes: unknown): Json;
}

/**
 * Creates a store on any engine that speaks SQLite's SQL. Prepare the database with {@link migrate}.
 * `close()` closes the database.
 *
 * @throws TypeError if `database` lacks one of the three methods
 */
export function createSqlStore(database: SqlDatabase): BundledStore {
  const engine = checked(database);
  const sqlDatabase: database.SqlDatabase = {
    read: (statements) => engine.read(statements),
    write: (statements, call) => engine.write(statements, call),
    close: () => engine.close(),
    ...(engine.jsonOf && { jsonOf: jsonUnless(engine.jsonOf.bind(engine)) }),
  };
  return storeOn(sqlDatabase);
}

const decoder = new TextDecoder();

function jsonUnless(jsonOf: (bytes: unknown) => Json): NonNullable<database.SqlDatabase["jsonOf"]> {
  return (bytes, unless) => {
    const json = jsonOf(bytes);
    if (unless === undefined) return json;
    const text = typeof json === "string" ? json : decoder.decode(json);
    return text.includes(unless) ? undefined : json;
  };
}

/**
 * Migrates a database to the current schema, in one transaction. It changes nothing if the database has this schema,
 * and never changes your own tables.
 *
 * It rejects, and changes nothing, if the database was made by a newer im-admin.
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

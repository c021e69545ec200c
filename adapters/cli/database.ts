import type { SqlDatabase } from "../../src/stores/sql/database.js";
import { stepBar } from "./progress.js";

/** Opens the database file; better-sqlite3 is loaded only here, since commands without a database do without it. */
export async function openDatabase(path: string): Promise<SqlDatabase> {
  const { openSqliteDatabase } = await import("../../src/stores/sqliteDatabase.js").catch((error: unknown) => {
    throw new Error("better-sqlite3 cannot be loaded: npm install better-sqlite3", { cause: error });
  });
  return openSqliteDatabase({ path }, stepBar("bringing the database to the current schema"));
}

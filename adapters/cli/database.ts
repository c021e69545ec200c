import type { SqlDatabase } from "../../src/stores/sqlite/database.js";
import { stepBar } from "./progress.js";

/** Opens the database file; better-sqlite3 is loaded only here, since commands without a database do without it. */
export async function openDatabase(path: string): Promise<SqlDatabase> {
  const { openSqliteDatabase } = await import("../../src/stores/drivers/betterSqlite3.js").catch((error: unknown) => {
    throw new Error("better-sqlite3 cannot be loaded: npm install better-sqlite3", { cause: error });
  });
  return openSqliteDatabase({ path }, stepBar("bringing the database to the current schema"));
}

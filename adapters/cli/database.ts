import type { Engine } from "../../src/stores/drivers/connection.js";
import type { SqlDatabase } from "../../src/stores/sqlite/database.js";
import { stepBar } from "./progress.js";

/** Opens the database file. */
export async function openDatabase(path: string): Promise<SqlDatabase> {
  const { openFileDatabase } = await import("../../src/stores/drivers/fileDatabase.js");
  return openFileDatabase(await loadEngine(), { path }, stepBar("bringing the database to the current schema"));
}

/**
 * Loads better-sqlite3, or where that is missing what Node has itself. Both are loaded only here, since commands without
 * a database do without them.
 */
export async function loadEngine(): Promise<Engine> {
  try {
    const { betterSqlite3 } = await import("../../src/stores/drivers/betterSqlite3.js");
    // The part that is no JavaScript is loaded with the first connection; it may have been built for another Node.
    betterSqlite3.connect(":memory:", "write").close();
    return betterSqlite3;
  } catch (cause) {
    const own = await import("../../src/stores/drivers/nodeEngine.js").catch(() => undefined);
    if (own !== undefined) return own.nodeSqlite;
    throw new Error("better-sqlite3 cannot be loaded: npm install better-sqlite3, or use Node 22 or newer", { cause });
  }
}

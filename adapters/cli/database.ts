import type { Option } from "commander";
import type { Engine } from "../../src/stores/drivers/connection.js";
import type { SqlDatabase } from "../../src/stores/sqlite/database.js";
import type { BundledStore } from "../../src/stores/sqlite/store.js";
import { option } from "./flags.js";
import { stepBar } from "./progress.js";

export function adoptOption(): Option {
  return option("--adopt", "add im-admin's tables to a database that another program has made");
}

/**
 * Opens the database file.
 *
 * @param adopt whether a database of another program is to get our tables
 */
export async function openDatabase(path: string, adopt: boolean): Promise<SqlDatabase> {
  return openWith(await loadEngine(), path, adopt);
}

/** Opens the database file, with a thread for what may take long. */
export async function openStore(path: string, adopt: boolean): Promise<{ database: SqlDatabase; store: BundledStore }> {
  const { laneStore } = await import("../../src/stores/drivers/lane/laneStore.js");
  const engine = await loadEngine();
  const database = await openWith(engine, path, adopt);
  return { database, store: laneStore(database, { engine: engine.name, file: { path } }, 1) };
}

async function openWith(engine: Engine, path: string, adopt: boolean) {
  const { openFileDatabase } = await import("../../src/stores/drivers/fileDatabase.js");
  return openFileDatabase(engine, { path, adopt }, stepBar("bringing the database to the current schema"));
}

/**
 * Loads better-sqlite3, or where that is missing what Node has itself. Both are loaded only here, since commands without
 * a database do without them.
 */
export async function loadEngine(): Promise<Engine> {
  const { betterSqlite3, loadBetterSqlite3 } = await import("../../src/stores/drivers/betterSqlite3.js");
  try {
    loadBetterSqlite3();
    return betterSqlite3;
  } catch (cause) {
    const own = await import("../../src/stores/drivers/nodeEngine.js").catch(() => undefined);
    if (own !== undefined) return own.nodeSqlite;
    throw new Error("better-sqlite3 cannot be loaded: npm install better-sqlite3, or use Node 22 or newer", { cause });
  }
}

import type { Engine } from "./connection.js";

/**
 * Chooses the engine of this runtime: better-sqlite3 or, if it cannot be used, `node:sqlite`. Only this function loads
 * them, since some programs need no database.
 *
 * @param onOther is told why an installed better-sqlite3 cannot be used, if the other one takes its place
 * @throws Unusable if the runtime has neither
 */
export async function loadEngine(onOther: (reason: string) => void = () => {}): Promise<Engine> {
  const { betterSqlite3, loadBetterSqlite3, Unusable } = await import("./betterSqlite3.js");
  try {
    loadBetterSqlite3();
    return betterSqlite3;
  } catch (error) {
    const nodeSqlite = await loadNodeSqlite();
    if (nodeSqlite === undefined) throw error;
    if (error instanceof Unusable && error.isInstalled) onOther(error.reason);
    return nodeSqlite;
  }
}

/** The SQLite of the runtime, unless it has none. */
async function loadNodeSqlite(): Promise<Engine | undefined> {
  try {
    return (await import("./nodeEngine.js")).nodeSqlite;
  } catch {
    return undefined;
  }
}

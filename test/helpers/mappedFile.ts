import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { onTestFinished } from "vitest";
import { defaultSizes, type Sizes } from "../../src/stores/sqlite/schema/sizes.js";
import { createSqlStore } from "../../src/stores/sqlite/store.js";
import { installMap } from "../../src/stores/sqlite/upkeep/installMap.js";
import type { TableMap } from "../../src/stores/tablesSql.js";
import { openSqliteDatabase, temporaryFolder } from "./stores.js";

/** Nodes so small that thirty rows have three levels of them. */
export const tiny: Sizes = { uncounted: 3, leaf: 8, fanout: 2 };

/**
 * Makes a file with tables of a host, and adds im-admin's. It gives the host's connection, and a database of im-admin's
 * with a store over it. They are closed when the test is over.
 */
export function openHostFile(tables: string, sizes = defaultSizes) {
  const path = join(temporaryFolder(), "host.db");
  const host = new BetterSqlite3(path);
  host.pragma("synchronous = OFF");
  host.exec(tables);
  const database = openSqliteDatabase({ path, adopt: true });
  onTestFinished(async () => {
    host.close();
    await database.close();
  });
  const install = (map: TableMap | undefined) => installMap(database, map, undefined, sizes);
  return { path, host, database, install, store: createSqlStore(database, undefined, sizes) };
}

/** The same, with a map over the tables. */
export async function openMappedFile(tables: string, map: TableMap, sizes = defaultSizes) {
  const opened = openHostFile(tables, sizes);
  await opened.install(map);
  return opened;
}

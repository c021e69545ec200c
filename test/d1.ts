import type { D1Database } from "@cloudflare/workers-types";
import { Miniflare } from "miniflare";
import { createD1Store, migrateD1 } from "../src/stores/d1.js";
import type { BundledStore } from "../src/stores/sql/store.js";

const tables = ["users", "groups", "groupMembers", "blacks", "groupRequests", "conversations"];

/** A D1 database in the real runtime of Workers. */
export interface TestD1 {
  database: D1Database;
  /** The database with the current schema and without records. */
  emptyStore(): Promise<BundledStore>;
  stop(): Promise<void>;
}

export async function startD1(): Promise<TestD1> {
  const miniflare = new Miniflare({ modules: true, script: "export default {}", d1Databases: ["DB"] });
  const database: D1Database = await miniflare.getD1Database("DB");
  return {
    database,
    emptyStore: () => emptyD1Store(database),
    stop: () => miniflare.dispose(),
  };
}

/** A D1 database with the current schema and without records. */
export async function emptyD1Store(database: D1Database): Promise<BundledStore> {
  await migrateD1(database);
  await database.batch(tables.map((table) => database.prepare(`DELETE FROM ${table}`)));
  return createD1Store(database);
}

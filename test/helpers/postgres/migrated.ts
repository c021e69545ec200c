import type pg from "pg";
import type { RecordSet } from "../../../src/records.js";
import { recordNames } from "../../../src/records.js";
import type { BundledStore } from "../../../src/stores/bundledStore.js";
import { createPostgresStore, migratePostgres } from "../../../src/stores/postgres/index.js";
import { snakeCase } from "../../../src/stores/snakeCase.js";

/** The store over tables of a migrated database that have exactly these records. */
export async function openMigrated(pool: pg.Pool, records: RecordSet = {}): Promise<BundledStore> {
  await migratePostgres(pool);
  await pool.query(`TRUNCATE ${recordNames.map((name) => `im_admin.${snakeCase(name)}`)}`);
  const store = createPostgresStore({ pool });
  await store.put(records);
  return store;
}

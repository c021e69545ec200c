import { requireKnown } from "../../knownOptions.js";
import type { BundledStore } from "../bundledStore.js";
import type { PostgresPool } from "./database.js";
import { schemaName } from "./names.js";
import { migrate } from "./schema/migrate.js";
import { storeOf } from "./store.js";

export type { BundledStore } from "../bundledStore.js";
export type { PostgresConnection, PostgresPool } from "./database.js";

/** Where a store in PostgreSQL has its tables. */
export interface PostgresSchema {
  /**
   * The schema of the tables, which nothing else should be in.
   *
   * @default "im_admin"
   */
  schema?: string | undefined;
}

/** What a store in PostgreSQL works with. */
export interface PostgresStoreOptions extends PostgresSchema {
  /** Connections to the server that writes; a `Pool` of `pg`. It stays its owner's. */
  pool: PostgresPool;
  /**
   * Connections by which lists are read, such as those to a replica, whose answers may be as late as it is.
   *
   * @default `pool`
   */
  readPool?: PostgresPool | undefined;
}

/**
 * A store in a PostgreSQL database, version 15 or later, which {@link migratePostgres} has prepared. The pools stay their
 * owner's: `close()` does nothing.
 *
 * @throws TypeError for what is no pool, and for an option that it does not know
 */
export function createPostgresStore(options: PostgresStoreOptions): BundledStore {
  requireKnown("createPostgresStore", options, ["pool", "readPool", "schema"]);
  const { pool, readPool = pool, schema } = options;
  checkPool("pool", pool);
  checkPool("readPool", readPool);
  return storeOf(pool, readPool, schemaName(schema));
}

/**
 * Makes the schema with its tables, functions and triggers, or brings it to the current version, in one transaction; one
 * that has it is left alone. Whoever calls it owns what is made.
 *
 * Rejects where the schema was made by a newer im-admin, the server is older than version 15, or its encoding is not UTF-8.
 */
export async function migratePostgres(pool: PostgresPool, options: PostgresSchema = {}): Promise<void> {
  checkPool("pool", pool);
  requireKnown("migratePostgres", options, ["schema"]);
  await migrate(pool, schemaName(options.schema));
}

function checkPool(option: string, pool: unknown): asserts pool is PostgresPool {
  const { query, connect } = (pool ?? {}) as Partial<PostgresPool>;
  if (typeof query !== "function" || typeof connect !== "function") {
    throw new TypeError(`${option} must be a pool of connections to PostgreSQL, such as a Pool of pg`);
  }
}

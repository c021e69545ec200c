import { requireKnown } from "../../knownOptions.js";
import type { BundledStore } from "../bundledStore.js";
import type { PostgresPool } from "./database.js";
import { schemaName } from "./names.js";
import { type Settled, settle } from "./settle/settle.js";
import { storeOf } from "./store.js";
import { migrate } from "./upkeep/migrate.js";

export type { BundledStore } from "../bundledStore.js";
export type { PostgresConnection, PostgresPool } from "./database.js";
export type { Settled } from "./settle/settle.js";

/** The schema of a store in PostgreSQL. */
export interface PostgresSchema {
  /**
   * The schema of the tables. Nothing else should be in it.
   *
   * @default "im_admin"
   */
  schema?: string | undefined;
}

/** The options of {@link createPostgresStore}. */
export interface PostgresStoreOptions extends PostgresSchema {
  /** Connections to the primary server: a `Pool` of `pg`. The store does not close it. */
  pool: PostgresPool;
  /**
   * Connections for reading lists, for example to a replica. Answers may be as late as the replica is. If it fails,
   * lists are read from `pool`.
   *
   * @default `pool`
   */
  readPool?: PostgresPool | undefined;
  /**
   * Whether the store settles changes in the background after a read that had to read many of them. If nobody settles,
   * lists stay right but become slower: see {@link settlePostgres}.
   *
   * @default true
   */
  settle?: boolean | undefined;
}

/** The options of {@link settlePostgres}. */
export interface PostgresSettleOptions extends PostgresSchema {
  /**
   * The most changes to settle, approximately.
   *
   * @default all
   */
  limit?: number | undefined;
}

/**
 * Creates a store in a PostgreSQL database, version 15 or later. Prepare the database with {@link migratePostgres}.
 * `close()` does nothing, since the pools are yours.
 *
 * @throws TypeError if the pool is none, or for an unknown option
 */
export function createPostgresStore(options: PostgresStoreOptions): BundledStore {
  requireKnown("createPostgresStore", options, ["pool", "readPool", "schema", "settle"]);
  const { pool, readPool = pool, schema, settle: settles = true } = options;
  checkPool("pool", pool);
  checkPool("readPool", readPool);
  if (typeof settles !== "boolean") throw new TypeError("settle must be true or false");
  return storeOf(pool, readPool, schemaName(schema), settles);
}

/**
 * Creates the schema with its tables, functions and triggers, or migrates it to the current version, in one
 * transaction. It changes nothing if the schema has this version. The role that calls it owns what it creates.
 *
 * It rejects if the schema was made by a newer im-admin, the server is older than version 15, or its encoding is not
 * UTF-8.
 */
export async function migratePostgres(pool: PostgresPool, options: PostgresSchema = {}): Promise<void> {
  checkPool("pool", pool);
  requireKnown("migratePostgres", options, ["schema"]);
  await migrate(pool, schemaName(options.schema));
}

/**
 * Settles changes, some thousand in a transaction, until none are left or another session settles. It waits for nobody,
 * and nobody waits for it.
 *
 * It rejects if the schema does not exist, or if a policy hides rows from its owner.
 *
 * @throws TypeError if the pool is none, or for an unknown option
 */
export async function settlePostgres(pool: PostgresPool, options: PostgresSettleOptions = {}): Promise<Settled> {
  checkPool("pool", pool);
  requireKnown("settlePostgres", options, ["schema", "limit"]);
  const { schema, limit } = options;
  if (limit !== undefined && !(Number.isInteger(limit) && limit > 0)) {
    throw new TypeError("limit must be a whole number of changes, 1 at least");
  }
  return settle(pool, schemaName(schema), limit);
}

function checkPool(option: string, pool: unknown): asserts pool is PostgresPool {
  const { query, connect } = (pool ?? {}) as Partial<PostgresPool>;
  if (typeof query !== "function" || typeof connect !== "function") {
    throw new TypeError(`${option} must be a pool of connections to PostgreSQL, such as a Pool of pg`);
  }
}

import { requireKnown } from "../../knownOptions.js";
import type { BundledStore } from "../bundledStore.js";
import type { PostgresPool } from "./database.js";
import { schemaName } from "./names.js";
import { migrate } from "./schema/migrate.js";
import { storeOf } from "./store.js";
import { type Settled, settle } from "./upkeep/settle.js";

export type { BundledStore } from "../bundledStore.js";
export type { PostgresConnection, PostgresPool } from "./database.js";
export type { Settled } from "./upkeep/settle.js";

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
   * Connections by which lists are read, such as those to a replica, whose answers may be as late as it is. Where it fails,
   * they are read by `pool`.
   *
   * @default `pool`
   */
  readPool?: PostgresPool | undefined;
  /**
   * Whether the store settles what writers have appended, in the background, when a reader has had to look at much of it.
   * Where nobody does, lists are right, and become slower: see {@link settlePostgres}.
   *
   * @default true
   */
  settle?: boolean | undefined;
}

/** Where and how much to settle. */
export interface PostgresSettleOptions extends PostgresSchema {
  /**
   * About how many changes to settle at most.
   *
   * @default all
   */
  limit?: number | undefined;
}

/**
 * A store in a PostgreSQL database, version 15 or later, which {@link migratePostgres} has prepared. The pools stay their
 * owner's: `close()` does nothing.
 *
 * @throws TypeError for what is no pool, and for an option that it does not know
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

/**
 * Settles what writers have appended, some thousand changes in a transaction, until nothing is left, or somebody else is
 * at it. It waits for nobody, and nobody for it.
 *
 * Rejects where the schema is not there, and where a policy hides rows from its owner.
 *
 * @throws TypeError for what is no pool, and for an option that it does not know
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

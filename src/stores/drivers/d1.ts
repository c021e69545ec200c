import type { BundledStore } from "../bundledStore.js";
import type { Row, SqlDatabase, Statements } from "../sqlite/database.js";
import { migrate } from "../sqlite/schema/migrations.js";
import { storeOn } from "../sqlite/store.js";

export type { BundledStore } from "../bundledStore.js";

/** What the store needs of a D1 binding; the `D1Database` of Workers' types fits. */
export interface D1Handle {
  prepare(sql: string): D1Statement;
  // The type of D1's own statements is unknown here.
  batch(statements: never[]): Promise<{ results: unknown[] }[]>;
}

/** What the store needs of a prepared statement. */
export interface D1Statement {
  bind(...values: unknown[]): unknown;
}

/**
 * Creates a store in a Cloudflare D1 database. Prepare the database with {@link migrateD1} or
 * `wrangler d1 migrations apply`. `close()` does nothing, since the binding is yours.
 *
 * @throws TypeError if `database` is no binding, for example because its name is misspelt
 */
export function createD1Store(database: D1Handle): BundledStore {
  return storeOn(d1Database(database));
}

/**
 * Migrates a D1 database to the current schema, in one batch. It changes nothing if the database has this schema, and
 * never changes your own tables. Use either this or `wrangler d1 migrations apply`: you cannot change from one to the
 * other.
 *
 * It rejects, and changes nothing, if the database was made by a newer im-admin.
 */
export async function migrateD1(database: D1Handle): Promise<void> {
  await migrate(d1Database(database));
}

function d1Database(database: D1Handle): SqlDatabase {
  if (typeof database?.prepare !== "function" || typeof database.batch !== "function") {
    throw new TypeError("database must be a D1 binding, such as env.DB");
  }

  /** D1 runs a batch as one transaction. */
  async function batch(statements: Statements): Promise<Row[][]> {
    const bound = Array.from(statements, ({ text, values }) => database.prepare(text).bind(...values));
    if (bound.length === 0) return [];
    const results = await database.batch(bound as never[]).catch((error) => {
      // The tables are missing, or those of an older version.
      const isBehind = /no such (table: im_|col)/.test(error);
      throw isBehind ? new Error(`${error}: see wrangler d1 migrations`) : error;
    });
    return (results ?? []).map(({ results }) => results as Row[]);
  }
  return {
    read: batch,
    write(statements, call) {
      call?.begun?.();
      return batch(statements);
    },
    close: async () => {},
  };
}

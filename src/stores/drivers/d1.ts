import type { Row, SqlDatabase, Statements } from "../sqlite/database.js";
import { migrationsFrom, schemaVersion, versionTable } from "../sqlite/schema/migrations.js";
import { type BundledStore, createSqlStore } from "../sqlite/store.js";

export type { BundledStore } from "../sqlite/store.js";

/** What the store needs of a D1 binding; the `D1Database` of Workers' types fits. */
export interface D1Handle {
  prepare(sql: string): D1Statement;
  // D1 takes what its own prepare() made, whose type only its owner knows.
  batch(statements: never[]): Promise<{ results: unknown[] }[]>;
}

/** What the store needs of a prepared statement. */
export interface D1Statement {
  bind(...values: unknown[]): unknown;
}

/**
 * A store in a Cloudflare D1 database, which {@link migrateD1} or `wrangler d1 migrations apply` has prepared. The
 * binding stays its owner's: `close()` does nothing.
 */
export function createD1Store(database: D1Handle): BundledStore {
  return createSqlStore(d1Database(database));
}

/**
 * Brings a D1 database to the current schema, in one batch; one that has it is left alone. Choose between this and
 * `wrangler d1 migrations apply`: after one of them, the other cannot follow.
 *
 * Rejects where the database was made by a newer im-admin.
 */
export async function migrateD1(database: D1Handle): Promise<void> {
  const { read, write } = d1Database(database);
  const first = async (text: string) => (await read([{ text, values: [] }]))[0]?.[0];
  const storedVersion = async () => {
    const hasVersion = await first("SELECT 1 FROM sqlite_schema WHERE name = 'schemaVersion'");
    if (hasVersion === undefined) return 0;
    return Number((await first("SELECT max(version) AS version FROM schemaVersion"))?.["version"] ?? 0);
  };
  const migrations = migrationsFrom(await storedVersion());
  if (migrations.length === 0) return;
  try {
    await write([versionTable, ...migrations]);
  } catch (error) {
    // Another Worker may have been faster; the batch of the slower one has left nothing behind.
    if ((await storedVersion()) !== schemaVersion) throw error;
  }
}

function d1Database(database: D1Handle): SqlDatabase {
  /** D1 runs a batch as one transaction. */
  async function batch(statements: Statements): Promise<Row[][]> {
    const bound = Array.from(statements, ({ text, values }) => database.prepare(text).bind(...values));
    if (bound.length === 0) return [];
    const results = await database.batch(bound as never[]);
    return results.map(({ results }) => results as Row[]);
  }
  return { read: batch, write: batch, close: async () => {} };
}

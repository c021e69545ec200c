import type { BundledStore } from "../bundledStore.js";
import type { Row, SqlDatabase, Statements, Value } from "../sqlite/database.js";
import { migrate } from "../sqlite/schema/migrations.js";
import { storeOn } from "../sqlite/store.js";

export type { BundledStore } from "../bundledStore.js";
export type { Value } from "../sqlite/database.js";

/** What the store needs of a libSQL client; the `Client` of `@libsql/client` fits. */
export interface LibsqlClient {
  batch(
    statements: { sql: string; args: Value[] }[],
    mode: "read" | "write",
  ): Promise<{ columns: string[]; rows: ArrayLike<unknown>[] }[]>;
}

/**
 * Creates a store in a libSQL database, a file or a database of Turso. Prepare it with {@link migrateLibsql}. `close()`
 * does nothing, since the client is yours.
 *
 * @throws TypeError if `client` is no client
 */
export function createLibsqlStore(client: LibsqlClient): BundledStore {
  return storeOn(libsqlDatabase(client));
}

/**
 * Migrates a libSQL database to the current schema, in one transaction. It changes nothing if the database has this
 * schema, and never changes your own tables.
 *
 * It rejects, and changes nothing, if the database was made by a newer im-admin.
 */
export async function migrateLibsql(client: LibsqlClient): Promise<void> {
  await migrate(libsqlDatabase(client));
}

function libsqlDatabase(client: LibsqlClient): SqlDatabase {
  if (typeof client?.batch !== "function") throw new TypeError("client must be a client of @libsql/client");

  /** libSQL runs a batch as one transaction. */
  const batch = (mode: "read" | "write") => async (statements: Statements) => {
    const batched = Array.from(statements, ({ text, values }) => ({ sql: text, args: [...values] }));
    if (batched.length === 0) return [];
    const results = await client.batch(batched, mode);
    return results.map(({ columns, rows }) => rows.map((row) => toRow(columns, row)));
  };
  const [read, write] = [batch("read"), batch("write")];
  return {
    read,
    write(statements, call) {
      call?.begun?.();
      return write(statements);
    },
    close: async () => {},
  };
}

/** A row with numbers, also if the client is set to return integers as bigint. */
function toRow(columns: readonly string[], row: ArrayLike<unknown>): Row {
  const value = (index: number) => (typeof row[index] === "bigint" ? Number(row[index]) : row[index]);
  return Object.fromEntries(columns.map((column, index) => [column, value(index)])) as Row;
}

import { type PostgresConnection, run } from "../database.js";
import { quoted, type Sql, sql } from "../sql.js";

/**
 * The class of operators that index trigrams; undefined where the extension pg_trgm can be neither found nor made. It is
 * to be called in a transaction.
 */
export async function trigramOperators(connection: PostgresConnection): Promise<Sql | undefined> {
  if ((await extensionSchema(connection)) === undefined) {
    await run(connection, sql`SAVEPOINT extension`);
    try {
      await run(connection, sql`CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public`);
      await run(connection, sql`RELEASE SAVEPOINT extension`);
    } catch {
      // It is not installed, or we may not make it: searches go by grams instead.
      await run(connection, sql`ROLLBACK TO SAVEPOINT extension`);
    }
  }
  const schema = await extensionSchema(connection);
  return schema === undefined ? undefined : sql`${quoted(schema)}.gin_trgm_ops`;
}

async function extensionSchema(connection: PostgresConnection): Promise<string | undefined> {
  const [row] = await run(
    connection,
    sql`SELECT nspname::text AS schema FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace
      WHERE extname = 'pg_trgm'`,
  );
  return row === undefined ? undefined : String(row["schema"]);
}

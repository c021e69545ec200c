import { type PostgresConnection, type PostgresPool, retried, run, transaction, useSchema } from "../database.js";
import { settle } from "../nodes/settle.js";
import { defaultSizes, type Sizes } from "../nodes/tables.js";
import { trigramOperators } from "../search/trigrams.js";
import { name, type Sql, sql } from "../sql.js";
import { rebuildLists } from "../upkeep/repair.js";
import { schemaOf } from "./schema.js";

/** The version that {@link schemaOf} makes. */
export const schemaVersion = 1;

/** Brings a schema to the current version, in one transaction; one migration at a time. */
export async function migrate(pool: PostgresPool, schema: Sql, sizes: Sizes = defaultSizes): Promise<void> {
  const attempt = async (connection: PostgresConnection) => {
    await requireServer(connection);
    await run(connection, sql`SELECT pg_advisory_xact_lock(hashtext('im-admin migration'))`);
    // Whoever may not make anything may still find that all is made.
    const [found] = await run(
      connection,
      sql`
        SELECT to_regnamespace(${schema.text})::text AS schema,
          to_regclass(${`${schema.text}.schema_version`})::text AS version`,
    );
    if (found?.["schema"] === null) await run(connection, sql`CREATE SCHEMA ${schema}`);
    // Functions keep this path, on which nobody else can place anything before ours.
    await useSchema(connection, schema);
    if (found?.["version"] === null) {
      await run(connection, sql`CREATE TABLE schema_version (version integer NOT NULL, home text NOT NULL)`);
    }
    const [row] = await run(connection, sql`SELECT version::text, home FROM schema_version`);
    const home = await homeOf(connection);
    const version = Number(row?.["version"] ?? 0);
    if (version > schemaVersion) throw new Error(newerSchema(schema, version));
    if (version === schemaVersion) {
      // What is counted names transactions of the server that it has been restored from.
      if (row?.["home"] === home && !(await isFromLater(connection))) return;
      await rebuildLists(connection);
      await run(connection, sql`UPDATE schema_version SET home = ${home}`);
      return;
    }
    const trigrams = await trigramOperators(connection);
    for (const statement of schemaOf(sizes, trigrams)) await run(connection, statement);
    await run(connection, sql`INSERT INTO schema_version (version, home) VALUES (${schemaVersion}, ${home})`);
  };
  await retried(() => transaction(pool, attempt));
  await settle(pool, schema);
}

/** The oldest version of PostgreSQL that the tests run on. */
const oldestServer = 15;

async function requireServer(connection: PostgresConnection): Promise<void> {
  const [row] = await run(
    connection,
    sql`
      SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS version,
        current_setting('server_encoding') AS encoding`,
  );
  const { number, version, encoding } = row ?? {};
  if (Number(number) < oldestServer * 10_000) {
    throw new Error(`the server is PostgreSQL ${version}: im-admin needs version ${oldestServer} or newer`);
  }
  if (encoding !== "UTF8") {
    throw new Error(
      `the database has the encoding ${encoding}: make one for im-admin with CREATE DATABASE ... TEMPLATE template0 ENCODING 'UTF8'`,
    );
  }
}

/** Which database of which server this is: a copy made by pg_dump has another one. */
async function homeOf(connection: PostgresConnection): Promise<string> {
  const [row] = await run(
    connection,
    sql`
      SELECT system_identifier || ' ' || oid AS home FROM pg_control_system(), pg_database
        WHERE datname = current_database()`,
  );
  return String(row?.["home"]);
}

/** Whether lists were counted by transactions that are still to come: a dump may be restored into an earlier copy of its server. */
async function isFromLater(connection: PostgresConnection): Promise<boolean> {
  const later = (table: string, column: string) =>
    sql`EXISTS (SELECT FROM ${name(table)} WHERE ${name(column)} >= pg_snapshot_xmax(pg_current_snapshot()))`;
  const [row] = await run(
    connection,
    sql`SELECT (${later("list_totals", "version")} OR ${later("list_changes", "transaction")})::text AS later`,
  );
  return row?.["later"] === "true";
}

function newerSchema({ text }: Sql, version: number): string {
  return `the schema ${text} has version ${version}, and this im-admin knows version ${schemaVersion}: install a newer im-admin`;
}

import { type PostgresConnection, type PostgresPool, type Queryable, run } from "../database.js";
import { locking, lockTables } from "../map/hostLocks.js";
import { installedSql } from "../map/installedMap.js";
import { distributedTables, undistribute } from "../schema/citus.js";
import { raw, type Sql, sql } from "../sql.js";
import { migration, migrationWithin, schemaVersion, versions } from "./migration.js";

/** Migrates a schema to the current version, in one transaction. */
export async function migrate(pool: PostgresPool, schema: Sql, texts = versions): Promise<void> {
  await locking(pool, (connection) => migrateWithin(connection, schema, texts));
}

/**
 * Migrates a schema in a transaction of the caller's, and returns whether it had no tables. Only one migration runs at a
 * time.
 */
export async function migrateWithin(connection: PostgresConnection, schema: Sql, texts = versions): Promise<boolean> {
  await requireServer(connection);
  const distributed = await distributedTables(connection, schema);
  if (distributed !== undefined) throw new Error(`${distributed}: ${undistribute}`);
  await run(connection, sql`SELECT pg_advisory_xact_lock(hashtext('im-admin migration'))`);
  const { hasSchema, version, isRestored } = await versionOf(connection, schema, texts.length);
  if (version === undefined) {
    await run(connection, hasSchema ? migrationWithin(schema, texts) : migration(schema, 0, texts));
  } else if (version < texts.length) {
    await upgrade(connection, schema, migration(schema, version, texts));
  } else if (isRestored) {
    await run(connection, sql`DELETE FROM ${schema}.schema_version`);
    await run(connection, sql`INSERT INTO ${schema}.schema_version VALUES (${version})`);
    await run(connection, sql`SELECT ${schema}.rebuild_lists()`);
  }
  return version === undefined;
}

/**
 * Migrates a schema from an earlier version. It uses the installed map to make the views and functions over a host's
 * tables again.
 */
async function upgrade(connection: PostgresConnection, schema: Sql, steps: Sql): Promise<void> {
  const installed = await installedSql(connection, schema);
  const { remove = [], install = [] } = installed ?? {};
  await lockTables(connection, schema);
  for (const statement of [...remove, steps.text, ...install]) {
    await run(connection, raw(statement));
  }
  if (installed !== undefined) await run(connection, sql`SELECT ${schema}.rebuild_lists()`);
}

/** Why a schema needs a migration; undefined if it needs none. */
export async function whyMigrate(queryable: Queryable, schema: Sql): Promise<string | undefined> {
  const distributed = await distributedTables(queryable, schema);
  if (distributed !== undefined) throw new Error(`${distributed}: ${undistribute}`);
  const { version, isRestored } = await versionOf(queryable, schema);
  if (version === undefined) return `the schema ${schema.text} has no tables of im-admin`;
  if (version < schemaVersion) return `the schema ${schema.text} has version ${version} of ${schemaVersion}`;
  return isRestored ? `the schema ${schema.text} was filled from a dump of data, and counts its rows twice` : undefined;
}

/** The versions that a schema has. If data was restored into a migrated schema, there is a second one. */
async function versionOf(queryable: Queryable, schema: Sql, current = schemaVersion) {
  const [found] = await run(
    queryable,
    sql`
      SELECT to_regnamespace(${schema.text})::text AS schema,
        to_regclass(${`${schema.text}.schema_version`})::text AS version`,
  );
  if (found?.["version"] === null) return { hasSchema: found?.["schema"] !== null, isRestored: false };
  const rows = await run(queryable, sql`SELECT version::text FROM ${schema}.schema_version`);
  const version = Math.max(0, ...rows.map((row) => Number(row["version"])));
  if (version > current) throw new Error(newerSchema(schema, version, current));
  return { hasSchema: true, version, isRestored: rows.length !== 1 };
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

function newerSchema({ text }: Sql, version: number, current: number): string {
  return `the schema ${text} has version ${version}, and this im-admin knows version ${current}: install a newer im-admin`;
}

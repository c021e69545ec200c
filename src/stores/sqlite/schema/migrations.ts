import type { Row, SqlDatabase } from "../database.js";
import { defaultSizes } from "../nodes/tables.js";
import { literal, type Sql, sql } from "../sql.js";
import { schemaOf } from "./schema.js";

/**
 * The statements that lead from each version of the schema to the next: the first entry makes version 1 of an empty
 * database. An entry never changes once it is released.
 */
export const migrations: readonly (readonly Sql[])[] = [schemaOf(defaultSizes).map((object) => object.sql)];

/** The version of the schema that this code reads and writes. */
export const schemaVersion = migrations.length;

/** Where the version of the schema is noted; a database without it has none of our tables. */
export const versionTable = sql`CREATE TABLE IF NOT EXISTS schemaVersion (version INTEGER NOT NULL) STRICT`;

const hasVersion = "SELECT 1 FROM sqlite_schema WHERE name = 'schemaVersion'";
const maxVersion = "SELECT max(version) AS version FROM schemaVersion";

/** The migrations that a database still needs, which answers at once. */
export function pendingFrom(all: (text: string) => Row[]): Sql[] {
  return migrationsFrom(all(hasVersion).length === 0 ? 0 : versionOf(all(maxVersion)));
}

/**
 * Brings a database to the current schema, in one transaction; one that has it is left alone.
 *
 * Rejects where the database was made by a newer im-admin.
 */
export async function migrate({ read, write }: Pick<SqlDatabase, "read" | "write">): Promise<void> {
  const all = async (text: string) => (await read([{ text, values: [] }]))[0] ?? [];
  const storedVersion = async () => ((await all(hasVersion)).length === 0 ? 0 : versionOf(await all(maxVersion)));
  const migrations = migrationsFrom(await storedVersion());
  if (migrations.length === 0) return;
  try {
    await write([versionTable, ...migrations]);
  } catch (error) {
    // Another process may have been faster; the transaction of the slower one has left nothing behind.
    if ((await storedVersion()) !== schemaVersion) throw error;
  }
}

function versionOf(rows: readonly Row[]): number {
  return Number(rows[0]?.["version"] ?? 0);
}

/** The migrations that a database of a version still needs. */
function migrationsFrom(version: number): Sql[] {
  if (version > schemaVersion) {
    throw new Error(
      `its schema has version ${version}, and this im-admin knows versions up to ${schemaVersion}: use the newer im-admin that made it`,
    );
  }
  if (version === schemaVersion) return [];
  return [
    ...migrations.slice(version).flat(),
    sql`DELETE FROM schemaVersion`,
    sql`INSERT INTO schemaVersion (version) VALUES (${literal(schemaVersion)})`,
  ];
}

import type { Row, SqlDatabase } from "../database.js";
import { literal, ourName, raw, type Sql, sql } from "../sql.js";
import { migrationTexts } from "./migration.js";
import { hasVersionTable, type StoredObject, selectStored, storedOf } from "./storedSchema.js";
import { versionTable } from "./versionTable.js";

/** The statements that lead to each version after a given one; an empty line is between two. */
export function migrationsAfter(version: number): Sql[][] {
  return migrationTexts.slice(version).map((text) => text.trim().replace(/;$/, "").split(";\n\n").map(raw));
}

/** The version of the schema that this code reads and writes. */
export const schemaVersion = migrationTexts.length;

const maxVersion = "SELECT max(version) AS version FROM im_admin_schema_version";

/**
 * The statements that a database still needs, from an engine that answers at once.
 *
 * @throws Error where the database was made by a newer im-admin
 */
export function pendingFrom(all: (text: string) => Row[]): Sql[] {
  const stored = storedOf(all(selectStored.text));
  return pendingOf(stored, hasVersionTable(stored) ? versionOf(all(maxVersion)) : 0);
}

/**
 * Brings a database to the current schema, in one transaction; one that has it is left alone. Tables of a host are left
 * alone, too.
 *
 * Rejects where the database was made by a newer im-admin; nothing is changed then.
 */
export async function migrate({ read, write }: Pick<SqlDatabase, "read" | "write">): Promise<void> {
  const all = async (text: string) => (await read([{ text, values: [] }]))[0] ?? [];
  const storedVersion = async (stored: readonly StoredObject[]) =>
    hasVersionTable(stored) ? versionOf(await all(maxVersion)) : 0;
  const storedNow = async () => storedOf(await all(selectStored.text));
  const stored = await storedNow();
  const pending = pendingOf(stored, await storedVersion(stored));
  if (pending.length === 0) return;
  try {
    await write(pending);
  } catch (error) {
    // Another process may have been faster; the transaction of the slower one has left nothing behind.
    if ((await storedVersion(await storedNow())) !== schemaVersion) throw error;
  }
}

function versionOf(rows: readonly Row[]): number {
  return Number(rows[0]?.["version"] ?? 0);
}

/** Requires that a database without a version has nothing that im-admin makes. */
function requireNothingOfOurs(stored: readonly StoredObject[]): void {
  const made = stored.find(({ name }) => name.startsWith(ourName("")));
  if (made === undefined) return;
  throw new Error(
    `it has the ${made.type} ${made.name} of im-admin, but ${ourName("schemaVersion")} does not say which version it has: im-admin check --repair mends a file, anything else needs a backup`,
  );
}

/** The statements that a database of a version still needs. */
function pendingOf(stored: readonly StoredObject[], version: number): Sql[] {
  if (version > schemaVersion) {
    throw new Error(
      `its schema has version ${version}, and this im-admin knows versions up to ${schemaVersion}: use the newer im-admin that made it`,
    );
  }
  if (version === schemaVersion) return [];
  if (version === 0) requireNothingOfOurs(stored);
  return [
    versionTable,
    ...migrationsAfter(version).flat(),
    sql`DELETE FROM im_admin_schema_version`,
    sql`INSERT INTO im_admin_schema_version (version) VALUES (${literal(schemaVersion)})`,
  ];
}

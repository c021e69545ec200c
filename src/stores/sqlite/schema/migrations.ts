import type { Row, SqlDatabase } from "../database.js";
import { ourName, raw, type Sql } from "../sql.js";
import { migrationTexts } from "./migration.js";
import { hasVersionTable, type StoredObject, selectStored, storedOf } from "./storedSchema.js";

/** The statements that lead to each version after a given one; an empty line is between two. Each file notes its version. */
function migrationsAfter(version: number): Sql[][] {
  return migrationTexts.slice(version).map((text) => text.trim().replace(/;$/, "").split(";\n\n").map(raw));
}

/** The version of the schema that this code reads and writes. */
export const schemaVersion = migrationTexts.length;

/** Gives the statements that bring a database to the current version whose records are mapped. */
export type MigrateMapped = (map: string, stored: readonly StoredObject[]) => Sql[];

const maxVersion = "SELECT max(version) AS version FROM im_admin_schema_version";

/**
 * The statements that a database still needs, from an engine that answers at once.
 *
 * @throws Error where the database was made by a newer im-admin, or its records are mapped and nothing migrates that
 */
export function pendingFrom(all: (text: string) => Row[], migrateMapped?: MigrateMapped): Sql[] {
  const stored = storedOf(all(selectStored.text));
  const version = hasVersionTable(stored) ? versionOf(all(maxVersion)) : 0;
  const pending = pendingOf(stored, version);
  const map = pending.length > 0 && version > 0 ? mapIn(all(selectMap)) : undefined;
  return map === undefined ? pending : (migrateMapped ?? refuseMapped)(map, stored);
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
  const version = await storedVersion(stored);
  const pending = pendingOf(stored, version);
  if (pending.length === 0) return;
  const map = version > 0 ? mapIn(await all(selectMap)) : undefined;
  if (map !== undefined) refuseMapped(map);
  try {
    await write(pending);
  } catch (error) {
    // Another process may have been faster; the transaction of the slower one has left nothing behind.
    if ((await storedVersion(await storedNow())) !== schemaVersion) throw error;
  }
}

const selectMap = "SELECT map FROM im_admin_table_map";

function mapIn([row]: readonly Row[]): string | undefined {
  return row && String(row["map"]);
}

/** What the lists read of a host's tables has to be made of the map, which a Worker does not carry the code for. */
function refuseMapped(_map: string): never {
  throw new Error(
    `its records are mapped to tables of your own, and it has not schema version ${schemaVersion} yet: run the "remove" statements of the im-admin that has mapped them, migrate, and run the "install" statements of this one`,
  );
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
  return migrationsAfter(version).flat();
}

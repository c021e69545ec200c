import { version1 } from "./migrations/version1.js";
import { version2 } from "./migrations/version2.js";

/**
 * The statements that lead from each version of the schema to the next: the first entry makes version 1 of an empty
 * database. An entry never changes once it is released.
 */
export const migrations: readonly (readonly string[])[] = [version1, version2];

/** The version of the schema that this code reads and writes. */
export const schemaVersion = migrations.length;

/** Where the version of the schema is noted; a database without it has none of our tables. */
export const versionTable = "CREATE TABLE IF NOT EXISTS schemaVersion (version INTEGER NOT NULL) STRICT";

/** The migrations that a database of a version still needs. */
export function migrationsFrom(version: number): string[] {
  if (version > schemaVersion) {
    throw new Error(
      `its schema has version ${version}, and this im-admin knows versions up to ${schemaVersion}: use the newer im-admin that made it`,
    );
  }
  if (version === schemaVersion) return [];
  return [
    ...migrations.slice(version).flat(),
    "DELETE FROM schemaVersion",
    `INSERT INTO schemaVersion (version) VALUES (${schemaVersion})`,
  ];
}

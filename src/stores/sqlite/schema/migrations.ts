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

/** The migrations that a database of a version still needs. */
export function migrationsFrom(version: number): Sql[] {
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

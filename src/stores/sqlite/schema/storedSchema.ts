/** What is defined in a database, to be compared with what im-admin makes. */
import type { Row, SqlDatabase } from "../database.js";
import { name, ourName, raw, type Sql, sql } from "../sql.js";
import type { SchemaObject } from "./schemaObject.js";

/** "imAd" in ASCII: the application_id in the header of a file, which marks it as im-admin's. */
export const applicationID = 0x69_6d_41_64;

/** A row of `sqlite_schema`. */
export interface StoredObject {
  type: string;
  name: string;
  /** The table that it stands on, or its own name. */
  table: string;
  /** Its statement; "" where SQLite has made it. */
  text: string;
  /** Whether it has pages in the file: triggers, views and virtual tables have none. */
  hasPages: boolean;
}

/** Selects all that is defined, for {@link storedOf}. */
export const selectStored = sql`SELECT type, name, tbl_name, sql, rootpage FROM sqlite_schema`;

/** Reads all that is defined. */
export async function readStored(database: SqlDatabase): Promise<StoredObject[]> {
  const [rows = []] = await database.read([selectStored]);
  return storedOf(rows);
}

export function storedOf(rows: readonly Row[]): StoredObject[] {
  return rows.map(({ type, name, tbl_name, sql, rootpage }) => ({
    type: String(type),
    name: String(name),
    table: String(tbl_name),
    text: String(sql ?? ""),
    hasPages: Number(rootpage) > 0,
  }));
}

/** The stored object of a name. Tables, views and indexes share their names, and triggers have names of their own. */
export function storedAs(stored: readonly StoredObject[], { type, name }: Pick<SchemaObject, "type" | "name">) {
  return stored.find((other) => isSame(other.name, name) && (other.type === "trigger") === (type === "trigger"));
}

/** Whether two names are the same to SQLite. */
export function isSame(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}

/** The table that notes the version. */
export const versionObject: SchemaObject = {
  type: "table",
  name: ourName("schemaVersion"),
  sql: sql`CREATE TABLE im_admin_schema_version (version INTEGER NOT NULL)`,
};

/** Whether im-admin has made tables there. */
export function hasVersionTable(stored: readonly StoredObject[]): boolean {
  return storedAs(stored, versionObject) !== undefined;
}

export const unreleased = "an im-admin from before the first release has made it";

/** Before the first release, version 1 had full-text indexes, with a table named documents, in place of words. */
export function isUnreleased(stored: readonly StoredObject[]): boolean {
  const has = (camelCase: string) => stored.some(({ name }) => name === ourName(camelCase));
  return has("documents") && !has("listWords");
}

const dropped = ["trigger", "view", "index", "table"];

/**
 * Drops objects by their present types. A table takes its indexes and triggers with it.
 */
export function drops(stored: readonly StoredObject[], ours: readonly Pick<SchemaObject, "type" | "name">[]): Sql[] {
  return ours
    .flatMap((object) => storedAs(stored, object) ?? [])
    .sort((left, right) => dropped.indexOf(left.type) - dropped.indexOf(right.type))
    .map((object) => sql`DROP ${raw(object.type.toUpperCase())} IF EXISTS ${name(object.name)}`);
}

/** Builds all kept data of a database again, in one transaction. */
import { type RecordName, recordNames } from "../../../records.js";
import { noteSources } from "../../../tables/sqlite/install.js";
import { installedSources } from "../../../tables/sqlite/installed.js";
import { type OnStep, told } from "../../steps.js";
import type { SqlDatabase } from "../database.js";
import { isBroken } from "../failures.js";
import { readingFrom } from "../mapped.js";
import { schemaVersion } from "../schema/migrations.js";
import { recordIn } from "../schema/recordTables.js";
import { keptParts, noteTables, noting, type Sources, schemaOf, selectsOf } from "../schema/schema.js";
import type { SchemaObject } from "../schema/schemaObject.js";
import type { Sizes } from "../schema/sizes.js";
import { drops, readStored, type StoredObject, storedAs, versionObject } from "../schema/storedSchema.js";
import { join, literal, name, our, raw, type Sql, sql } from "../sql.js";
import { build } from "./bulk.js";
import { columnsOfTable, renamedColumn } from "./checkSchema.js";

/**
 * Drops every object of ours except the tables of records, also changed ones, and makes it again from the rows. If a
 * column of a table of records was renamed, it gets its name back.
 *
 * @throws Error if rows cannot be read, or have the same key
 */
export async function repairLists(opened: SqlDatabase, sizes: Sizes, onStep: OnStep = () => {}): Promise<void> {
  const database = opened.direct ?? opened;
  try {
    await renew(database, sizes, onStep);
  } catch (error) {
    if (!isBroken(error)) throw error;
    // Otherwise SQLite reads nothing from a schema with a definition that it does not understand.
    await database.read([sql`PRAGMA writable_schema = ON`]);
    await renew(database, sizes, onStep, forget);
  }
}

async function renew(
  database: SqlDatabase,
  sizes: Sizes,
  onStep: OnStep,
  before: (ours: readonly SchemaObject[]) => Sql[] = () => [],
): Promise<void> {
  const sources = await installedSources(database);
  const columns = new Map<RecordName, readonly string[]>();
  for (const table of recordNames) columns.set(table, await columnsOfTable(database, table));
  const stored = await readStored(database);
  const steps = [...before(madeAgain(sources)), ...renewal(sizes, sources, stored, columns)];
  await database.write(told(steps, onStep));
}

/** What a repair makes again: everything but the tables of records and of notes. */
function madeAgain(sources: Sources): SchemaObject[] {
  const isMade = (object: SchemaObject) => recordIn(object) === undefined && !noteTables.includes(object);
  return [versionObject, ...schemaOf(sources).filter(isMade)];
}

/** The statements that make everything again from the records. */
export function renewal(
  sizes: Sizes,
  sources: Sources,
  stored: readonly StoredObject[],
  columns: ReadonlyMap<RecordName, readonly string[]>,
): Sql[] {
  const own = recordNames.filter((record) => !sources.has(record));
  const read = readingFrom(selectsOf(sources));
  return [
    ...drops(stored, madeAgain(sources)),
    ...own.flatMap((table) => mended(table, columns.get(table) ?? [])),
    ...own.map((table) => sql`REINDEX ${our(table)}`),
    versionObject.sql,
    sql`INSERT INTO im_admin_schema_version (version) VALUES (${literal(schemaVersion)})`,
    ...noteTables.filter((table) => !storedAs(stored, table)).map((table) => table.sql),
    ...keptParts.map((part) => part.sql),
    ...noteSources(sources),
    ...noting(sources).map((object) => object.sql),
    ...build(sizes, new Set(recordNames)).map(({ text }) => raw(read(text))),
  ];
}

/**
 * Deletes the definitions of objects without pages from the schema, and replaces those of tables and indexes with ones
 * that SQLite understands.
 */
function forget(ours: readonly SchemaObject[]): Sql[] {
  const names = ours.map((object) => object.name);
  const tables = ours.filter(({ type }) => type === "table");
  const understood = sql`SELECT name FROM pragma_table_list WHERE schema = 'main'`;
  const isNamed = sql`name IN (${join(names.map(literal))})`;
  return [
    ...tables.map(
      (table) => sql`
        UPDATE sqlite_schema SET sql = ${literal(table.sql.text)}
          WHERE type = 'table' AND name = ${literal(table.name)} AND rootpage > 0 AND name NOT IN (${understood})`,
    ),
    // A definition that DROP accepts, whatever the names of the table's columns are.
    sql`
      UPDATE sqlite_schema SET sql = 'CREATE INDEX ' || name || ' ON ' || tbl_name || ' (1)'
        WHERE type = 'index' AND ${isNamed} AND rootpage > 0`,
    sql`DELETE FROM sqlite_schema WHERE ${isNamed} AND coalesce(rootpage, 0) = 0`,
    sql`PRAGMA writable_schema = RESET`,
  ];
}

/** Gives a renamed column of a table of records its name back. */
function mended(table: RecordName, columns: readonly string[]): Sql[] {
  const { column, called } = renamedColumn(columns, table) ?? {};
  if (column === undefined || called === undefined) return [];
  const quoted = raw(`"${called.replaceAll('"', '""')}"`);
  return [sql`ALTER TABLE ${our(table)} RENAME COLUMN ${quoted} TO ${name(column)}`];
}

/**
 * The tables of the records, which docs/sqlite-and-d1.md describes. Users may write them with their own SQL. The tables
 * make the checks of `put` that an order, a total or a search depends on.
 *
 * There are no foreign keys: members, requests and entries may refer to a user or a group that does not exist.
 */
import type { Kind } from "../../../recordKinds.js";
import { forEachKind, type RecordName, recordFields, recordKeys, recordNames } from "../../../records.js";
import { lists } from "../../lists/index.js";
import { placingFields } from "../../lists/placing.js";
import { join, name, names, our, ourName, raw, type Sql, sql } from "../sql.js";
import { columnType } from "./recordColumns.js";
import type { SchemaObject } from "./schemaObject.js";

/**
 * The tables whose rows are listed have no rowid: a REPLACE by a rowid would delete rows of other keys without a
 * trigger. Groups and conversations are not listed and may have long texts, which are faster in a table with a rowid.
 */
const withoutRowID = new Set<RecordName>(lists.map(({ table }) => table));

/** The definition of a column, and the condition in it. */
interface RecordColumn {
  definition: Sql;
  condition: Sql;
}

/** The columns of a table of records. */
export function recordColumns(table: RecordName): RecordColumn[] {
  const placing = new Set(placingFields[table].map(([field]) => field));
  return recordFields[table].map(([field, kind]) => column(field, kind, placing.has(field)));
}

/** The definitions of a table of records: its columns, and its key. */
export function definitionsOf(table: RecordName): Sql[] {
  return [...recordColumns(table).map(({ definition }) => definition), sql`PRIMARY KEY (${names(recordKeys[table])})`];
}

/** The tables of all records, by their names. */
export const recordTables: Record<RecordName, SchemaObject> = forEachKind((table) => ({
  type: "table",
  name: ourName(table),
  sql: sql`
    CREATE TABLE ${our(table)} (
      ${join(definitionsOf(table), ",\n")}
    )${raw(withoutRowID.has(table) ? " WITHOUT ROWID" : "")}`,
}));

/** The kind of records that a table of ours holds. They are nowhere else, so a repair cannot make the table again. */
export function recordIn({ type, name }: Pick<SchemaObject, "type" | "name">): RecordName | undefined {
  return type === "table" ? recordNames.find((record) => ourName(record) === name) : undefined;
}

/**
 * A column with its checks. SQLite converts what can be converted into the column's type, and the checks refuse the
 * rest. A STRICT table would do so too, but a file with one cannot be opened by SQLite before 3.37.
 */
function column(field: string, kind: Kind, isPlacing: boolean): RecordColumn {
  const condition = conditionOf(field, kind, isPlacing);
  const type = columnType(kind);
  const otherwise = { key: "", text: " DEFAULT ''" }[kind.name as string] ?? " DEFAULT 0";
  const definition = sql`${name(field)} ${raw(type)} NOT NULL${raw(otherwise)} CHECK (${condition})`;
  return { definition, condition };
}

/** In the key of a row, which is a text, an integer has a fixed number of digits. */
function conditionOf(field: string, kind: Kind, isPlacing: boolean): Sql {
  const named = name(field);
  const isWholeText = sql`typeof(${named}) = 'text' AND instr(${named}, char(0)) = 0`;
  const isInteger = sql`typeof(${named}) = 'integer'`;
  switch (kind.name) {
    case "key":
      return sql`${named} <> '' AND ${isWholeText}`;
    case "text":
      return isWholeText;
    case "integer":
      return isPlacing ? sql`${isInteger} AND ${named} BETWEEN -2147483648 AND 2147483647` : isInteger;
    case "count":
      return isInteger;
    case "level":
      return sql`${isInteger} AND ${named} BETWEEN 0 AND 999`;
    case "time":
      return sql`${isInteger} AND ${named} BETWEEN 0 AND 9999999999999999`;
    case "flag":
      return sql`${named} IN (0, 1)`;
  }
}

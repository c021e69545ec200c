/**
 * The tables of the records, which docs/sqlite-and-d1.md describes. Users may write them with their own SQL. The tables
 * make the checks of `put` that an order, a total or a search depends on.
 *
 * There are no foreign keys: members, requests and entries may refer to a user or a group that does not exist.
 */
import type { Kind } from "../../../recordKinds.js";
import { forEachKind, type RecordName, recordFields, recordKeys, recordNames } from "../../../records.js";
import { lists } from "../../lists/index.js";
import { join, name, names, our, ourName, raw, type Sql, sql } from "../sql.js";
import type { SchemaObject } from "./schemaObject.js";

/**
 * The tables whose rows are listed have no rowid: a REPLACE by a rowid would delete rows of other keys without a
 * trigger. Groups and conversations are not listed and may have long texts, which are faster in a table with a rowid.
 */
const withoutRowID = new Set<RecordName>(["users", "groupMembers", "blacks", "groupRequests"]);

/** Numbers that lists sort by. A list sorts by text, in which an integer has a fixed number of digits. */
const sortedFields = new Set<string>(lists.flatMap(({ order }) => order.map(({ field }) => field)));

/** The tables of all records, by their names. */
export const recordTables: Record<RecordName, SchemaObject> = forEachKind((table) => ({
  type: "table",
  name: ourName(table),
  sql: sql`
    CREATE TABLE ${our(table)} (
      ${join([...definitionsOf(table)], ",\n")}
    )${raw(withoutRowID.has(table) ? " WITHOUT ROWID" : "")}`,
}));

/** Whether it is a table of records. */
export function isRecordTable(table: string): boolean {
  return recordNames.some((record) => ourName(record) === table);
}

/** Whether it holds data that is nowhere else, so that a repair cannot make it again. */
export function holdsRecords({ type, name }: Pick<SchemaObject, "type" | "name">): boolean {
  return type === "table" && isRecordTable(name);
}

function* definitionsOf(table: RecordName): Generator<Sql> {
  for (const [field, kind] of recordFields[table]) yield column(field, kind);
  yield sql`PRIMARY KEY (${names(recordKeys[table])})`;
}

/**
 * A column with its checks. SQLite converts what can be converted into the column's type, and the checks refuse the
 * rest. A STRICT table would do so too, but a file with one cannot be opened by SQLite before 3.37.
 */
function column(field: string, kind: Kind): Sql {
  const named = name(field);
  const isWholeText = sql`typeof(${named}) = 'text' AND instr(${named}, char(0)) = 0`;
  const isInteger = sql`typeof(${named}) = 'integer'`;
  const number = (condition: Sql) => sql`${named} INTEGER NOT NULL DEFAULT 0 CHECK (${condition})`;
  switch (kind.name) {
    case "key":
      return sql`${named} TEXT NOT NULL CHECK (${named} <> '' AND ${isWholeText})`;
    case "text":
      return sql`${named} TEXT NOT NULL DEFAULT '' CHECK (${isWholeText})`;
    case "integer":
      return number(
        sortedFields.has(field) ? sql`${isInteger} AND ${named} BETWEEN -2147483648 AND 2147483647` : isInteger,
      );
    case "count":
      return number(isInteger);
    case "level":
      return number(sql`${isInteger} AND ${named} BETWEEN 0 AND 999`);
    case "time":
      return number(sql`${isInteger} AND ${named} BETWEEN 0 AND 9999999999999999`);
    case "flag":
      return number(sql`${named} IN (0, 1)`);
  }
}

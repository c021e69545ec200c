/**
 * The tables of the records. They are documented in the README: whoever writes them with own SQL finds the same checks
 * here that `put` makes, as far as an order, a total or a search depends on them.
 *
 * There are no foreign keys: members, requests and entries may name a user or a group that is not there.
 */
import type { Kind } from "../../../recordKinds.js";
import { forEachKind, type RecordName, recordFields, recordKeys, recordNames } from "../../../records.js";
import { lists } from "../../lists/index.js";
import type { SchemaObject } from "../schema/schemaObject.js";
import { join, name, names, our, ourName, raw, type Sql, sql } from "../sql.js";

/**
 * Tables whose rows are listed. A REPLACE by a rowid would delete rows of other keys, which no trigger would notice.
 * Groups and conversations are not listed, and may have long texts, which a rowid suits better.
 */
const withoutRowID = new Set<RecordName>(["users", "groupMembers", "blacks", "groupRequests"]);

/** A list is sorted by text, in which an integer has a fixed number of digits. */
const sortedFields = new Set<string>(lists.flatMap(({ order }) => order.map(({ field }) => field)));

/** The tables of all records, by their names. */
export const recordTables: Record<RecordName, SchemaObject> = forEachKind((table) => ({
  type: "table",
  name: ourName(table),
  sql: sql`
    CREATE TABLE ${our(table)} (
      ${join([...definitionsOf(table)], ",\n")}
    ) ${raw(withoutRowID.has(table) ? "STRICT, WITHOUT ROWID" : "STRICT")}`,
}));

/** Whether a table has records of ours. */
export function isRecordTable(table: string): boolean {
  return recordNames.some((record) => ourName(record) === table);
}

/** Whether it has what is nowhere else, so that a repair cannot make it. */
export function holdsRecords({ type, name }: Pick<SchemaObject, "type" | "name">): boolean {
  return type === "table" && isRecordTable(name);
}

function* definitionsOf(table: RecordName): Generator<Sql> {
  for (const [field, kind] of recordFields[table]) yield column(field, kind);
  yield sql`PRIMARY KEY (${names(recordKeys[table])})`;
}

function column(field: string, kind: Kind): Sql {
  const named = name(field);
  switch (kind.name) {
    case "key":
      return sql`${named} TEXT NOT NULL CHECK (${named} <> '' AND ${isWhole(named)})`;
    case "text":
      return sql`${named} TEXT NOT NULL DEFAULT '' CHECK (${isWhole(named)})`;
    case "integer":
      return sortedFields.has(field)
        ? sql`${named} INTEGER NOT NULL DEFAULT 0 CHECK (${named} BETWEEN -2147483648 AND 2147483647)`
        : sql`${named} INTEGER NOT NULL DEFAULT 0`;
    case "count":
      return sql`${named} INTEGER NOT NULL DEFAULT 0`;
    case "level":
      return sql`${named} INTEGER NOT NULL DEFAULT 0 CHECK (${named} BETWEEN 0 AND 999)`;
    case "time":
      return sql`${named} INTEGER NOT NULL DEFAULT 0 CHECK (${named} BETWEEN 0 AND 9999999999999999)`;
    case "flag":
      return sql`${named} INTEGER NOT NULL DEFAULT 0 CHECK (${named} IN (0, 1))`;
  }
}

/** Searches, and other programs that read a text, stop at U+0000. */
function isWhole(column: Sql): Sql {
  return sql`instr(${column}, char(0)) = 0`;
}

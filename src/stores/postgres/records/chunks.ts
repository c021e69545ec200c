/**
 * Collects records into chunks, each for one statement. A chunk is so large that the cost of the statement itself does
 * not count.
 */
import type { CheckedValues } from "../../../checkedRecords.js";
import type { Kind } from "../../../recordKinds.js";
import { type Fields, type RecordName, recordKeys } from "../../../records.js";
import { snake } from "../names.js";
import { columnTypes } from "../schema/recordTables.js";
import { join, raw, type Sql, sql, type Value } from "../sql.js";

/** The most records of one statement: the server writes so many new members in 0.2 s. */
const mostRecords = 10_000;

/** About the most characters of texts in one statement, to save memory: a server would take a gigabyte. */
const mostCharacters = 4_000_000;

/** After so many records, other work of the process gets its turn. Checking them takes 0.1 ms. */
const recordsAtOnce = 200;

/** Records of one kind, or their keys. No two have the same key. */
export interface Chunk {
  table: RecordName;
  fields: Fields;
  size: number;
  /** A SELECT of them in the order of their keys, so that all writers lock rows in the same order. */
  rows: Sql;
}

/** @param identityOf a text that two records have in common of which the last one is taken; by default their key */
export async function* chunks(
  checked: Iterable<[RecordName, CheckedValues]>,
  fieldsOf: Record<RecordName, Fields>,
  identityOf = keyOf,
): AsyncGenerator<Chunk> {
  let table: RecordName | undefined;
  let records = new Map<string, CheckedValues>();
  let characters = 0;
  for (const [name, values] of checked) {
    if (table !== undefined && (name !== table || records.size === mostRecords || characters > mostCharacters)) {
      yield chunkOf(table, fieldsOf[table], records);
      records = new Map();
      characters = 0;
    }
    table = name;
    // A statement can write only one record of a key: the last one.
    records.set(identityOf(name, values), values);
    for (const value of values) characters += typeof value === "string" ? value.length : 0;
    if (records.size % recordsAtOnce === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  if (table !== undefined) yield chunkOf(table, fieldsOf[table], records);
}

/** The key of a record as one text. The separator occurs in no part. */
export function keyOf(name: RecordName, values: CheckedValues): string {
  return recordKeys[name].length === 1 ? String(values[0]) : `${values[0]}\x01${values[1]}`;
}

function chunkOf(table: RecordName, fields: Fields, records: ReadonlyMap<string, CheckedValues>): Chunk {
  const rows = [...records.keys()].sort().map((key) => records.get(key) ?? []);
  const columns = fields.map(([field, kind], index) => sql`${column(rows, index, kind)} AS ${snake(field)}`);
  return { table, fields, size: rows.length, rows: sql`SELECT ${join(columns)}` };
}

/**
 * A column of rows. A value that all rows share is sent once, since unpacking an array costs as much as writing short
 * rows.
 */
function column(rows: readonly CheckedValues[], index: number, { name: kind }: Kind): Sql {
  const values = rows.map((row) => row[index] as string | number | boolean);
  const [first = ""] = values;
  return values.every((value) => value === first)
    ? sql`${first}::${raw(columnTypes[kind])}`
    : sql`unnest(${arrayOf(values)}::${raw(columnTypes[kind])}[])`;
}

/**
 * An array in the server's syntax, made from JSON by replacing the brackets, if nothing in it is escaped. Making it
 * value by value takes longer.
 */
function arrayOf(values: readonly (string | number | boolean)[]): Value {
  const json = JSON.stringify(values);
  return json.includes("\\") ? values : `{${json.slice(1, -1)}}`;
}

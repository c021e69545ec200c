/** Records on their way into statements: so many at a time that a statement costs little more than its rows. */
import type { CheckedValues } from "../../../checkedRecords.js";
import type { Kind } from "../../../recordKinds.js";
import { type Fields, type RecordName, recordKeys } from "../../../records.js";
import { snake } from "../names.js";
import { join, raw, type Sql, sql, type Value } from "../sql.js";

/** How many records one statement writes at most. */
const mostRecords = 10_000;

/** How many characters of texts one statement writes, one record more or less: a server takes a gigabyte. */
const mostCharacters = 4_000_000;

/** Of how many records each has what is sent and received meanwhile go on. */
const recordsAtOnce = 200;

/** Records of one kind, or their keys: no two have the same key. */
export interface Chunk {
  table: RecordName;
  size: number;
  /** A SELECT of them, in the order of their keys: all writers lock them in the same order. */
  rows: Sql;
}

export async function* chunks(
  checked: Iterable<[RecordName, CheckedValues]>,
  fieldsOf: Record<RecordName, Fields>,
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
    // A statement takes one record of a key: the last one.
    records.set(keyOf(name, values), values);
    for (const value of values) characters += typeof value === "string" ? value.length : 0;
    if (records.size % recordsAtOnce === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  if (table !== undefined) yield chunkOf(table, fieldsOf[table], records);
}

/** The key of a record as one text. What stands between its parts is in none of them. */
function keyOf(name: RecordName, values: CheckedValues): string {
  return recordKeys[name].length === 1 ? String(values[0]) : `${values[0]}\x01${values[1]}`;
}

function chunkOf(table: RecordName, fields: Fields, records: ReadonlyMap<string, CheckedValues>): Chunk {
  const rows = [...records.keys()].sort().map((key) => records.get(key) ?? []);
  const columns = fields.map(([field, kind], index) => sql`${column(rows, index, kind)} AS ${snake(field)}`);
  return { table, size: rows.length, rows: sql`SELECT ${join(columns)}` };
}

const types: Record<Kind["name"], string> = {
  key: "text",
  text: "text",
  integer: "integer",
  count: "bigint",
  level: "integer",
  time: "bigint",
  flag: "boolean",
};

/** A column of rows. What all of them have is sent once: to take arrays apart costs as much as to write short rows. */
function column(rows: readonly CheckedValues[], index: number, { name: kind }: Kind): Sql {
  const values = rows.map((row) => row[index] as string | number | boolean);
  const [first = ""] = values;
  return values.every((value) => value === first)
    ? sql`${first}::${raw(types[kind])}`
    : sql`unnest(${arrayOf(values)}::${raw(types[kind])}[])`;
}

/** An array as the server reads it: JSON but for the brackets, where nothing is escaped. To make it one by one takes longer. */
function arrayOf(values: readonly (string | number | boolean)[]): Value {
  const json = JSON.stringify(values);
  return json.includes("\\") ? values : `{${json.slice(1, -1)}}`;
}

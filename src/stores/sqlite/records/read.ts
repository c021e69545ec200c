import type { Kind } from "../../../recordKinds.js";
import { type RecordName, recordFields, recordKeys, type StoredRecord } from "../../../records.js";
import { snakeCase } from "../../snakeCase.js";
import { type Row, rowsOf, type SqlDatabase, type Value } from "../database.js";
import { hasKey } from "../schema/keys.js";
import { columnNames } from "../schema/recordColumns.js";
import { names, our, raw, sql } from "../sql.js";

/** The records with these IDs in the first field of their key, in the order of their keys: those of users, for example. */
export async function recordsOf<Name extends RecordName>(
  database: SqlDatabase,
  table: Name,
  ids: readonly string[],
): Promise<StoredRecord<Name>[]> {
  const keys = recordKeys[table];
  const statement = sql`
    SELECT ${names(columnNames(table))}
      FROM (SELECT DISTINCT value AS id FROM json_each(${JSON.stringify(ids)})) asked CROSS JOIN ${our(table)} stored
      WHERE ${hasKey(table, "stored", keys[0], raw("asked.id"))} ORDER BY ${names(keys)}`;
  return rowsOf(await database.read([statement]), 0).map((row) => recordOf(table, row));
}

export async function countRecords(database: SqlDatabase, table: RecordName): Promise<number> {
  const [row] = rowsOf(await database.read([sql`SELECT count(*) AS count FROM ${our(table)}`]), 0);
  return Number(row?.["count"]);
}

/** Yields all records of a table in the order of their keys, in batches. */
export async function* everyRecord(
  database: SqlDatabase,
  table: RecordName,
  size: number,
): AsyncGenerator<StoredRecord<RecordName>[]> {
  const keys = recordKeys[table].map(snakeCase);
  const columns = sql`SELECT ${names(columnNames(table))} FROM ${our(table)}`;
  const inOrder = sql`ORDER BY ${names(keys)} LIMIT ?`;
  const first = sql`${columns} ${inOrder}`.text;
  const next = sql`${columns} WHERE (${names(keys)}) > (${raw(keys.map(() => "?").join())}) ${inOrder}`.text;
  let rows = rowsOf(await database.read([{ text: first, values: [size] }]), 0);
  for (let last = rows.at(-1); last !== undefined; last = rows.at(-1)) {
    yield rows.map((row) => recordOf(table, row));
    const after = last;
    rows = rowsOf(await database.read([{ text: next, values: [...keys.map((key) => after[key] ?? ""), size] }]), 0);
  }
}

/** Converts a row back into a record. SQLite keeps booleans as 0 and 1. */
function recordOf<Name extends RecordName>(table: Name, row: Row): StoredRecord<Name> {
  const fields = recordFields[table].map(([field, kind]) => [field, stored(kind, row[snakeCase(field)])]);
  return Object.fromEntries(fields) as StoredRecord<Name>;
}

/** A value of a record. Some engines may return integers as text. */
export function stored({ otherwise }: Kind, value: Value | undefined): string | number | boolean {
  if (typeof otherwise === "boolean") return Number(value) === 1;
  return typeof otherwise === "number" ? Number(value) : String(value);
}

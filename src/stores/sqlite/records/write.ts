import { type CheckedValues, checkedKeys } from "../../../checkedRecords.js";
import { forEachKind, type RecordKeySet, type RecordName, recordKeys } from "../../../records.js";
import { remembered } from "../../../remembered.js";
import type { Row, SqlDatabase, Statement } from "../database.js";
import { columnNames } from "../schema/recordColumns.js";
import type { Sizes } from "../schema/sizes.js";
import { writeSettled } from "../settle/settle.js";
import { join, literal, name, names, our, raw, type Sql, sql } from "../sql.js";

/** Writes the records of a JSON array. */
const upserts = forEachKind((table) => {
  const values = columnNames(table).map((_, index) => sql`value ->> ${literal(index)}`);
  return upsert(table, sql`SELECT ${join(values)} FROM json_each(?) WHERE true`);
});

/** Writes one record, and binds each value separately. */
const singleUpsert = remembered((table: RecordName) =>
  upsert(table, sql`VALUES (${raw(columnNames(table).fill("?").join())})`),
);

/** The statement that writes one record. */
export function upsertOne(table: RecordName, values: CheckedValues): Statement {
  return {
    text: singleUpsert(table),
    values: values.map((value) => (typeof value === "boolean" ? Number(value) : value)),
  };
}

/** Inserts rows into a table, or replaces those with the same key. */
function upsert(table: RecordName, rows: Sql): string {
  const columns = columnNames(table);
  const replaced = columns
    .slice(recordKeys[table].length)
    .map((column) => sql`${name(column)} = excluded.${name(column)}`);
  return sql`
    INSERT INTO ${our(table)} (${names(columns)})
      ${rows}
      ON CONFLICT (${names(recordKeys[table])}) DO UPDATE SET ${join(replaced)}`.text;
}

/** Deletes the records with the keys of a JSON array. */
const deletions = forEachKind((table) => {
  const keys = recordKeys[table];
  const values = keys.map((_, index) => sql`value ->> ${literal(index)}`);
  return sql`
    DELETE FROM ${our(table)} WHERE (${names(keys)}) IN (
      SELECT ${join(values)} FROM json_each(?))`.text;
});

/** Checked records, one by one. */
export type CheckedRecords = Generator<[RecordName, CheckedValues], void, void>;

/** Yields the statements that write records. */
export type PutStatements = (checked: CheckedRecords) => Generator<Statement, void, Row[] | undefined>;

/** Writes records, whose keys the triggers note. */
export const putOneByOne: PutStatements = function* (checked) {
  for (const rows of chunks(checked)) yield* upsertStatements(rows);
};

/** Writes records in the way that is best for the engine. */
export async function put(
  database: SqlDatabase,
  sizes: Sizes,
  checked: Generator<[RecordName, CheckedValues]>,
  putStatements: PutStatements,
): Promise<void> {
  const written = new Set<RecordName>();
  await unlessMapped(writeSettled(database, sizes, written, writing()));

  function* noted(): CheckedRecords {
    for (const record of checked) {
      written.add(record[0]);
      yield record;
    }
  }

  function* writing(): Generator<Statement, void, Row[] | undefined> {
    try {
      yield* putStatements(noted());
    } finally {
      checked.return(undefined);
    }
  }
}

export async function remove(database: SqlDatabase, sizes: Sizes, keys: RecordKeySet): Promise<void> {
  const written = new Set(Object.keys(keys ?? {}) as RecordName[]);
  await unlessMapped(writeSettled(database, sizes, written, deleteStatements(checkedKeys(keys))));
}

/** Explains the failure for mapped records, which have no table of ours: only the host can write them. */
export async function unlessMapped(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!/no such table: (main\.)?im_admin_\w+$/.test(String(error))) throw error;
    throw new Error("mapped records are in tables of your own, which you write by your own SQL", { cause: error });
  }
}

/** Deletes the records with these keys. */
export function* deleteStatements(keys: CheckedRecords): Generator<Statement, void, Row[] | undefined> {
  for (const rows of chunks(keys)) {
    for (const [table, ofKind] of rows) yield* statement(deletions, table, ofKind);
  }
}

/** Records as arrays in JSON, by kind. */
export type Rows = Map<RecordName, string[]>;

/** Characters of JSON in one chunk: far below D1's limit of 2 MB for a value, whatever the characters. */
export const maxLength = 250_000;

/** Collects records into chunks for a few long statements, since engines limit the number of statements and of `?`. */
export function* chunks(records: CheckedRecords): Generator<Rows, void, void> {
  let rows: Rows = new Map();
  let length = 0;
  for (let next = records.next(); !next.done; next = records.next()) {
    const [table, values] = next.value;
    const row = JSON.stringify(values);
    const ofKind = rows.get(table);
    if (ofKind === undefined) rows.set(table, [row]);
    else ofKind.push(row);
    length += row.length;
    if (length < maxLength) continue;
    yield rows;
    rows = new Map();
    length = 0;
  }
  yield rows;
}

/** The statements for a chunk. Its last record may be too long for JSON with other records. */
export function upsertStatements(rows: Rows): Statement[] {
  return Array.from(rows, ([table, ofKind]) => {
    const last = ofKind.at(-1) ?? "";
    if (last.length < maxLength) return statement(upserts, table, ofKind);
    return [...statement(upserts, table, ofKind.slice(0, -1)), upsertOne(table, JSON.parse(last))];
  }).flat();
}

function statement(texts: Record<RecordName, string>, table: RecordName, rows: readonly string[]): Statement[] {
  return rows.length === 0 ? [] : [{ text: texts[table], values: [`[${rows.join()}]`] }];
}

/** Whether no table holds a record. */
export async function isEmpty(database: SqlDatabase): Promise<boolean> {
  const tables = Object.values(forEachKind((table) => sql`SELECT 1 FROM ${our(table)} LIMIT 1`));
  const results = await database.read(tables);
  return results.every((rows) => rows.length === 0);
}

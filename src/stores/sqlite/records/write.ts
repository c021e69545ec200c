import {
  type CheckedValues,
  checkedKeys,
  checkedRecords,
  forEachKind,
  type RecordKeySet,
  type RecordName,
  type RecordSet,
  recordFields,
  recordKeys,
  type StoredConversation,
} from "../../../records.js";
import { type Row, rowsOf, type SqlDatabase, type Statement, type Value } from "../database.js";
import { join, literal, name, names, raw, type Sql, sql } from "../sql.js";
import type { Bulk } from "../upkeep/bulk.js";

/** Writes the records of a JSON array. */
const upserts = forEachKind((table) => {
  const values = columnsOf(table).map((_, index) => sql`value ->> ${literal(index)}`);
  return upsert(table, sql`SELECT ${join(values)} FROM json_each(?) WHERE true`);
});

/** Writes one record. */
const singleUpserts = forEachKind((table) =>
  upsert(table, sql`VALUES (${raw(columnsOf(table).fill("?").join(", "))})`),
);

function upsert(table: RecordName, rows: Sql): string {
  const keys: readonly string[] = recordKeys[table];
  const columns = columnsOf(table);
  const replaced = columns
    .filter((column) => !keys.includes(column))
    .map((column) => sql`${name(column)} = excluded.${name(column)}`);
  return sql`
    INSERT INTO ${name(table)} (${names(columns)})
      ${rows}
      ON CONFLICT (${names(keys)}) DO UPDATE SET ${join(replaced)}`.text;
}

function columnsOf(table: RecordName): string[] {
  return recordFields[table].map(([field]) => field);
}

/** Deletes the records with the keys of a JSON array. */
const deletions = forEachKind((table) => {
  const keys = recordKeys[table];
  const values = keys.map((_, index) => sql`value ->> ${literal(index)}`);
  return sql`
    DELETE FROM ${name(table)} WHERE (${names(keys)}) IN (
      SELECT ${join(values)} FROM json_each(?))`.text;
});

/** How a store writes, beside what its callers say. */
export interface WriteOptions {
  /** Writes many records at once; absent where an engine cannot. */
  bulk?: Bulk;
  /** Is told that the lists are being built, after each step. */
  onBuild?: (done: number, steps: number) => void;
}

export async function put(database: SqlDatabase, records: RecordSet, options: WriteOptions): Promise<void> {
  await database.write(putStatements(records, options));
}

/** From how many records on the lists may be built anew instead of row by row. */
const manyRecords = 5000;

/**
 * How many rows the lists are made of, or a little more; and how many triggers stand on the tables, which may be more
 * than ours: those of a host write what nobody would count while ours are set aside.
 */
const countRows = sql`
  SELECT (
      SELECT count(*) FROM sqlite_schema
        WHERE type = 'trigger' AND tbl_name IN (${join(Object.keys(recordFields).map(literal))})
    ) AS triggers, (SELECT coalesce(max(id), 0) FROM groupMembers) + (SELECT count(*) FROM blacks)
    + (SELECT count(*) FROM groupRequests) AS rows`;

/**
 * Writes records with the triggers at work, until there are so many of them, beside the rows that are there, that it
 * is faster to put the triggers aside and to build the lists at the end.
 */
function* putStatements(
  records: RecordSet,
  { bulk, onBuild = () => {} }: WriteOptions,
): Generator<Statement, void, Row[] | undefined> {
  const tables = new Set<RecordName>();
  const withoutIndexes = new Set<RecordName>();
  const checked = checkedRecords(records);
  try {
    let written = 0;
    let asked = manyRecords;
    let areMany = false;
    for (const rows of chunks(checked)) {
      yield* statements(upserts, rows);
      for (const [table, { length }] of rows) {
        tables.add(table);
        written += length;
      }
      if (bulk === undefined || written < asked || !bulk.concerns(tables)) continue;
      asked *= 2;
      const counted = (yield countRows)?.[0];
      if (Number(counted?.["triggers"]) > bulk.rowTriggers) continue;
      areMany = counted !== undefined && Number(counted["rows"]) < 5 * written;
      if (areMany) break;
    }
    let next = checked.next();
    if (bulk === undefined || !areMany || next.done) return;

    yield* bulk.setAside();
    for (; !next.done; next = checked.next()) {
      const [table, values] = next.value;
      if (!withoutIndexes.has(table)) {
        yield* bulk.setIndexesAside(table);
        withoutIndexes.add(table);
        tables.add(table);
      }
      yield { text: singleUpserts[table], values: values.map(toValue) };
    }
  } finally {
    checked.return(undefined);
  }
  const steps = bulk.build(tables, withoutIndexes);
  for (const [index, step] of steps.entries()) {
    yield step;
    onBuild(index + 1, steps.length);
  }
}

function toValue(value: string | number | boolean): Value {
  return typeof value === "boolean" ? Number(value) : value;
}

export async function remove(database: SqlDatabase, keys: RecordKeySet): Promise<void> {
  await database.write(removeStatements(keys));
}

function* removeStatements(keys: RecordKeySet): Generator<Statement, void, unknown> {
  for (const rows of chunks(checkedKeys(keys))) yield* statements(deletions, rows);
}

/** Records as arrays in JSON, by kind. */
type Rows = Map<RecordName, string[]>;

/** Characters of JSON in one chunk: far below D1's limit of 2 MB for a value, whatever the characters. */
const maxLength = 250_000;

/** Collects records for a few long statements: engines limit the number of statements and of `?`. */
function* chunks(records: Iterator<[RecordName, CheckedValues]>): Generator<Rows, void, void> {
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

function statements(texts: Record<RecordName, string>, rows: Rows): Statement[] {
  return Array.from(rows, ([table, ofKind]) => ({ text: texts[table], values: [`[${ofKind.join()}]`] }));
}

const readConversations = sql`
  SELECT ${names(columnsOf("conversations"))} FROM conversations WHERE ownerUserID = ? ORDER BY conversationID`.text;

/** A user's conversations, with the booleans that SQL keeps as 0 and 1. */
export async function conversations(database: SqlDatabase, ownerUserID: string): Promise<StoredConversation[]> {
  const results = await database.read([{ text: readConversations, values: [ownerUserID] }]);
  return rowsOf(results, 0).map((row) => {
    const { isPinned, isPrivateChat, ...fields } = row;
    return { ...fields, isPinned: isPinned === 1, isPrivateChat: isPrivateChat === 1 } as StoredConversation;
  });
}

/** Whether no table holds a record. */
export async function isEmpty(database: SqlDatabase): Promise<boolean> {
  const tables = Object.values(forEachKind((table) => sql`SELECT 1 FROM ${name(table)} LIMIT 1`));
  const results = await database.read(tables);
  return results.every((rows) => rows.length === 0);
}

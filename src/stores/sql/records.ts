import {
  type CheckedRecord,
  checkedKeys,
  checkedRecords,
  type RecordKeySet,
  type RecordName,
  type RecordSet,
  recordKeys,
  recordSchemas,
  type StoredConversation,
} from "../../records.js";
import { buildLists, dropTriggers, listsOf, listTriggers } from "./build.js";
import type { Sizes } from "./countedLists.js";
import type { Row, SqlDatabase, Statement, Value } from "./database.js";
import { sql } from "./part.js";

const recordNames = Object.keys(recordSchemas) as RecordName[];

/** Writes the records of a JSON array. */
const upserts = statementTexts((name) => {
  const values = columnsOf(name).map((_, index) => `value ->> ${index}`);
  return upsert(name, `SELECT ${values.join(", ")} FROM json_each(?) WHERE true`);
});

/** Writes one record. */
const singleUpserts = statementTexts((name) => upsert(name, `VALUES (${columnsOf(name).fill("?").join(", ")})`));

function upsert(name: RecordName, rows: string): string {
  const keys: readonly string[] = recordKeys[name];
  const columns = columnsOf(name);
  const replaced = columns.filter((column) => !keys.includes(column)).map((column) => `${column} = excluded.${column}`);
  return `INSERT INTO ${name} (${columns.join(", ")}) ${rows} ON CONFLICT DO UPDATE SET ${replaced.join(", ")}`;
}

function columnsOf(name: RecordName): string[] {
  return Object.keys(recordSchemas[name].entries);
}

const deletions = statementTexts((name) => {
  const keys = recordKeys[name];
  return `DELETE FROM ${name} WHERE (${keys.join(", ")}) IN
    (SELECT ${keys.map((_, index) => `value ->> ${index}`).join(", ")} FROM json_each(?))`;
});

function statementTexts(text: (name: RecordName) => string): Record<RecordName, string> {
  return Object.fromEntries(recordNames.map((name) => [name, text(name)])) as Record<RecordName, string>;
}

/** How a store writes, beside what its callers say. */
export interface WriteOptions {
  sizes: Sizes;
  /** Is told that the lists are being built, after each step. */
  onBuild?: (done: number, steps: number) => void;
}

export async function put(database: SqlDatabase, records: RecordSet, options: WriteOptions): Promise<void> {
  await database.write(putStatements(records, options));
}

/** From how many records on the lists may be built anew instead of row by row. */
const manyRecords = 5000;

/** About how many rows the lists are made of. */
const countRows = sql`SELECT ${["groupMembers", "blacks", "groupRequests"]
  .map((table) => `coalesce((SELECT max(id) FROM ${table}), 0)`)
  .join(" + ")} AS rows`;

/**
 * Writes records with the triggers at work, until there are so many of them, beside the rows that are there, that it
 * is faster to put the triggers aside and to build the lists at the end.
 */
function* putStatements(
  records: RecordSet,
  { sizes, onBuild = () => {} }: WriteOptions,
): Generator<Statement, void, Row[] | undefined> {
  const names = new Set<RecordName>();
  const checked = checkedRecords(records);
  try {
    let written = 0;
    let asked = manyRecords;
    let areMany = false;
    for (const rows of chunks(checked)) {
      yield* statements(upserts, rows);
      for (const [name, { length }] of rows) {
        names.add(name);
        written += length;
      }
      if (written < asked || listsOf(names).length === 0) continue;
      const stored = (yield countRows)?.[0]?.["rows"];
      areMany = stored !== undefined && Number(stored) < 5 * written;
      if (areMany) break;
      asked *= 2;
    }
    let next = checked.next();
    if (!areMany || next.done) return;

    yield* withoutValues(dropTriggers(sizes));
    for (; !next.done; next = checked.next()) {
      const [name, record] = next.value;
      names.add(name);
      yield { sql: singleUpserts[name], values: Object.values(record).map(toValue) };
    }
  } finally {
    checked.return(undefined);
  }
  const steps = [...buildLists(sizes, listsOf(names)), ...listTriggers(sizes)];
  for (const [index, step] of steps.entries()) {
    yield { sql: step, values: [] };
    onBuild(index + 1, steps.length);
  }
}

function toValue(value: string | number | boolean): Value {
  return typeof value === "boolean" ? Number(value) : value;
}

function withoutValues(texts: readonly string[]): Statement[] {
  return texts.map((text) => ({ sql: text, values: [] }));
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
function* chunks(records: Iterator<[RecordName, CheckedRecord]>): Generator<Rows, void, void> {
  let rows: Rows = new Map();
  let length = 0;
  for (let next = records.next(); !next.done; next = records.next()) {
    const [name, record] = next.value;
    const row = JSON.stringify(Object.values(record));
    const ofKind = rows.get(name);
    if (ofKind === undefined) rows.set(name, [row]);
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
  return Array.from(rows, ([name, ofKind]) => ({ sql: texts[name], values: [`[${ofKind.join()}]`] }));
}

/** A user's conversations, with the booleans that SQL keeps as 0 and 1. */
export async function conversations(database: SqlDatabase, ownerUserID: string): Promise<StoredConversation[]> {
  const columns = Object.keys(recordSchemas.conversations.entries).join(", ");
  const sql = `SELECT ${columns} FROM conversations WHERE ownerUserID = ? ORDER BY conversationID`;
  const [rows = []] = await database.read([{ sql, values: [ownerUserID] }]);
  return rows.map((row) => {
    const { isPinned, isPrivateChat, ...fields } = row;
    return { ...fields, isPinned: isPinned === 1, isPrivateChat: isPrivateChat === 1 } as StoredConversation;
  });
}

/** Whether no table holds a record. */
export async function isEmpty(database: SqlDatabase): Promise<boolean> {
  const results = await database.read(
    recordNames.map((name) => ({ sql: `SELECT 1 FROM ${name} LIMIT 1`, values: [] })),
  );
  return results.every((rows) => rows.length === 0);
}

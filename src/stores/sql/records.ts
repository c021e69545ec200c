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
import type { SqlDatabase, Statement } from "./database.js";

const recordNames = Object.keys(recordSchemas) as RecordName[];

const upserts = statementTexts((name) => {
  const columns = Object.keys(recordSchemas[name].entries);
  const keys: readonly string[] = recordKeys[name];
  const replaced = columns.filter((column) => !keys.includes(column));
  return `INSERT INTO ${name} (${columns.join(", ")})
    SELECT ${columns.map((_, index) => `value ->> ${index}`).join(", ")} FROM json_each(?) WHERE true
    ON CONFLICT DO UPDATE SET ${replaced.map((column) => `${column} = excluded.${column}`).join(", ")}`;
});

const deletions = statementTexts((name) => {
  const keys = recordKeys[name];
  return `DELETE FROM ${name} WHERE (${keys.join(", ")}) IN
    (SELECT ${keys.map((_, index) => `value ->> ${index}`).join(", ")} FROM json_each(?))`;
});

function statementTexts(text: (name: RecordName) => string): Record<RecordName, string> {
  return Object.fromEntries(recordNames.map((name) => [name, text(name)])) as Record<RecordName, string>;
}

export async function put(database: SqlDatabase, records: RecordSet): Promise<void> {
  await database.write(statements(upserts, checkedRecords(records)));
}

export async function remove(database: SqlDatabase, keys: RecordKeySet): Promise<void> {
  await database.write(statements(deletions, checkedKeys(keys)));
}

/** Characters of JSON in one statement: far below D1's limit of 2 MB for a value, whatever the characters. */
const maxLength = 250_000;

/** Hands records over in a few long statements, as arrays in JSON: engines limit the number of statements and of `?`. */
function* statements(
  texts: Record<RecordName, string>,
  records: Iterable<[RecordName, CheckedRecord]>,
): Generator<Statement> {
  let current: RecordName | undefined;
  let rows: string[] = [];
  let length = 0;
  const statement = (name: RecordName): Statement => ({ sql: texts[name], values: [`[${rows.join()}]`] });
  for (const [name, record] of records) {
    const row = JSON.stringify(Object.values(record));
    if (current !== undefined && (name !== current || length + row.length > maxLength)) {
      yield statement(current);
      rows = [];
      length = 0;
    }
    current = name;
    rows.push(row);
    length += row.length;
  }
  if (current !== undefined) yield statement(current);
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

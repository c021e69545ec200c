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
import type { SqlDatabase, Statement, Value } from "./database.js";

const recordNames = Object.keys(recordSchemas) as RecordName[];

const upserts = statementTexts((name) => {
  const columns = Object.keys(recordSchemas[name].entries);
  const keys: readonly string[] = recordKeys[name];
  const replaced = columns.filter((column) => !keys.includes(column));
  return `INSERT INTO ${name} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})
    ON CONFLICT DO UPDATE SET ${replaced.map((column) => `${column} = excluded.${column}`).join(", ")}`;
});

const deletions = statementTexts(
  (name) => `DELETE FROM ${name} WHERE ${recordKeys[name].map((column) => `${column} = ?`).join(" AND ")}`,
);

function statementTexts(text: (name: RecordName) => string): Record<RecordName, string> {
  return Object.fromEntries(recordNames.map((name) => [name, text(name)])) as Record<RecordName, string>;
}

export async function put(database: SqlDatabase, records: RecordSet): Promise<void> {
  await database.write(statements(upserts, checkedRecords(records)));
}

export async function remove(database: SqlDatabase, keys: RecordKeySet): Promise<void> {
  await database.write(statements(deletions, checkedKeys(keys)));
}

function* statements(
  texts: Record<RecordName, string>,
  records: Iterable<[RecordName, CheckedRecord]>,
): Generator<Statement> {
  for (const [name, record] of records) yield { sql: texts[name], values: Object.values(record).map(bindable) };
}

function bindable(value: string | number | boolean): Value {
  return typeof value === "boolean" ? Number(value) : value;
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

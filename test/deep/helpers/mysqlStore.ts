import { readFileSync } from "node:fs";
import type { Pool, RowDataPacket } from "mysql2/promise";
import { mysqlStore } from "../../../examples/mysql-store/store.js";
import { type CheckedValues, checkedKeys, checkedRecords } from "../../../src/checkedRecords.js";
import { flag } from "../../../src/recordKinds.js";
import {
  type RecordName,
  type RecordSet,
  recordFields,
  recordKeys,
  recordNames,
  type StoredConversation,
} from "../../../src/records.js";
import { snakeCase } from "../../../src/stores/snakeCase.js";
import type { StoreUnderTest } from "../../../src/testing/index.js";

const schema = readFileSync(new URL("../../../examples/mysql-store/schema.sql", import.meta.url), "utf8");

/** Makes the example's tables in an empty database. */
export async function createTables(pool: Pool): Promise<void> {
  for (const statement of schema.split(/;\n/)) if (statement.trim() !== "") await pool.query(statement);
}

/** The example's store over tables with exactly these records, and how the tests write and read its data. */
export async function openMysqlStore(pool: Pool, records: RecordSet, storePool = pool): Promise<StoreUnderTest> {
  for (const name of recordNames) await pool.query(`DELETE FROM ${tableOf(name)}`);
  const store: StoreUnderTest = {
    ...mysqlStore(storePool),
    async put(records) {
      const rows = new Map<RecordName, CheckedValues[]>();
      for (const [name, values] of checkedRecords(records)) rows.set(name, [...(rows.get(name) ?? []), values]);
      for (const [name, values] of rows) await pool.query(upsert(name), [values]);
    },
    async remove(keys) {
      for (const [name, values] of checkedKeys(keys)) await pool.query(deletion(name), [...values]);
    },
    async conversations(ownerUserID) {
      const columns = recordFields.conversations.map(([field]) => `${columnOf("conversations", field)} AS ${field}`);
      const [rows] = await pool.query<RowDataPacket[]>(
        `SELECT ${columns} FROM conversations WHERE owner_user_id = ? ORDER BY conversation_id`,
        [ownerUserID],
      );
      const read = (row: RowDataPacket) =>
        recordFields.conversations.map(([field, kind]) => [field, kind === flag ? row[field] === 1 : row[field]]);
      return rows.map((row) => Object.fromEntries(read(row)) as StoredConversation);
    },
  };
  await store.put(records);
  return store;
}

function upsert(name: RecordName): string {
  const columns = recordFields[name].map(([field]) => columnOf(name, field));
  const changes = columns.map((column) => `${column} = VALUES (${column})`);
  return `INSERT INTO ${tableOf(name)} (${columns}) VALUES ? ON DUPLICATE KEY UPDATE ${changes}`;
}

function deletion(name: RecordName): string {
  const keys = recordKeys[name].map((field) => `${columnOf(name, field)} = ?`);
  return `DELETE FROM ${tableOf(name)} WHERE ${keys.join(" AND ")}`;
}

function tableOf(name: RecordName): string {
  return name === "groups" ? "chat_groups" : snakeCase(name);
}

function columnOf(name: RecordName, field: string): string {
  if (name === "conversations" && field === "userID") return "peer_user_id";
  return field === "appMangerLevel" ? "app_level" : snakeCase(field);
}

import { readFileSync } from "node:fs";
import pg from "pg";
import { postgresStore } from "../../../examples/postgres-store/store.js";
import { type CheckedValues, checkedKeys, checkedRecords } from "../../../src/checkedRecords.js";
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

const schema = readFileSync(new URL("../../../examples/postgres-store/schema.sql", import.meta.url), "utf8");

/** Makes the example's tables in an empty database. */
export async function createTables(pool: pg.Pool): Promise<void> {
  await pool.query(schema);
}

/** The example's store over tables with exactly these records, and how the tests write and read its data. */
export async function openPostgresStore(pool: pg.Pool, records: RecordSet): Promise<StoreUnderTest> {
  await pool.query(`TRUNCATE ${recordNames.map(snakeCase)}`);
  const store: StoreUnderTest = {
    ...postgresStore(pool),
    async put(records) {
      await pool.query(Array.from(checkedRecords(records), ([name, values]) => upsert(name, values)).join(";\n"));
    },
    async remove(keys) {
      for (const [name, values] of checkedKeys(keys)) await pool.query(deletion(name), [...values]);
    },
    async conversations(ownerUserID) {
      const columns = recordFields.conversations.map(([field]) => {
        const column = columnOf("conversations", field);
        return `${isReference("conversations", field) ? `coalesce(${column}, '')` : column} AS "${field}"`;
      });
      // JSON has numbers where the driver would give bigint as text.
      const { rows } = await pool.query<{ stored: StoredConversation }>(
        `SELECT row_to_json(stored) AS stored FROM (
           SELECT ${columns} FROM conversations WHERE owner_user_id = $1 ORDER BY conversation_id COLLATE "C"
         ) stored`,
        [ownerUserID],
      );
      return rows.map(({ stored }) => stored);
    },
  };
  await store.put(records);
  return store;
}

function upsert(name: RecordName, values: CheckedValues): string {
  const fields = recordFields[name].map(([field]) => field);
  const columns = fields.map((field) => columnOf(name, field));
  const written = fields.map((field, index) => {
    const literal = pg.escapeLiteral(String(values[index]));
    return isReference(name, field) ? `nullif(${literal}, '')` : literal;
  });
  const keys = recordKeys[name].map((field) => columnOf(name, field));
  const changes = columns.map((column) => `${column} = excluded.${column}`);
  return `INSERT INTO ${snakeCase(name)} (${columns}) VALUES (${written}) ON CONFLICT (${keys}) DO UPDATE SET ${changes}`;
}

function deletion(name: RecordName): string {
  const keys = recordKeys[name].map((field, index) => `${columnOf(name, field)} = $${index + 1}`);
  return `DELETE FROM ${snakeCase(name)} WHERE ${keys.join(" AND ")}`;
}

/** Whether the column refers to a user or a group, and is null where the record has an empty text. */
function isReference(name: RecordName, field: string): boolean {
  return name === "conversations" && (field === "userID" || field === "groupID");
}

function columnOf(name: RecordName, field: string): string {
  if (name === "conversations" && field === "userID") return "peer_user_id";
  return field === "appMangerLevel" ? "app_level" : snakeCase(field);
}

/** Copies of OpenIM's records, and what they hold. */
import Database from "better-sqlite3";
import { onTestFinished } from "vitest";
import { type RecordName, recordFields, recordNames } from "../../../src/records.js";
import { openSqliteStore } from "../../../src/stores/drivers/sqlite.js";
import { snakeCase } from "../../../src/stores/snakeCase.js";
import { type AllRecords, byKeys } from "../../helpers/openim/randomOpenim.js";
import { startPostgres } from "../../helpers/postgres/server.js";
import { temporaryFolder } from "../../helpers/stores.js";

export interface Copy {
  database: string;
  records(): Promise<AllRecords>;
}

export function newFile(): Promise<Copy> {
  const database = `${temporaryFolder()}/im.db`;
  openSqliteStore({ path: database }).close();
  const reader = new Database(database, { readonly: true });
  onTestFinished(() => void reader.close());
  const rows = (name: RecordName, fields: string) =>
    reader.prepare(`SELECT ${fields} FROM im_admin_${snakeCase(name)}`).all();
  return Promise.resolve({
    database,
    records: async () => recordsIn(async (name, fields) => rows(name, fields) as object[]),
  });
}

export async function newSchema(): Promise<Copy> {
  const { pool, url, stop } = await startPostgres();
  onTestFinished(stop);
  const rows = async (name: RecordName, fields: string) => {
    const { rows } = await pool.query(
      `SELECT row_to_json(r) AS r FROM (SELECT ${fields} FROM im_admin.${snakeCase(name)}) r`,
    );
    return rows.map(({ r }) => r as object);
  };
  return { database: url, records: () => recordsIn((name, fields) => rows(name, fields).catch(() => [])) };
}

async function recordsIn(rowsOf: (name: RecordName, fields: string) => Promise<object[]>): Promise<AllRecords> {
  const all: Partial<Record<RecordName, object[]>> = {};
  for (const name of recordNames) {
    const fields = recordFields[name];
    const rows = await rowsOf(name, fields.map(([field]) => `${snakeCase(field)} AS "${field}"`).join());
    // SQLite has no booleans.
    const flags = fields.filter(([, { name: kind }]) => kind === "flag").map(([field]) => field);
    all[name] = rows.map((row) => ({
      ...row,
      ...Object.fromEntries(flags.map((flag) => [flag, Boolean((row as Record<string, unknown>)[flag])])),
    }));
  }
  return byKeys(all);
}

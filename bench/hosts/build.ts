/** The databases of chat servers, with a map and without it. */
import { copyFileSync } from "node:fs";
import BetterSqlite3 from "better-sqlite3";
import type pg from "pg";
import { openSqliteStore } from "../../src/stores/drivers/sqlite.js";
import { migratePostgres, settlePostgres } from "../../src/stores/postgres/index.js";
import { tablesSql } from "../../src/stores/tablesSql.js";
import { installOverHost } from "../mapped.js";
import { installOverHost as installOnPostgres, overHost, poolOf } from "../postgres/build.js";
import type { World } from "../world.js";
import { waysToWrite } from "./host.js";
import { largeChannel, mapOf, type Row, rowsOf, tables } from "./schema.js";
import { sqlitePath } from "./sqlite.js";

/** Where the members of the large channel are kept, to put them back. */
const saveMembers = `CREATE TABLE saved AS SELECT * FROM channelmembers WHERE channelid = '${largeChannel}'`;

export async function* buildHosts(world: World): AsyncGenerator<string> {
  const rows = new Map<string, Row[]>();
  for (const [table, row] of rowsOf(world.scale)) {
    const known = rows.get(table);
    if (known === undefined) rows.set(table, [row]);
    else known.push(row);
  }
  await buildSqlite(world, rows);
  yield "SQLite";
  await buildPostgres(world, rows);
  yield "PostgreSQL";
}

async function buildSqlite(world: World, rows: ReadonlyMap<string, readonly Row[]>): Promise<void> {
  const plain = sqlitePath(world, "plain", "prepared once");
  const mapped = sqlitePath(world, "mapped", "prepared once");
  const connection = new BetterSqlite3(plain);
  connection.exec(tables);
  connection.transaction(() => {
    for (const [table, all] of rows) {
      const insert = connection.prepare(`INSERT INTO ${table} VALUES (${all[0]?.map(() => "?").join(", ")})`);
      for (const row of all) insert.run(row.map((value) => (typeof value === "boolean" ? Number(value) : value)));
    }
  })();
  connection.exec(saveMembers);
  connection.close();
  copyFileSync(plain, mapped);
  await openSqliteStore({ path: mapped, adopt: true }).close();
  installOverHost(mapped, mapOf(""));
  for (const way of waysToWrite.slice(1)) {
    copyFileSync(plain, sqlitePath(world, "plain", way));
    copyFileSync(mapped, sqlitePath(world, "mapped", way));
  }
}

async function buildPostgres({ postgres = "" }: World, rows: ReadonlyMap<string, readonly Row[]>): Promise<void> {
  const server = poolOf(postgres, "postgres");
  await server.query("CREATE DATABASE hosts");
  await server.end();
  const pool = poolOf(postgres, "hosts");
  for (const schema of ["plain", "mapped"]) {
    await pool.query(`CREATE SCHEMA ${schema}; SET search_path = ${schema}; ${tables}`);
    for (const [table, all] of rows) await insertAll(pool, table, all);
    await pool.query(saveMembers);
  }
  await pool.query("RESET search_path");
  await migratePostgres(pool, overHost);
  await installOnPostgres(pool, tablesSql(mapOf("mapped."), { engine: "postgres", ...overHost }));
  await migratePostgres(pool);
  await buildOwn(pool);
  await pool.query("VACUUM ANALYZE");
  await pool.end();
}

async function insertAll(pool: pg.Pool, table: string, rows: readonly Row[]): Promise<void> {
  const { rows: columns } = await pool.query(
    `SELECT format_type(atttypid, -1) AS type FROM pg_attribute WHERE attrelid = '${table}'::regclass AND attnum > 0 ORDER BY attnum`,
  );
  const arrays = columns.map(({ type }, index) => `$${index + 1}::${type}[]`);
  for (let from = 0; from < rows.length; from += chunk) {
    const some = rows.slice(from, from + chunk);
    const values = columns.map((_, index) => some.map((row) => row[index]));
    await pool.query(`INSERT INTO ${table} SELECT * FROM unnest(${arrays.join(", ")})`, values);
  }
}

const chunk = 10_000;

/** The members of the large channel in im-admin's own table, and in one like it without triggers. */
async function buildOwn(pool: pg.Pool): Promise<void> {
  const members = `SELECT channelid, userid, CASE WHEN schemeadmin THEN 60 ELSE 20 END, joinedat FROM plain.saved`;
  await pool.query(`
    INSERT INTO im_admin.group_members (group_id, user_id, role_level, join_time) ${members};
    CREATE SCHEMA own;
    CREATE TABLE own.group_members (LIKE im_admin.group_members INCLUDING ALL);
    INSERT INTO own.group_members SELECT * FROM im_admin.group_members;
    CREATE TABLE own.saved_members AS SELECT * FROM own.group_members`);
  await settlePostgres(pool);
}

/** Writes databases of this version as they are at its release: see "Release" in CONTRIBUTING.md. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import BetterSqlite3 from "better-sqlite3";
import type pg from "pg";
import type { BundledStore } from "../src/stores/bundledStore.js";
import { openSqliteStore } from "../src/stores/drivers/sqlite.js";
import { createPostgresStore, migratePostgres, settlePostgres } from "../src/stores/postgres/index.js";
import { versions } from "../src/stores/postgres/upkeep/migration.js";
import { storeWorld } from "../src/testing/world.js";
import { startCluster } from "../test/helpers/postgres/cluster.js";

/** So many members that their list has a total and nodes. */
const crowd = Array.from({ length: 150 }, (_, index) => `u${String(index + 1).padStart(3, "0")}`);

/** A record of each kind with every field, lists whose orders have ties, and a long list. */
async function fill(store: BundledStore): Promise<void> {
  await store.put(storeWorld);
  await store.put({
    users: crowd.map((userID) => ({ userID, nickname: `Member ${userID.slice(1)}` })),
    groups: [{ groupID: "crowd", groupName: "A crowd" }],
    groupMembers: crowd.map((userID, index) => ({ groupID: "crowd", userID, roleLevel: 20, joinTime: index })),
  });
}

/** What a host writes at last, which nobody has settled. */
const lastWrite = (users: string, members: string) => `
  INSERT INTO ${users} (user_id, nickname, app_manger_level) VALUES ('late', 'Came late', 3);
  DELETE FROM ${members} WHERE group_id = 'crowd' AND user_id = 'u001';`;

export async function write(): Promise<void> {
  // Only a minor version has another schema.
  const [minor] = /^\d+\.\d+/.exec(JSON.parse(readFileSync("package.json", "utf8")).version) ?? [];
  if (readFileSync("CHANGELOG.md", "utf8").includes(`\n## [${minor}.`)) {
    throw new Error(`${minor} is released, and its databases never change: set the next version first`);
  }
  const folder = `test/released/${minor}`;
  mkdirSync(folder, { recursive: true });
  await writeSqlite(`${folder}/im-admin.sqlite`);
  writeFileSync(`${folder}/postgres.sql`, await postgresDump());
}

async function writeSqlite(path: string): Promise<void> {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
  const store = openSqliteStore({ path, threads: 0 });
  await fill(store);
  await store.close();
  const connection = new BetterSqlite3(path);
  connection.exec(lastWrite("im_admin_users", "im_admin_group_members"));
  connection.exec("VACUUM");
  connection.close();
}

/** The schema, and the rows of its tables as JSON, which any server reads without programs of PostgreSQL. */
async function postgresDump(): Promise<string> {
  const cluster = await startCluster();
  try {
    const { pool } = cluster;
    await migratePostgres(pool);
    const store = createPostgresStore({ pool, settle: false });
    await fill(store);
    while (!(await settlePostgres(pool)).isDone);
    await store.close();
    await pool.query(lastWrite("im_admin.users", "im_admin.group_members"));
    const { rows: tables } = await pool.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'im_admin' ORDER BY 1",
    );
    const texts: string[] = [];
    for (const { name } of tables) texts.push(await rowsOf(pool, `im_admin.${name}`));
    return [...versions, "SET session_replication_role = replica;", ...texts, "RESET session_replication_role;"].join(
      "\n",
    );
  } finally {
    await cluster.stop();
  }
}

async function rowsOf(pool: pg.Pool, table: string): Promise<string> {
  const { rows } = await pool.query<{ row: string }>(
    `SELECT to_jsonb(stored)::text AS row FROM ${table} stored ORDER BY to_jsonb(stored)::text COLLATE "C"`,
  );
  if (rows.length === 0) return `TRUNCATE ${table};`;
  const json = rows.map(({ row }) => row.replaceAll("'", "''")).join(",\n");
  return `TRUNCATE ${table};
INSERT INTO ${table} SELECT * FROM jsonb_populate_recordset(NULL::${table}, '[${json}]');`;
}

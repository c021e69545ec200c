/** The commands of docs/own-tables.md and docs/postgres.md, on the engines that they name. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import BetterSqlite3 from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { createPostgresStore, migratePostgres } from "../../../src/stores/postgres/index.js";
import { cli } from "../../helpers/cliProcess.js";
import { runCommands } from "../../helpers/docs/commands.js";
import { blockIn } from "../../helpers/docs/pages.js";
import { startPostgres } from "../../helpers/postgres/server.js";

const ownTables = "docs/own-tables.md";
const page = "docs/postgres.md";

async function openPostgres() {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  return server;
}

const tables = `
  CREATE SCHEMA chat;
  CREATE TABLE chat.person (id uuid PRIMARY KEY, display_name text, deleted_at timestamptz);
  CREATE TABLE chat.avatar (person_id uuid PRIMARY KEY, url text);
  CREATE TABLE chat.room (id uuid PRIMARY KEY, title text, archived boolean NOT NULL DEFAULT false);
  CREATE TABLE chat.membership (room_id uuid, person_id uuid, role text, joined_at timestamptz, left_at timestamptz,
    PRIMARY KEY (room_id, person_id));
  CREATE INDEX ON chat.membership (person_id);
  INSERT INTO chat.person VALUES ('00000000-0000-0000-0000-000000000007', 'Ann', NULL);
  INSERT INTO chat.room VALUES ('00000000-0000-0000-0000-000000000001', 'Readers');
  INSERT INTO chat.membership VALUES
    ('00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000007', 'owner', now(), NULL)`;

it("installs the map of the page in PostgreSQL, sees it, and removes it", async () => {
  const { url, pool } = await openPostgres();
  await pool.query(tables);
  const files = { "tables.mjs": blockIn(ownTables, "// tables.mjs") };
  const commands = blockIn(ownTables, "--print   # read it").trimEnd().split("\n");
  expect(commands).toHaveLength(4);
  const [print = "", install = "", see = "", remove = ""] = commands;
  const run = (command: string) => runCommands(command, { DATABASE_URL: url }, files);

  const printed = run(print);
  expect(printed).toMatchObject({ status: 0 });
  const other = await openPostgres();
  await migratePostgres(other.pool);
  await other.pool.query(tables);
  // What builds the lists ends transactions, so it stands alone.
  for (const statements of printed.stdout.split(/^(?=DO )/m)) await other.pool.query(statements);
  const store = createPostgresStore({ pool: other.pool, settle: false });
  const groupID = "00000000-0000-0000-0000-000000000001";
  expect(await store.listGroupMembers({ groupID, keyword: "", offset: 0, limit: 1 })).toMatchObject({
    total: 1,
    items: [{ nickname: "Ann", roleLevel: 100 }],
  });

  const installed = run(install);
  expect(installed).toMatchObject({ status: 0 });
  expect(installed.stderr).toContain(blockIn(ownTables, "getBlackList: empty, the map has none"));
  expect(run(see).stderr).toContain("the installed map has users, groups, groupMembers, blacks");
  expect(run(remove)).toMatchObject({ status: 0 });
  const { rows } = await pool.query("SELECT nspname FROM pg_namespace WHERE nspname = 'im_admin'");
  expect(rows).toEqual([]);
});

it("installs a map in a file, and prints it for D1", () => {
  const map = { groupMembers: { from: "member", key: { groupID: "room", userID: "person" } } };
  const files = {
    "tables.mjs": `export default ${JSON.stringify(map)};`,
    "migrations/0001_chat.sql": "",
    "chat.db": "",
  };
  const make = `node --input-type=commonjs -e 'new (require("better-sqlite3"))("chat.db").exec(
    "CREATE TABLE member (room TEXT, person INTEGER, PRIMARY KEY (room, person))")'`;
  const { folder, status, stderr } = runCommands(
    `${make}\n${blockIn(ownTables, "migrations/0008_lists.sql")}`,
    { NODE_PATH: new URL("../../../node_modules", import.meta.url).pathname },
    files,
  );
  expect([status, status === 0 ? "" : stderr]).toEqual([0, ""]);
  const database = new BetterSqlite3(`${folder}/chat.db`);
  database.exec("INSERT INTO member VALUES ('r', 7)");
  expect(database.prepare("SELECT kind, first, second FROM im_admin_changed").raw().all()).toEqual([
    ["groupMembers", "r", "7"],
  ]);
  database.close();
});

it("migrates a database of PostgreSQL, copies a file there, and checks it", async () => {
  const { url, pool } = await openPostgres();
  const [print = "", check = ""] = blockIn(page, "--check  ").trimEnd().split("\n");
  const run = (commands: string) => runCommands(commands, { DATABASE_URL: url }, {});
  expect(run(check)).toMatchObject({ status: 1 });
  await pool.query(run(print).stdout);
  expect(run(check)).toMatchObject({ status: 0 });

  const copied = blockIn(page, "copy --from im.db").replaceAll("postgres://im_admin@db.example.org/chat", `"${url}"`);
  const source = `node --input-type=module -e 'import { openSqliteStore } from "im-admin/sqlite";
    const store = openSqliteStore({ path: "im.db" });
    await store.put({ users: [{ userID: "ann", nickname: "Ann" }] });
    await store.close();'`;
  const { status, stderr } = run(`${source}\n${copied}`);
  expect([status, stderr]).toEqual([0, expect.stringContaining("all lists agree")]);
  expect((await pool.query("SELECT user_id FROM im_admin.users")).rows).toEqual([{ user_id: "ann" }]);
});

it("serves a database of PostgreSQL, which it migrates", async () => {
  const { url } = await openPostgres();
  const [, , serve = ""] = blockIn(page, "createdb").trimEnd().split("\n");
  const [program, ...flags] = serve.replace("postgres://im_admin@db.example.org/chat", url).split(" ");
  expect(program).toBe("im-admin");
  const child = spawn(process.execPath, [cli, ...flags, "--port", "0"], {
    env: { ...process.env, IM_ADMIN_SECRET: "s".repeat(32) },
  });
  onTestFinished(() => void child.kill());
  let written = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (written += text));
  while (!/http:\/\//.test(written) && child.exitCode === null) {
    await Promise.race([once(child.stdout, "data"), once(child.stderr, "data"), once(child, "exit")]);
  }
  const [address = ""] = /http:\/\/[\w.:[\]]+/.exec(written) ?? [written];
  expect((await fetch(`${address}/healthz`)).status).toBe(200);
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest";
import { createPostgresStore, migratePostgres } from "../../../../src/stores/postgres/index.js";
import { imAdmin } from "../../../helpers/cliProcess.js";
import { dumped } from "../../../helpers/postgres/dumped.js";
import { type PostgresServer, startPostgres } from "../../../helpers/postgres/server.js";
import { temporaryFolder } from "../../../helpers/stores.js";

let server: PostgresServer;
beforeEach(async () => {
  server = await startPostgres();
  await server.pool.query(`
    CREATE SCHEMA chat;
    CREATE TABLE chat.person (id text PRIMARY KEY, name text, seen integer NOT NULL DEFAULT 0);
    CREATE TABLE chat.room (id bigint PRIMARY KEY, title text);
    CREATE TABLE chat.membership (
      room_id bigint REFERENCES chat.room, person_id text REFERENCES chat.person, role integer,
      PRIMARY KEY (room_id, person_id)) PARTITION BY RANGE (room_id);
    CREATE TABLE chat.membership_1 PARTITION OF chat.membership FOR VALUES FROM (0) TO (1000);
    CREATE TABLE chat.nickname (person text, room bigint, name text);
    CREATE FUNCTION chat.stamp() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;
    CREATE TRIGGER stamp BEFORE UPDATE ON chat.membership FOR EACH ROW EXECUTE FUNCTION chat.stamp();
    INSERT INTO chat.person SELECT 'p' || n, 'Person ' || n FROM generate_series(1, 300) n;
    INSERT INTO chat.room VALUES (7, 'Readers');
    INSERT INTO chat.membership SELECT 7, id, 20 FROM chat.person`);
});
afterEach(() => server.stop());

const map = {
  users: { from: "chat.person", key: { userID: "id" }, fields: { nickname: "name" } },
  groups: { from: "chat.room", key: { groupID: "id" }, fields: { groupName: "title" } },
  groupMembers: {
    from: "chat.membership",
    key: { groupID: "room_id", userID: "person_id" },
    fields: {
      roleLevel: "role",
      nickname:
        "(SELECT max(own.name) FROM chat.nickname own WHERE own.room = membership.room_id AND own.person = membership.person_id)",
    },
    also: [{ table: "chat.nickname", key: { groupID: "room", userID: "person" } }],
  },
  conversations: "empty",
};

function fileOf(content: object): string {
  const file = join(temporaryFolder(), "map.json");
  writeFileSync(file, JSON.stringify(content));
  return file;
}

const install = (content: object = map) => imAdmin(["tables", "--map", fileOf(content), "--db", server.url]);
const removeAll = () => imAdmin(["tables", "--remove", "--all", "--db", server.url]);

const members = async () => {
  const query = { groupID: "7", keyword: "", offset: 0, limit: 1 };
  return (await createPostgresStore({ pool: server.pool }).listGroupMembers(query))?.total;
};

it("removes all that it has made, and then may be installed again", async () => {
  const before = await dumped(server);
  await install();
  expect(await removeAll()).toEqual({
    status: 0,
    stdout: "",
    stderr: expect.stringMatching(/^postgres:.*: nothing of im-admin is left\n$/),
  });
  expect(await dumped(server)).toBe(before);
  expect((await install()).stderr).toContain("the lists are over your tables\n");
  expect(await members()).toBe(300);
});

it("keeps a schema that another has made, with what is theirs in it", async () => {
  await server.pool.query(`
    CREATE SCHEMA im_admin;
    COMMENT ON SCHEMA im_admin IS 'Made by the owner of the server.';
    CREATE TABLE im_admin.notes (lists text);
    CREATE FUNCTION im_admin.note() RETURNS text LANGUAGE sql RETURN 'a'`);
  const before = await dumped(server);
  expect(await install()).toMatchObject({ status: 0 });
  expect(await removeAll()).toMatchObject({ status: 0 });
  expect(await dumped(server)).toBe(before);
});

it("removes nothing if something would be lost", async () => {
  await install();
  await server.pool.query("CREATE VIEW chat.report AS SELECT user_id FROM im_admin.group_members");
  const [dump, refused] = [await dumped(server), await removeAll()];
  expect([refused.status, refused.stderr]).toEqual([
    1,
    expect.stringContaining("something depends on what would be removed: view chat.report depends on view"),
  ]);
  await server.pool.query("DROP VIEW chat.report; INSERT INTO im_admin.blacks VALUES ('a', 'b')");
  expect(await removeAll()).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(
      `"im_admin".blacks has records, which would be lost: export them first, and remove them\n`,
    ),
  });
  await server.pool.query("CREATE VIEW chat.report AS SELECT user_id FROM im_admin.group_members");
  expect(await dumped(server)).toBe(dump);
});

it("leaves nothing of an installation that fails", async () => {
  const before = await dumped(server);
  const message = 'users.nickname: column "nosuch" does not exist';
  const bad = { ...map, users: { ...map.users, fields: { nickname: "nosuch" } } };
  const failed = await install(bad);
  expect([failed.status, failed.stderr]).toEqual([1, expect.stringContaining(`: ${message}\n`)]);
  expect(failed.stderr).not.toContain("cannot use the database");
  expect(failed.stderr.split(message)).toHaveLength(2);
  expect(await dumped(server)).toBe(before);

  // An earlier map stays.
  await install();
  expect((await install(bad)).status).toBe(1);
  await server.pool.query("DELETE FROM chat.membership WHERE person_id = 'p1'");
  expect(await members()).toBe(299);
  expect(await imAdmin(["check", "--db", server.url])).toMatchObject({ status: 0 });
});

it("installs a map with an expression that fails for a row, and names the row", async () => {
  const fields = { appMangerLevel: "1 / (char_length(name) - 8)" };
  const { status, stderr } = await install({ ...map, users: { ...map.users, fields } });
  expect(status).toBe(1);
  expect(stderr).toContain(
    "users.appMangerLevel cannot be read (SQLSTATE 22012), and the lists with these rows fail (9, such as p1)\n",
  );
  expect(stderr).toContain(": the lists are over your tables\n");
  expect(await members()).toBe(300);
  await server.pool.query("UPDATE chat.person SET name = name || ' again' WHERE char_length(name) = 8");
  expect(await imAdmin(["check", "--db", server.url])).toMatchObject({ status: 0 });
});

it("removes nothing where nothing is, and makes nothing there", async () => {
  const before = await dumped(server);
  for (const flags of [["--remove"], ["--remove", "--all"]]) {
    expect(await imAdmin(["tables", ...flags, "--db", server.url])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('the schema "im_admin" has no tables of im-admin\n'),
    });
  }
  expect(await dumped(server)).toBe(before);
  await migratePostgres(server.pool);
  expect(await imAdmin(["tables", "--remove", "--db", server.url])).toMatchObject({ status: 0 });
  expect(await removeAll()).toMatchObject({ status: 0 });
  expect(await dumped(server)).toBe(before);
});

it("removes all that it has made in a file", async () => {
  const path = join(temporaryFolder(), "host.db");
  const host = new BetterSqlite3(path);
  onTestFinished(() => void host.close());
  host.exec("CREATE TABLE users (id TEXT PRIMARY KEY, name TEXT); INSERT INTO users VALUES ('ann', 'Ann')");
  const stored = () => [host.pragma("application_id"), host.prepare("SELECT * FROM sqlite_schema").all()];
  const before = JSON.stringify(stored());
  const file = fileOf({ users: { from: "users", key: { userID: "id" } } });
  expect(await imAdmin(["tables", "--map", file, "--db", path])).toMatchObject({ status: 0 });
  expect(await imAdmin(["tables", "--remove", "--all", "--db", path])).toEqual({
    status: 0,
    stdout: "",
    stderr: `${path}: nothing of im-admin is left\n`,
  });
  expect(JSON.stringify(stored())).toBe(before);
  expect(await imAdmin(["tables", "--remove", "--all", "--db", path])).toMatchObject({
    status: 1,
    stderr: `im-admin: cannot remove im-admin from ${path}: it is no database of im-admin, but of another program, with the table users\n`,
  });
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { createPostgresStore } from "../../../../src/stores/postgres/index.js";
import { imAdmin } from "../../../helpers/cliProcess.js";
import { type PostgresServer, startPostgres } from "../../../helpers/postgres/server.js";
import { temporaryFolder } from "../../../helpers/stores.js";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
  await server.pool.query(`
    CREATE SCHEMA chat;
    CREATE TABLE chat.person (id uuid PRIMARY KEY, name text);
    CREATE TABLE chat.room (id bigint PRIMARY KEY, title text);
    CREATE TABLE chat.membership (room_id bigint, person_id uuid, joined bigint, PRIMARY KEY (room_id, person_id));
    INSERT INTO chat.person SELECT format('00000000-0000-0000-0000-%s', lpad(n::text, 12, '0'))::uuid, 'Name ' || n FROM generate_series(1, 300) n;
    INSERT INTO chat.room VALUES (7, 'Readers');
    INSERT INTO chat.membership SELECT 7, id, 0 FROM chat.person;
    UPDATE chat.membership SET joined = -1 WHERE person_id = '00000000-0000-0000-0000-000000000001'`);
});
afterAll(() => server.stop());

const map = {
  users: { from: "chat.person", key: { userID: "id" }, fields: { nickname: "name" } },
  groups: { from: "chat.room", key: { groupID: "id" }, fields: { groupName: "title" } },
  groupMembers: {
    from: "chat.membership",
    key: { groupID: "room_id", userID: "person_id" },
    fields: { joinTime: "joined" },
  },
  groupRequests: "empty",
};

function fileOf(content: unknown, name = "map.json"): string {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, typeof content === "string" ? content : (JSON.stringify(content) ?? ""));
  return file;
}

const total = async () =>
  (
    await createPostgresStore({ pool: server.pool }).listGroupMembers({
      groupID: "7",
      keyword: "",
      offset: 0,
      limit: 1,
    })
  )?.total;

const triggers = async () => {
  const { rows } = await server.pool.query(
    "SELECT tgname AS name FROM pg_trigger WHERE tgrelid::regclass::text LIKE 'chat.%' AND NOT tgisinternal ORDER BY 1",
  );
  return rows.map(({ name }) => name);
};

it("installs a map, reports rows that are not listed and missing indexes, and removes the map", async () => {
  const { status, stderr } = await imAdmin(["tables", "--map", fileOf(map), "--db", server.url]);
  expect([status, stderr]).toEqual([0, expect.stringContaining("the lists are over your tables\n")]);
  expect(stderr).toContain(
    "rows of chat.membership are not listed: joinTime is not from 0 to 9999999999999999 (1, such as 7, 00000000-0000-0000-0000-000000000001)\n",
  );
  expect(stderr).toContain("chat.membership has no index that begins with person_id");
  expect(stderr).toContain("a superuser has installed the map, whose triggers have all rights");
  expect(await total()).toBe(299);
  const exported = await imAdmin([
    "export",
    "--db",
    server.url,
    "--list",
    "members",
    "--group",
    "7",
    "--keyword",
    "Name 299",
  ]);
  expect(JSON.parse(exported.stdout)).toMatchObject({
    groupID: "7",
    userID: "00000000-0000-0000-0000-000000000299",
    nickname: "Name 299",
  });
  await server.pool.query("DELETE FROM chat.membership WHERE person_id > '00000000-0000-0000-0000-000000000200'");
  expect(await total()).toBe(199);
  expect((await imAdmin(["check", "--db", server.url])).status).toBe(0);

  await server.pool.query(
    "ALTER TABLE chat.membership DISABLE TRIGGER USER; DELETE FROM chat.membership WHERE joined < 0",
  );
  expect((await imAdmin(["check", "--db", server.url])).stderr).toContain(
    "tables lack triggers of im-admin, or have them disabled (1, such as chat.membership)",
  );
  expect((await imAdmin(["check", "--repair", "--db", server.url])).status).toBe(0);

  expect(await triggers()).toHaveLength(8);
  expect((await imAdmin(["tables", "--remove", "--db", server.url])).status).toBe(0);
  expect([await triggers(), await total()]).toEqual([[], undefined]);
  expect((await imAdmin(["check", "--db", server.url])).status).toBe(0);
});

it("tells what is installed and what each function answers, and changes nothing", async () => {
  const flags = ["tables", "--db", server.url, "--schema", "told"];
  expect((await imAdmin(flags)).stderr).toMatch(/: nothing of im-admin is installed\n$/);
  expect((await imAdmin([...flags, "--json"])).stdout).toMatch(/^{"database":"postgres:[^"]*","findings":\[\]}\n$/);
  await imAdmin(["migrate", "--db", server.url, "--schema", "told"]);
  const own = "from im-admin's own table";
  const none = (await imAdmin(flags)).stderr;
  expect(none.slice(none.indexOf(": ") + 2)).toBe(`no map is installed
  getGroupMemberList: ${own}
  getBlackList: ${own}
  getJoinedGroupList: ${own}
  getReceivedGroupApplicationList: ${own}
  searchNotificationAccount: ${own}
  setConversations: writes im-admin's own table
`);

  const answers = {
    getGroupMemberList: "from chat.membership",
    getBlackList: own,
    getJoinedGroupList: "from chat.membership",
    getReceivedGroupApplicationList: "empty, the map has none",
    searchNotificationAccount: "empty, no user has the appMangerLevel of a notification account (3 or more)",
    setConversations: "writes im-admin's own table",
  };
  const installed = await imAdmin([...flags, "--map", fileOf(map), "--json"]);
  expect(JSON.parse(installed.stdout).answers).toEqual(answers);
  const told = await imAdmin([...flags, "--json"]);
  expect(told.stderr).toContain(`: the installed map has users, groups, groupMembers, groupRequests
  getGroupMemberList: from chat.membership
`);
  expect(JSON.parse(told.stdout)).toMatchObject({ findings: [], map, answers });
  await imAdmin([...flags, "--remove", "--all"]);
});

it("prints SQL for a host's own migrations", async () => {
  const file = fileOf(`export default ${JSON.stringify(map)};`, "map.mjs");
  await imAdmin(["migrate", "--db", server.url, "--schema", "printed"]);
  const flags = ["tables", "--map", file, "--db", server.url, "--schema", "printed", "--print"];
  const { stdout } = await imAdmin(flags);
  await server.pool.query(stdout.slice(0, stdout.indexOf("COMMIT;") + 7));
  expect(await triggers()).toHaveLength(8);
  const store = createPostgresStore({ pool: server.pool, schema: "printed" });
  expect(await store.listGroupMembers({ groupID: "7", keyword: "name 9", offset: 0, limit: 1 })).toMatchObject({
    total: 11,
  });
  await server.pool.query((await imAdmin([...flags, "--remove"])).stdout);
  expect(await triggers()).toEqual([]);
});

it("installs a map whatever the isolation of transactions is by default", async () => {
  const serializable = await startPostgres({ default_transaction_isolation: "serializable" });
  onTestFinished(() => serializable.stop());
  await serializable.pool.query("CREATE SCHEMA chat; CREATE TABLE chat.person (id text PRIMARY KEY)");
  const file = fileOf({ users: { from: "chat.person", key: { userID: "id" } } });
  expect(await imAdmin(["tables", "--map", file, "--db", serializable.url])).toMatchObject({ status: 0 });
});

it("refuses to write mapped records, and to replace tables that have records", async () => {
  await imAdmin(["tables", "--map", fileOf({ blacks: "empty" }), "--db", server.url]);
  const store = createPostgresStore({ pool: server.pool });
  await expect(store.put({ blacks: [{ ownerUserID: "a", blackUserID: "b" }] })).rejects.toThrow(
    "blacks are in a table of your own, which you write by your own SQL",
  );
  await expect(store.remove({ blacks: [{ ownerUserID: "a", blackUserID: "b" }] })).rejects.toThrow(
    "blacks are in a table",
  );
  await store.put({ users: [{ userID: "ann" }] });
  const { status, stderr } = await imAdmin(["tables", "--map", fileOf(map), "--db", server.url]);
  expect([status, stderr]).toEqual([1, expect.stringContaining("im_admin.users has records, which would be lost")]);
  // The earlier map still works.
  await expect(store.put({ blacks: [{ ownerUserID: "a", blackUserID: "b" }] })).rejects.toThrow(
    "blacks are in a table",
  );
});

it.each([
  ["--print", "--map must name the file of the map"],
  ["--all", "--all is for --remove, without --print"],
])("refuses %s alone", async (flag, message) => {
  const { status, stderr } = await imAdmin(["tables", flag, "--db", server.url]);
  expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
});

it.each([
  { map: "missing.json", status: 1, message: "missing.json: there is no such file" },
  { map: "missing.mjs", status: 1, message: "missing.mjs: there is no such file" },
  { map: "{", status: 1, message: "map.json: " },
  { map: { people: 1 }, status: 1, message: "people is nothing that a map has" },
])("says what is wrong with the map $map", async ({ map, status: expected, message }) => {
  const file = String(map).startsWith("missing.") ? String(map) : fileOf(map);
  const { status, stderr } = await imAdmin(["tables", "--map", file, "--db", server.url]);
  expect([status, stderr]).toEqual([expected, expect.stringContaining(message)]);
});

it("names the owners of tables that are not the user's own, and trusts them where it is told to", async () => {
  const role = "tables_of_another";
  await server.pool.query(`
    CREATE ROLE ${role}; CREATE SCHEMA theirs AUTHORIZATION ${role};
    SET ROLE ${role}; CREATE TABLE theirs.person (id text PRIMARY KEY); RESET ROLE`);
  onTestFinished(async () => void (await server.pool.query(`DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`)));
  const file = fileOf({ users: { from: "theirs.person", key: { userID: "id" } } });
  const flags = ["tables", "--map", file, "--db", server.url, "--schema", "of_theirs"];
  const refused = await imAdmin(flags);
  expect([refused.status, refused.stderr]).toEqual([
    1,
    expect.stringContaining(
      `the map would run code of others with the rights of postgres: theirs.person belongs to ${role}. ` +
        "Install it as their owner, or trust each owner: --trust-owner, or trustedOwners",
    ),
  ]);
  expect(await imAdmin([...flags, "--trust-owner", role])).toMatchObject({ status: 0 });
  // A repair makes the map again, and trusts the same roles.
  expect(await imAdmin(["check", "--repair", "--db", server.url, "--schema", "of_theirs"])).toMatchObject({
    status: 0,
  });
  const printed = await imAdmin([...flags, "--trust-owner", role, "--print"]);
  expect(printed.stdout).toContain(`ARRAY['${role}']::text[]`);
  expect(await imAdmin(["tables", "--remove", "--db", server.url, "--schema", "of_theirs"])).toMatchObject({
    status: 0,
  });
  const asOwner = ["--db", `${server.url}&options=-c%20role%3D${role}`, "--schema", "by_theirs"];
  await server.pool.query(`CREATE SCHEMA by_theirs AUTHORIZATION ${role}`);
  const { status, stderr } = await imAdmin(["tables", "--map", file, ...asOwner]);
  expect([status, stderr]).toEqual([0, expect.not.stringContaining("a superuser has installed the map")]);
  const inFile = await imAdmin(["tables", "--map", file, "--db", "im.db", "--trust-owner", role]);
  expect([inFile.status, inFile.stderr]).toEqual([2, expect.stringContaining("--trust-owner is for PostgreSQL")]);
});

it("tells what is installed in a file", async () => {
  const path = join(temporaryFolder(), "host.db");
  expect(await imAdmin(["tables", "--db", path])).toMatchObject({
    status: 1,
    stderr: `im-admin: there is no database ${path}\n`,
  });
  const host = new BetterSqlite3(path);
  onTestFinished(() => void host.close());
  host.exec("CREATE TABLE users (id TEXT, name TEXT); CREATE INDEX users_of_id ON users (id)");
  expect(await imAdmin(["tables", "--db", path])).toMatchObject({
    status: 0,
    stderr: `${path}: nothing of im-admin is installed\n`,
  });
  const users = { from: "users", key: { userID: "id" } };
  await imAdmin(["tables", "--map", fileOf({ users, conversations: "empty" }), "--db", path]);
  const told = await imAdmin(["tables", "--db", path]);
  expect([told.status, told.stderr]).toEqual([
    0,
    expect.stringContaining(`${path}: the installed map has users, conversations\n`),
  ]);
  expect(told.stderr).toContain("  setConversations: 1001, this server keeps no conversations\n");

  // From then on, lists could be wrong.
  host.exec("INSERT INTO users VALUES ('ann', 'Ann'), ('ann', 'Anna')");
  for (const command of [["tables", "--map", fileOf({ users, blacks: "empty" })], ["check"]]) {
    for (const flags of [[], ["--json"]]) {
      expect(await imAdmin([...command, "--db", path, ...flags])).toMatchObject({ status: 1 });
    }
  }
});

it("fails if two rows have the same key, since lists could then be wrong", async () => {
  await server.pool.query(`
    CREATE TABLE chat.twice (id text);
    INSERT INTO chat.twice VALUES ('ann')`);
  const tables = ["tables", "--map", fileOf({ users: { from: "chat.twice", key: { userID: "id" } } })];
  const flags = ["--db", server.url, "--schema", "twice"];
  expect((await imAdmin([...tables, ...flags])).status).toBe(0);
  await server.pool.query("INSERT INTO chat.twice VALUES ('ann')");
  for (const command of [["check"], ["check", "--json"], tables, [...tables, "--json"]]) {
    const { status, stderr } = await imAdmin([...command, ...flags]);
    expect([status, stderr]).toEqual([1, expect.stringMatching(/have the same key|keys have several rows/)]);
  }
  await imAdmin(["tables", "--remove", "--all", ...flags]);
});

it("installs a map in a file, prints its SQL, and removes it", async () => {
  const path = join(temporaryFolder(), "host.db");
  const host = new BetterSqlite3(path);
  onTestFinished(() => void host.close());
  host.exec(`
    CREATE TABLE users (id TEXT PRIMARY KEY, name TEXT);
    INSERT INTO users VALUES ('ann', 'Ann'), ('', 'Nobody')`);
  const file = fileOf({ users: { from: "users", key: { userID: "id" }, fields: { nickname: "name" } } });
  const refused = await imAdmin(["tables", "--remove", "--db", path]);
  expect([refused.status, refused.stderr]).toEqual([
    1,
    expect.stringContaining("it is no database of im-admin, but of another program"),
  ]);
  expect(await imAdmin(["tables", "--map", file, "--db", path])).toMatchObject({
    status: 0,
    stderr: expect.stringContaining(
      `rows of users are not listed: userID is NULL or empty (1, such as )\n${path}: the lists are over your tables\n  getGroupMemberList: from im-admin's own table\n`,
    ),
  });
  const mapped = () => host.prepare("SELECT record FROM im_admin_sources").pluck().all();
  expect(mapped()).toEqual(["users"]);
  expect(await imAdmin(["check", "--db", path])).toMatchObject({ status: 0 });

  host.exec("DROP TRIGGER im_admin_users_inserted; INSERT INTO users VALUES ('bob', 'Bob')");
  expect((await imAdmin(["check", "--db", path])).stderr).toContain("the trigger im_admin_users_inserted is missing");
  expect(await imAdmin(["check", "--repair", "--db", path])).toMatchObject({ status: 0 });
  expect(await imAdmin(["check", "--db", path])).toMatchObject({ status: 0 });

  expect(await imAdmin(["tables", "--remove", "--db", path])).toMatchObject({ status: 0 });
  expect(mapped()).toEqual([]);
  const { stdout } = await imAdmin(["tables", "--map", file, "--db", path, "--print"]);
  // D1 and tools for migrations have a transaction of their own.
  host.exec(`BEGIN; ${stdout}; COMMIT`);
  expect(mapped()).toEqual(["users"]);
});

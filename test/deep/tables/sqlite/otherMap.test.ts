/** Another process installs another map while a store is open. */
import type BetterSqlite3 from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { createLibsqlStore, type LibsqlClient } from "../../../../src/stores/drivers/libsql.js";
import { openSqliteStore } from "../../../../src/stores/drivers/sqlite.js";
import { mappedDatabase, selectSources } from "../../../../src/stores/sqlite/map/mapped.js";
import { sql } from "../../../../src/stores/sqlite/sql.js";
import type { TableMap } from "../../../../src/tables/map.js";
import { openMappedFile } from "../../../helpers/mappedFile.js";
import { openSqliteDatabase } from "../../../helpers/stores.js";

const users = (from: string): TableMap => ({
  users: { from, key: { userID: "id" }, fields: { nickname: "name", appMangerLevel: "level" } },
});

const conversations = (from: string): TableMap => ({
  conversations: {
    from,
    key: { ownerUserID: "owner", conversationID: "cid" },
    fields: { conversationType: "kind", userID: "user_id", groupID: "group_id", ex: "ex" },
  },
});

const tables = ["one", "two"].map(
  (table) => `
    CREATE TABLE ${table} (id TEXT PRIMARY KEY, name TEXT, level INTEGER);
    CREATE TABLE inbox_${table} (owner TEXT, cid TEXT, kind INTEGER, user_id TEXT, group_id TEXT, ex TEXT, conversation_id TEXT,
      PRIMARY KEY (owner, cid));`,
);

const openHost = (map: TableMap) => openMappedFile(tables.join(""), map);

/** People with the numbers of a range. */
const people = (table: string, from: number, to: number) => `
  INSERT INTO ${table}
    WITH RECURSIVE n (i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${to})
    SELECT 'u' || i, '${table}', 3 FROM n`;

it.each([0, 1])("settles in the background from the tables of the new map, with %i threads", async (threads) => {
  const { path, host, install } = await openHost(users("one"));
  const store = openSqliteStore({ path, threads });
  onTestFinished(() => store.close());
  const total = async () => (await store.listNotificationAccounts({ keyword: "", offset: 0, limit: 1 })).total;
  const waiting = () => host.prepare("SELECT count(*) FROM im_admin_changed").pluck().get();
  // So many that the thread settles them.
  host.exec(people("one", 1, 200));
  expect(await total()).toBe(200);
  await install(users("two"));
  host.exec(people("two", 1, 300));
  await expect.poll(waiting).toBe(0);
  expect(await total()).toBe(300);
});

it("reads by the new map where it was installed after the schema was looked at", async () => {
  const { path, host, database, install } = await openHost(users("one"));
  host.exec(people("one", 1, 5));
  const other = openSqliteDatabase({ path });
  onTestFinished(() => other.close());
  const [rows = []] = await other.read([selectSources]);
  let isInstalled = false;
  const late = mappedDatabase(
    {
      ...database,
      async read(statements) {
        if (!isInstalled) {
          isInstalled = true;
          host.exec("ALTER TABLE one RENAME COLUMN name TO display_name");
          await install({ users: { from: "one", key: { userID: "id" }, fields: { nickname: "display_name" } } });
        }
        return (database.direct ?? database).read(statements);
      },
    },
    { isWatched: true, rows },
  );
  const [found = []] = await late.read([sql`SELECT nickname FROM im_admin_users ORDER BY user_id LIMIT 1`]);
  expect(found).toEqual([{ nickname: "one" }]);
});

it("puts members with the nicknames of the new map", async () => {
  const { path, host, install } = await openHost(users("one"));
  host.exec(`${people("one", 1, 1)}; ${people("two", 1, 1)}`);
  const store = openSqliteStore({ path, threads: 0 });
  onTestFinished(() => store.close());
  const members = Array.from({ length: 2_500 }, (_, index) => ({ groupID: "g", userID: `m${index}` }));
  await store.put({ groups: [{ groupID: "g" }], groupMembers: members });
  await install(users("two"));
  await store.put({ groupMembers: [{ groupID: "g", userID: "u1" }] });
  const found = await store.listGroupMembers({ groupID: "g", keyword: "two", offset: 0, limit: 9 });
  expect(found?.items.map(({ userID }) => userID)).toEqual(["u1"]);
});

it("reads the rows of the new map in a thread while another program has the lock", async () => {
  const { path, host, install } = await openHost(users("one"));
  const store = openSqliteStore({ path });
  onTestFinished(() => store.close());
  const total = async () => (await store.listNotificationAccounts({ keyword: "", offset: 0, limit: 1 })).total;
  const locked = async <Result>(run: () => Promise<Result>) => {
    host.exec("BEGIN IMMEDIATE");
    const result = await run();
    host.exec("COMMIT");
    return result;
  };
  host.exec(people("one", 1, 2));
  expect(await locked(total)).toBe(2);
  await install(users("two"));
  host.exec(people("two", 1, 3));
  expect(await locked(total)).toBe(3);
});

it("reads single records of the new map, too", async () => {
  const { path, host, install } = await openHost({ ...users("one"), ...conversations("inbox_one") });
  const store = openSqliteStore({ path });
  onTestFinished(() => store.close());
  const insert = (from: string) => `
    ${people(from, 1, 1)}; INSERT INTO inbox_${from} VALUES ('u1', 'si_${from}', 1, '${from}', '', '', '')`;
  host.exec(`${insert("one")}; ${insert("two")}`);
  const records = async () => {
    const names = await store.names?.({ groupIDs: [], userIDs: ["u1"] });
    return [names?.users[0]?.nickname, (await store.conversations("u1"))[0]?.conversationID];
  };
  expect(await records()).toEqual(["one", "si_one"]);
  await install({ ...users("two"), ...conversations("inbox_two") });
  expect(await records()).toEqual(["two", "si_two"]);
});

/** A client that runs a batch as libSQL does. */
function clientOf(connection: BetterSqlite3.Database): LibsqlClient {
  const run = connection.transaction((statements: Parameters<LibsqlClient["batch"]>[0]) =>
    statements.map(({ sql, args }) => {
      const statement = connection.prepare(sql);
      if (!statement.reader) return { columns: [], rows: [], done: statement.run(...args) };
      return {
        columns: statement.columns().map(({ name }) => name),
        rows: statement.raw().all(...args) as unknown[][],
      };
    }),
  );
  return { batch: async (statements) => run.immediate(statements) };
}

it.each(["a file", "a batch"])("sets conversations in the table of the new map, in %s", async (engine) => {
  const { path, host, install } = await openHost(conversations("inbox_one"));
  const store = engine === "a file" ? openSqliteStore({ path }) : createLibsqlStore(clientOf(host));
  onTestFinished(() => store.close());
  await store.put({ users: [{ userID: "a" }, { userID: "b" }] });
  const set = (ex: string) =>
    store.setConversations({
      ...{ userIDs: ["a"], conversationID: "si_b", conversationType: 1, userID: "b", groupID: "" },
      fields: { ex },
    });
  expect(await set("first")).toMatchObject({ outcome: "done" });
  await install(conversations("inbox_two"));
  expect(await set("second")).toMatchObject({ outcome: "done" });
  expect(host.prepare("SELECT ex FROM inbox_one UNION ALL SELECT ex FROM inbox_two").pluck().all()).toEqual([
    "first",
    "second",
  ]);
});

it.each(["request", "users"])("sets conversations in a table that is called %s", async (name) => {
  const { path, host, install } = await openHost({});
  host.exec(`ALTER TABLE inbox_one RENAME TO ${name}`);
  const store = openSqliteStore({ path });
  onTestFinished(() => store.close());
  await store.put({ users: [{ userID: "a" }, { userID: "b" }] });
  await install(conversations(name));
  for (const ex of ["first", "second"]) {
    const result = await store.setConversations({
      ...{ userIDs: ["a"], conversationID: "si_b", conversationType: 1, userID: "b", groupID: "" },
      fields: { ex },
    });
    expect(result).toEqual({ outcome: "done", changedUserIDs: ["a"] });
    expect(host.prepare(`SELECT * FROM ${name}`).raw().all()).toEqual([["a", "si_b", 1, "b", null, ex, null]]);
  }
});

/** A database of version 1 of the schema is brought to the current version, on every engine. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import BetterSqlite3 from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import type { BundledStore } from "../../../src/stores/bundledStore.js";
import { createD1Store, migrateD1 } from "../../../src/stores/drivers/d1.js";
import { createLibsqlStore, migrateLibsql } from "../../../src/stores/drivers/libsql.js";
import { defaultSizes } from "../../../src/stores/sqlite/nodes/nodeTables.js";
import { checkLists } from "../../../src/stores/sqlite/upkeep/checkAll.js";
import { repairLists } from "../../../src/stores/sqlite/upkeep/repair.js";
import { tablesSql } from "../../../src/tables/index.js";
import { fileEngines, openSqliteDatabase, temporaryFolder } from "../../helpers/stores.js";
import { startDurableObjects, startWorker } from "../../helpers/workerd.js";

const text = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

const statementsOf = (sql: string) => sql.split(/;\n\n/).filter((statement) => statement.trim() !== "");

/** A database of version 1, as files have it. */
const made = `CREATE TABLE im_admin_schema_version (version INTEGER NOT NULL) STRICT;

INSERT INTO im_admin_schema_version (version) VALUES (1);

${text("src/stores/sqlite/schema/0001.sql")}`;

/** What it holds: records, and a column of a host. */
const records = `
ALTER TABLE im_admin_conversations ADD COLUMN note TEXT;

INSERT INTO im_admin_users (user_id, app_manger_level) VALUES ('u1', 3), ('u2', 1);

INSERT INTO im_admin_groups (group_id) VALUES ('g1');

INSERT INTO im_admin_group_members (group_id, user_id, role_level) VALUES ('g1', 'u1', 100), ('asked', 'u1', 60);

INSERT INTO im_admin_group_requests (group_id, user_id, req_time)
  SELECT 'asked', 'v' || value, value FROM json_each('${JSON.stringify(Array.from({ length: 400 }, (_, index) => index))}');

INSERT INTO im_admin_group_requests (group_id, user_id, req_time) VALUES ('g1', 'u2', 100);

INSERT INTO im_admin_conversations (owner_user_id, conversation_id, conversation_type, group_id, ex, burn_duration, note)
  VALUES ('u1', 'c', 3, 'g1', 'kept', 30, 'of the host');
`;

const stored = { ownerUserID: "u1", conversationID: "c", conversationType: 3, groupID: "g1", ex: "kept" };
const newer = { minSeq: 3, maxSeq: 2 ** 53 - 1, groupAtType: -1, msgDestructTime: 60, isMsgDestruct: true };
const change = { conversationID: "c", conversationType: 3, userID: "", groupID: "g1" } as const;

function fileOfFirst(sql = `${made}${records}`): string {
  const path = join(temporaryFolder(), "im.db");
  const connection = new BetterSqlite3(path);
  connection.exec(sql);
  connection.close();
  return path;
}

/** The records are as they were, and the newer fields can be set. */
async function expectCurrent(store: BundledStore): Promise<void> {
  expect(await store.conversations("u1")).toMatchObject([
    { ...stored, burnDuration: 30, minSeq: 0, maxSeq: 0, groupAtType: 0, msgDestructTime: 0, isMsgDestruct: false },
  ]);
  const done = await store.setConversations({ ...change, userIDs: ["u1", "u2"], fields: newer });
  expect(done).toEqual({ outcome: "done", changedUserIDs: ["u1", "u2"] });
  expect(await store.conversations("u1")).toMatchObject([{ ...stored, burnDuration: 30, ...newer }]);
  expect(await store.conversations("u2")).toMatchObject([{ ...change, ...newer, ex: "" }]);
  expect(await store.listGroupMembers({ groupID: "g1", keyword: "", offset: 0, limit: 9 })).toMatchObject({ total: 1 });
  const requests = await store.listReceivedGroupRequests({ userID: "u1", offset: 299, limit: 3 });
  expect(requests?.total).toBe(401);
  expect(requests?.items.map(({ userInfo }) => userInfo.userID)).toEqual(["v100", "u2", "v99"]);
}

async function findingsIn(path: string) {
  const database = openSqliteDatabase({ path });
  onTestFinished(() => database.close());
  return checkLists(database, defaultSizes);
}

it.each(Object.entries(fileEngines))("%s brings a file of version 1 to the current version", async (_, open) => {
  const path = fileOfFirst();
  const store = open({ path });
  await expectCurrent(store);
  await store.close();
  expect(await findingsIn(path)).toEqual([]);
  const connection = new BetterSqlite3(path);
  expect(connection.prepare("SELECT note FROM im_admin_conversations").pluck().all()).toEqual(["of the host", null]);
  connection.close();
});

it("libSQL brings a file of version 1 to the current version", async () => {
  const path = fileOfFirst();
  const client = createClient({ url: `file:${path}` });
  await migrateLibsql(client);
  await expectCurrent(createLibsqlStore(client));
  client.close();
  expect(await findingsIn(path)).toEqual([]);
});

describe("a Worker", () => {
  it.each<[string, (worker: Awaited<ReturnType<typeof startWorker>>) => Promise<unknown>]>([
    ["migrateD1", ({ database }) => migrateD1(database)],
    [
      "the numbered files",
      async ({ run }) => {
        for (const file of ["0002", "0003"]) {
          for (const statement of statementsOf(text(`migrations/${file}.sql`))) await run(statement);
        }
      },
    ],
  ])("brings a D1 database of version 1 to the current version by %s", async (_, migrate) => {
    const worker = await startWorker();
    onTestFinished(worker.stop);
    for (const statement of statementsOf(text("migrations/0001.sql") + records)) await worker.run(statement);
    await migrate(worker);
    await expectCurrent(createD1Store(worker.database));
    expect(await worker.run("SELECT version FROM im_admin_schema_version")).toEqual([{ version: 3 }]);
  });

  it("brings a Durable Object of version 1 to the current version", async () => {
    const { ask, stop } = await startDurableObjects();
    onTestFinished(stop);
    for (const sql of statementsOf(made + records)) await ask("old", { sql });
    const sql = "SELECT ex, burn_duration, max_seq, is_msg_destruct, note FROM im_admin_conversations";
    expect(await ask("old", { sql, isStoreMade: true })).toEqual([
      { ex: "kept", burn_duration: 30, max_seq: 0, is_msg_destruct: 0, note: "of the host" },
    ]);
  });
});

it.each(Object.entries(fileEngines))("%s says what to do with a file of version 1 for reading only", (_, open) => {
  const path = fileOfFirst();
  expect(() => open({ path, readonly: true })).toThrow(
    `cannot open the database ${path}: it does not have schema version 3 yet, and it is opened for reading only: open it once for writing`,
  );
});

it("a file of version 1 is not checked, since a newer version keeps more", async () => {
  const connection = new BetterSqlite3(fileOfFirst());
  onTestFinished(() => void connection.close());
  const read = async (statements: Iterable<{ text: string; values: readonly unknown[] }>) =>
    Array.from(statements, (statement) => connection.prepare(statement.text).all(...statement.values));
  const database = { read, write: read, close: async () => {} } as never;
  expect(await checkLists(database, defaultSizes)).toMatchObject([
    {
      kind: "unchecked",
      problem: expect.stringContaining("the schema has version 1, and this im-admin checks version 3"),
    },
  ]);
});

it("a repair adds what a table of version 1 lacks where the version is lost", async () => {
  const connection = new BetterSqlite3(fileOfFirst(`${made}${records}DELETE FROM im_admin_schema_version;`));
  const run = async (statements: Iterable<{ text: string; values: readonly unknown[] }>) =>
    Array.from(statements, ({ text, values }) => {
      const statement = connection.prepare(text);
      if (statement.reader) return statement.all(...values);
      statement.run(...values);
      return [];
    });
  const database = { read: run, write: run, close: async () => {} } as never;
  const lacking = {
    kind: "wrong",
    problem: "the table im_admin_conversations lacks columns",
    count: 5,
    example: "min_seq",
  };
  expect(await checkLists(database, defaultSizes)).toContainEqual(expect.objectContaining(lacking));
  await repairLists(database, defaultSizes);
  expect(await checkLists(database, defaultSizes)).toEqual([]);
  connection.close();
});

describe("mapped records", () => {
  const mapped = `
    CREATE TABLE people (id TEXT PRIMARY KEY, name TEXT, level INTEGER);
    CREATE TABLE inbox (owner TEXT, name TEXT, type INTEGER, peer TEXT, room TEXT, pinned INTEGER, PRIMARY KEY (owner, name));
    ${made}
    ${text("test/helpers/versions/sqliteMapped1.sql")}
    INSERT INTO people VALUES ('u1', 'Ann', 3), ('u2', 'Bob', 1);
    INSERT INTO im_admin_groups (group_id) VALUES ('g1');`;

  it.each(Object.entries(fileEngines))("%s migrates them by their map", async (_, open) => {
    const path = fileOfFirst(mapped);
    const store = open({ path, adopt: true });
    expect(await store.listNotificationAccounts({ keyword: "", offset: 0, limit: 9 })).toMatchObject({
      total: 1,
      items: [{ userID: "u1", nickName: "Ann" }],
    });
    const done = await store.setConversations({ ...change, userIDs: ["u2"], fields: { isPinned: true } });
    expect(done).toEqual({ outcome: "done", changedUserIDs: ["u2"] });
    expect(await store.conversations("u2")).toMatchObject([{ ...change, isPinned: true, minSeq: 0 }]);
    await expect(store.setConversations({ ...change, userIDs: ["u2"], fields: { minSeq: 1 } })).rejects.toThrow(
      "conversations are mapped without minSeq",
    );
    await store.close();
    expect(await findingsIn(path)).toEqual([]);
    const connection = new BetterSqlite3(path);
    connection.exec("UPDATE people SET level = 3");
    connection.close();
    const again = open({ path });
    onTestFinished(() => again.close());
    expect(await again.listNotificationAccounts({ keyword: "", offset: 0, limit: 9 })).toMatchObject({ total: 2 });
  });

  it("another engine leaves them as they are, and says what to do", async () => {
    const path = fileOfFirst(mapped);
    const client = createClient({ url: `file:${path}` });
    onTestFinished(() => client.close());
    await expect(migrateLibsql(client)).rejects.toThrow(
      'its records are mapped to tables of your own, and it has not schema version 3 yet: run the "remove" statements of the im-admin that has mapped them, migrate, and run the "install" statements of this one',
    );
    const { rows } = await client.execute("SELECT version FROM im_admin_schema_version");
    expect(rows.map(({ version }) => version)).toEqual([1]);

    const [[map] = []] = (await client.execute("SELECT map FROM im_admin_table_map")).rows.map((row) => [row["map"]]);
    const { install } = tablesSql(JSON.parse(String(map)), { engine: "sqlite" });
    // Version 1 removed the map like this: it dropped what it had made of it, and made its own tables again.
    const dropped = [
      "TRIGGER im_admin_users_inserted",
      "TRIGGER im_admin_users_updated",
      "TRIGGER im_admin_users_deleted",
    ];
    const own = /^CREATE (TABLE im_admin_(users|conversations)|TRIGGER im_admin_users_(inserted|updated|deleted)) /;
    await client.batch([
      ...[
        ...dropped,
        "INDEX im_admin_users_by_key",
        "INDEX im_admin_conversations_by_key",
        "VIEW im_admin_users",
        "VIEW im_admin_conversations",
      ].map((object) => `DROP ${object}`),
      ...statementsOf(text("src/stores/sqlite/schema/0001.sql")).filter((statement) => own.test(statement)),
      "DELETE FROM im_admin_table_map",
      "DELETE FROM im_admin_listed_users",
    ]);
    await migrateLibsql(client);
    await client.batch([...install]);
    const store = createLibsqlStore(client);
    await store.setConversations({ ...change, userIDs: ["u2"], fields: { isPinned: true } });
    expect(await store.conversations("u2")).toMatchObject([{ ...change, isPinned: true, minSeq: 0 }]);
    client.close();
    expect(await findingsIn(path)).toEqual([]);
  });
});

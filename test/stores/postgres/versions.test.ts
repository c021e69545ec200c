/** A schema of version 1 is brought to the current version. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { createPostgresStore, migratePostgres } from "../../../src/stores/postgres/index.js";
import { whyMigrate } from "../../../src/stores/postgres/schema/migrate.js";
import { quoted } from "../../../src/stores/postgres/sql.js";
import { checkLists } from "../../../src/stores/postgres/upkeep/checkAll.js";
import { repairLists } from "../../../src/stores/postgres/upkeep/repair.js";
import { checkMap, installedSql, installMap, renewalOf } from "../../../src/tables/postgres/installed.js";
import { postgresForFile } from "../../helpers/postgres/server.js";
import { settle } from "../../helpers/postgres/sessions.js";

const server = postgresForFile();
const text = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
const first = text("migrations/postgres/0001.sql");
const second = text("migrations/postgres/0002.sql");
const schema = quoted("im_admin");

const stored = { ownerUserID: "u1", conversationID: "c", conversationType: 3, groupID: "g1", ex: "kept" };
const newer = { minSeq: 3, maxSeq: 2 ** 53 - 1, groupAtType: -1, msgDestructTime: 60, isMsgDestruct: true };
const change = { conversationID: "c", conversationType: 3, userID: "", groupID: "g1" } as const;

async function makeFirst(): Promise<void> {
  await server.pool.query(`DROP SCHEMA IF EXISTS im_admin CASCADE; DROP SCHEMA IF EXISTS chat CASCADE; ${first}`);
}

/** How im-admin asks a schema of version 1 to set a conversation. */
const askedBefore =
  "SELECT outcome, user_ids FROM im_admin.set_conversations($1, 'c', 3, '', 'g1', NULL, NULL, $2, NULL, NULL, NULL)";

it.each<[string, () => Promise<unknown>]>([
  ["migratePostgres", () => migratePostgres(server.pool)],
  ["two processes at once", () => Promise.all([migratePostgres(server.pool), migratePostgres(server.pool)])],
  ["the numbered file", () => server.pool.query(second)],
])("keeps the records, and sets the newer fields, after a migration by %s", async (_, migrate) => {
  await makeFirst();
  await server.pool.query(`
    ALTER TABLE im_admin.conversations ADD COLUMN note text;
    INSERT INTO im_admin.users (user_id) VALUES ('u1'), ('u2');
    INSERT INTO im_admin.groups (group_id) VALUES ('g1');
    INSERT INTO im_admin.group_members (group_id, user_id) SELECT 'g1', 'u' || n FROM generate_series(1, 300) n;
    INSERT INTO im_admin.conversations (owner_user_id, conversation_id, conversation_type, group_id, ex, note)
      VALUES ('u1', 'c', 3, 'g1', 'kept', 'of the host')`);
  expect(await whyMigrate(server.pool, schema)).toBe('the schema "im_admin" has version 1 of 2');
  await migrate();
  expect(await whyMigrate(server.pool, schema)).toBeUndefined();
  const store = createPostgresStore({ pool: server.pool });
  expect(await store.conversations("u1")).toMatchObject([
    { ...stored, minSeq: 0, maxSeq: 0, groupAtType: 0, msgDestructTime: 0, isMsgDestruct: false },
  ]);
  const done = await store.setConversations({ ...change, userIDs: ["u1", "u2"], fields: newer });
  expect(done).toMatchObject({ outcome: "done", changedUserIDs: expect.arrayContaining(["u1", "u2"]) });
  expect(await store.conversations("u1")).toMatchObject([{ ...stored, ...newer }]);
  // A process of the earlier version goes on until it is stopped.
  const { rows } = await server.pool.query(askedBefore, [["u2"], true]);
  expect(rows).toEqual([{ outcome: "done", user_ids: '["u2"]' }]);
  expect(await store.conversations("u2")).toMatchObject([{ ...change, ...newer, isPinned: true }]);
  await settle(server.pool);
  expect(await checkLists(server.pool, schema)).toEqual([]);
  expect(await store.listGroupMembers({ groupID: "g1", keyword: "", offset: 0, limit: 1 })).toMatchObject({
    total: 300,
  });
  await repairLists(server.pool, schema);
  expect(await store.setConversations({ ...change, userIDs: ["u2"], fields: { minSeq: 4 } })).toEqual({
    outcome: "done",
    changedUserIDs: ["u2"],
  });
});

it("migrates a schema whose records are mapped, by the map", async () => {
  await makeFirst();
  await server.pool.query(`
    CREATE SCHEMA chat;
    CREATE TABLE chat.people (id text PRIMARY KEY, name text, level integer);
    CREATE TABLE chat.inbox (owner text, name text, type integer, peer text, room text, pinned boolean, PRIMARY KEY (owner, name));
    INSERT INTO chat.people VALUES ('u1', 'Ann', 3), ('u2', 'Bob', 1);
    INSERT INTO im_admin.groups (group_id) VALUES ('g1');`);
  const connection = await server.pool.connect();
  await connection.query(`BEGIN; ${text("test/helpers/versions/postgresMapped1.sql")} COMMIT; RESET ALL`);
  connection.release(true);
  await migratePostgres(server.pool);
  await settle(server.pool);
  const store = createPostgresStore({ pool: server.pool });
  const done = await store.setConversations({ ...change, userIDs: ["u2"], fields: { isPinned: true } });
  expect(done).toEqual({ outcome: "done", changedUserIDs: ["u2"] });
  expect(await store.conversations("u2")).toMatchObject([{ ...change, isPinned: true, minSeq: 0 }]);
  await expect(store.setConversations({ ...change, userIDs: ["u2"], fields: { minSeq: 1 } })).rejects.toThrow(
    "conversations are mapped without minSeq",
  );
  await server.pool.query("UPDATE chat.people SET level = 3");
  const accounts = { keyword: "", offset: 0, limit: 9 };
  expect(await store.listNotificationAccounts(accounts)).toMatchObject({ total: 2, items: [{ nickName: "Ann" }, {}] });
  await settle(server.pool);
  expect([...(await checkLists(server.pool, schema)), ...(await checkMap(server.pool, schema))]).toEqual([]);

  // The map can be taken back, and a repair knows it.
  await repairLists(server.pool, schema, undefined, await renewalOf(server.pool, schema));
  await installMap(server.pool, schema);
  expect(await installedSql(server.pool, schema)).toBeUndefined();
  await server.pool.query("INSERT INTO im_admin.users (user_id) VALUES ('u2')");
  await store.setConversations({ ...change, userIDs: ["u2"], fields: newer });
  expect(await store.conversations("u2")).toMatchObject([{ ...change, ...newer }]);
});

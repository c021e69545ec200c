import { expect, it } from "vitest";
import { createPostgresStore, migratePostgres } from "../../../src/stores/postgres/index.js";
import { quoted } from "../../../src/stores/postgres/sql.js";
import { installMap } from "../../../src/tables/postgres/installed.js";
import { postgresForFile } from "../../helpers/postgres/server.js";
import { settle } from "../../helpers/postgres/sessions.js";

const server = postgresForFile();

it("works with any names of a host's columns", async () => {
  await server.pool.query(`
    CREATE SCHEMA chat;
    CREATE TABLE chat."row" (id text PRIMARY KEY, written text, "keys" text);
    CREATE TABLE chat.entry (lists text, owners text, changes bigint, "row" integer, entry text, PRIMARY KEY (lists, owners));
    CREATE INDEX ON chat.entry (owners)`);
  await migratePostgres(server.pool);
  await installMap(server.pool, quoted("im_admin"), {
    users: { from: "chat.row", key: { userID: "id" }, fields: { nickname: "keys", ex: "written" } },
    groups: { from: "chat.row", key: { groupID: "id" } },
    groupMembers: {
      from: "chat.entry",
      key: { groupID: "lists", userID: "owners" },
      fields: { joinTime: "changes", roleLevel: '"row"', nickname: "entry.entry" },
    },
  });
  await server.pool.query(`
    INSERT INTO chat."row" VALUES ('a', 'x', 'Ann'), ('g', '', '');
    INSERT INTO chat.entry SELECT 'g', 'u' || n, n, 20 FROM generate_series(1, 200) n;
    INSERT INTO chat.entry VALUES ('g', 'a', 300, 100)`);
  await settle(server.pool);
  await server.pool.query(
    `UPDATE chat.entry SET changes = 400 WHERE owners = 'u1'; UPDATE chat."row" SET "keys" = 'Anna'`,
  );
  const { rows } = await server.pool.query("SELECT problem FROM im_admin.list_doubts");
  expect(rows).toEqual([]);
  const store = createPostgresStore({ pool: server.pool });
  const list = { groupID: "g", offset: 0, limit: 1 };
  expect(await store.listGroupMembers({ ...list, keyword: "" })).toMatchObject({
    total: 201,
    items: [{ userID: "a" }],
  });
  expect((await store.listGroupMembers({ ...list, keyword: "", offset: 200 }))?.items).toMatchObject([
    { userID: "u1" },
  ]);
  expect((await store.listGroupMembers({ ...list, keyword: "anna" }))?.total).toBe(1);
});

it("asks the rows for the requests of each result where a second table says which requests there are", async () => {
  await server.pool.query(`
    DROP SCHEMA im_admin CASCADE;
    CREATE SCHEMA desk;
    CREATE TABLE desk.room (id text PRIMARY KEY, is_open boolean);
    CREATE TABLE desk.asked (room text, person text, result integer, PRIMARY KEY (room, person))`);
  await migratePostgres(server.pool);
  await installMap(server.pool, quoted("im_admin"), {
    groupRequests: {
      from: "desk.asked",
      key: { groupID: "room", userID: "person" },
      where: "EXISTS (SELECT FROM desk.room WHERE room.id = asked.room AND room.is_open)",
      fields: { handleResult: "result" },
      also: [{ table: "desk.room", key: { groupID: "id" } }],
    },
  });
  const store = createPostgresStore({ pool: server.pool });
  await store.put({
    users: [{ userID: "u1" }],
    groups: [{ groupID: "g1" }],
    groupMembers: [{ groupID: "g1", userID: "u1", roleLevel: 100 }],
  });
  await server.pool.query(`
    INSERT INTO desk.room VALUES ('g1', true);
    INSERT INTO desk.asked SELECT 'g1', 'p' || n, n % 2 FROM generate_series(1, 600) n`);
  await settle(server.pool);
  const pending = async () =>
    (await store.listReceivedGroupRequests({ userID: "u1", handleResults: [0], offset: 0, limit: 1 }))?.total;
  expect(await pending()).toBe(300);
  await server.pool.query("UPDATE desk.room SET is_open = false");
  expect(await pending()).toBe(0);
  await settle(server.pool);
  expect(await pending()).toBe(0);
  await server.pool.query("UPDATE desk.room SET is_open = true");
  expect(await pending()).toBe(300);
  await settle(server.pool);
  expect(await pending()).toBe(300);
});

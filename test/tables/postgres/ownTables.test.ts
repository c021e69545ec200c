import { expect, it } from "vitest";
import { createPostgresStore, migratePostgres } from "../../../src/stores/postgres/index.js";
import { quoted } from "../../../src/stores/postgres/sql.js";
import { checkMap, installMap } from "../../../src/stores/postgres/upkeep/installMap.js";
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
  const { rows } = await server.pool.query("SELECT record, first, second FROM im_admin.touched ORDER BY record");
  expect(rows).toEqual([
    { record: "group_members", first: "g", second: "u1" },
    { record: "users", first: "a", second: null },
    { record: "users", first: "g", second: null },
  ]);
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

it("moves requests to the list of another result where a second table says what the result is", async () => {
  await server.pool.query(`
    DROP SCHEMA im_admin CASCADE;
    CREATE SCHEMA desk;
    CREATE TABLE desk.room (id text PRIMARY KEY, is_open boolean);
    CREATE TABLE desk.asked (room text, person text, PRIMARY KEY (room, person))`);
  await migratePostgres(server.pool);
  await installMap(server.pool, quoted("im_admin"), {
    groupRequests: {
      from: "desk.asked",
      key: { groupID: "room", userID: "person" },
      fields: {
        handleResult: "(SELECT CASE WHEN is_open THEN 0 ELSE -1 END FROM desk.room WHERE room.id = asked.room)",
      },
      also: [{ table: "desk.room", key: { groupID: "id" } }],
    },
  });
  const store = createPostgresStore({ pool: server.pool });
  await store.put({
    users: [{ userID: "u1" }],
    groups: [{ groupID: "g1" }, { groupID: "g2" }],
    groupMembers: ["g1", "g2"].map((groupID) => ({ groupID, userID: "u1", roleLevel: 100 })),
  });
  await server.pool.query(`
    INSERT INTO desk.room VALUES ('g1', true), ('g2', true);
    INSERT INTO desk.asked SELECT id, 'p' || n FROM generate_series(1, 300) n, desk.room`);
  await settle(server.pool);
  const totals = () =>
    Promise.all(
      [0, -1].map(async (result) => {
        const query = { userID: "u1", handleResults: [result], offset: 0, limit: 1 };
        return (await store.listReceivedGroupRequests(query))?.total;
      }),
    );
  for (const isOpen of [true, false, true]) {
    await server.pool.query("UPDATE desk.room SET is_open = $1", [isOpen]);
    const expected = isOpen ? [600, 0] : [0, 600];
    expect(await totals()).toEqual(expected);
    await settle(server.pool);
    expect(await totals()).toEqual(expected);
  }
});

it("takes the latest row of a key before those without a value in the column that grows", async () => {
  await server.pool.query(`
    DROP SCHEMA im_admin CASCADE;
    CREATE SCHEMA past;
    CREATE TABLE past.step (room text, person text, position integer, state text);
    INSERT INTO past.step VALUES ('g1', 'u1', NULL, 'join'), ('g1', 'u2', 1, 'join'), ('g1', 'u3', 1, 'join')`);
  await migratePostgres(server.pool);
  await installMap(server.pool, quoted("im_admin"), {
    groups: { from: "(SELECT DISTINCT room FROM past.step) AS room", key: { groupID: "room" } },
    groupMembers: {
      from: "past.step",
      key: { groupID: "room", userID: "person" },
      latest: "position",
      where: "state = 'join'",
    },
  });
  await server.pool.query(`
    INSERT INTO past.step VALUES ('g1', 'u1', 1, 'leave'), ('g1', 'u2', NULL, 'leave'), ('g1', 'u3', NULL, 'join')`);
  const store = createPostgresStore({ pool: server.pool });
  const page = await store.listGroupMembers({ groupID: "g1", keyword: "", offset: 0, limit: 9 });
  expect([page?.total, page?.items.map(({ userID }) => userID)]).toEqual([2, ["u2", "u3"]]);
});

it("leaves the name of its own schema in a host's texts as it is, and a view without triggers", async () => {
  await migratePostgres(server.pool, { schema: "acme" });
  await server.pool.query(`
    CREATE SCHEMA office;
    CREATE TABLE office.room (id text PRIMARY KEY);
    CREATE TABLE office.seat (room text, person text, kind text, im_admin boolean, PRIMARY KEY (room, person));
    CREATE VIEW office.taken AS SELECT * FROM office.seat;
    INSERT INTO office.room VALUES ('r1');
    INSERT INTO office.seat VALUES ('r1', 'a', 'member', false), ('r1', 'b', 'im_admin', false), ('r1', 'c', 'member', true)`);
  const key = { groupID: "room", userID: "person" };
  await installMap(server.pool, quoted("acme"), {
    groups: { from: "office.room", key: { groupID: "id" } },
    groupMembers: {
      from: "office.taken",
      key,
      fields: { roleLevel: "CASE WHEN im_admin THEN 100 WHEN kind = 'im_admin' THEN 60 ELSE 20 END" },
      also: [{ table: "office.seat", key }],
    },
  });
  const store = createPostgresStore({ pool: server.pool, schema: "acme" });
  const page = await store.listGroupMembers({ groupID: "r1", keyword: "", offset: 0, limit: 9 });
  expect(page?.items.map(({ userID, roleLevel }) => [userID, roleLevel])).toEqual([
    ["c", 100],
    ["b", 60],
    ["a", 20],
  ]);
  expect(await checkMap(server.pool, quoted("acme"))).toEqual([]);
});

const officeSeats = `
  DROP SCHEMA IF EXISTS office CASCADE;
  CREATE SCHEMA office;
  CREATE TABLE office.room (id text PRIMARY KEY);
  CREATE TABLE office.seat (room text, person text, kind text, PRIMARY KEY (room, person));
  CREATE INDEX ON office.seat (person);
  INSERT INTO office.room VALUES ('r1')`;

it.each(["O'Brien", "50% off", "im_admin__host", "lists"])(
  "puts its lists over tables in a schema named %s",
  async (schema) => {
    await server.pool.query(`${officeSeats}; INSERT INTO office.seat VALUES ('r1', 'a', '')`);
    await migratePostgres(server.pool, { schema });
    const store = createPostgresStore({ pool: server.pool, schema });
    await store.put({ groups: [{ groupID: "r1" }] });
    const map = {
      groups: { from: "office.room", key: { groupID: "id" } },
      groupMembers: { from: "office.seat", key: { groupID: "room", userID: "person" } },
    };
    await expect(installMap(server.pool, quoted(schema), map)).rejects.toThrow(
      "groups has records, which would be lost",
    );
    await store.remove({ groups: [{ groupID: "r1" }] });
    await installMap(server.pool, quoted(schema), map);
    const page = await store.listGroupMembers({ groupID: "r1", keyword: "", offset: 0, limit: 9 });
    expect(page?.items.map(({ userID }) => userID)).toEqual(["a"]);
    expect(await checkMap(server.pool, quoted(schema))).toEqual([]);
    await installMap(server.pool, quoted(schema));
    expect((await store.listGroupMembers({ groupID: "r1", keyword: "", offset: 0, limit: 9 }))?.total).toBeUndefined();
  },
);

it("reads what a host writes as the host has written it, with all that stands for something in our SQL", async () => {
  const written = "im_admin im_admin__host im_admin__host__ $$ $body$ $host$ $check$ $keys$ $fields$ '";
  const literal = written.replaceAll("'", "''");
  await server.pool.query(`${officeSeats};
      CREATE TABLE office.person (tenant text, id text, PRIMARY KEY (tenant, id));
      CREATE TABLE office.talk (tenant text, owner text, id text, kind integer, peer text, room text, pinned boolean,
        PRIMARY KEY (tenant, owner, id));
      INSERT INTO office.person VALUES ('t', 'u');
      INSERT INTO office.seat VALUES ('r1', 'a', '${literal}'), ('r1', 'b', 'other')`);
  await server.pool.query("DROP SCHEMA IF EXISTS acme CASCADE");
  await migratePostgres(server.pool, { schema: "acme" });
  await installMap(server.pool, quoted("acme"), {
    separator: written,
    users: { from: "office.person", key: { userID: ["tenant", "id"] } },
    groups: { from: "office.room", key: { groupID: "id" } },
    groupMembers: {
      from: "office.seat",
      key: { groupID: "room", userID: { sql: `seat.person || '${literal}'` } },
      where: `kind = '${literal}'`,
    },
    conversations: {
      from: "office.talk",
      key: { ownerUserID: ["tenant", "owner"], conversationID: "id" },
      fields: { conversationType: "kind", userID: "peer", groupID: "room", isPinned: "pinned" },
    },
  });
  const store = createPostgresStore({ pool: server.pool, schema: "acme" });
  await server.pool.query(`INSERT INTO office.seat VALUES ('r1', 'c', '${literal}')`);
  const page = await store.listGroupMembers({ groupID: "r1", keyword: "", offset: 0, limit: 9 });
  expect(page?.items.map(({ userID }) => userID)).toEqual([`a${written}`, `c${written}`]);
  const userID = `t${written}u`;
  const change = {
    conversationID: "c1",
    conversationType: 1,
    userID,
    groupID: "",
    fields: { isPinned: true },
  } as const;
  expect(await store.setConversations({ ...change, userIDs: [userID] })).toEqual({
    outcome: "done",
    changedUserIDs: [userID],
  });
  const { rows } = await server.pool.query("SELECT tenant, owner, pinned FROM office.talk");
  expect(rows).toEqual([{ tenant: "t", owner: "u", pinned: true }]);
  expect((await checkMap(server.pool, quoted("acme"))).filter(({ kind }) => kind !== "note")).toEqual([]);
});

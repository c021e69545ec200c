/** Hosts that are hostile, careless, or merely different. */
import type pg from "pg";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { createPostgresStore, migratePostgres } from "../../../../src/stores/postgres/index.js";
import { quoted } from "../../../../src/stores/postgres/sql.js";
import type { TableMap } from "../../../../src/tables/index.js";
import { checkMap, installMap } from "../../../../src/tables/postgres/installed.js";
import { postgresForFile } from "../../../helpers/postgres/server.js";
import { connect, poolOfRole, problemsOf, settle, settleOnce } from "../../../helpers/postgres/sessions.js";

const server = postgresForFile();
const schema = quoted("im_admin");

const map: TableMap = {
  users: { from: "chat.person", key: { userID: "id" }, fields: { nickname: "name" } },
  groups: { from: "chat.room", key: { groupID: "id" } },
  groupMembers: {
    from: "chat.membership",
    key: { groupID: "room_id", userID: "person_id" },
    fields: { joinTime: "1000 / speed", roleLevel: "role" },
  },
};

beforeEach(async () => {
  await server.pool.query("DROP SCHEMA IF EXISTS im_admin, chat CASCADE");
  await migratePostgres(server.pool);
  await server.pool.query(`
    CREATE SCHEMA chat;
    CREATE TABLE chat.person (id text PRIMARY KEY, name text, avatar text);
    CREATE TABLE chat.room (id integer PRIMARY KEY);
    CREATE TABLE chat.membership (room_id integer, person_id text, role integer DEFAULT 20, speed integer DEFAULT 1, PRIMARY KEY (room_id, person_id));
    CREATE INDEX ON chat.membership (person_id);
    INSERT INTO chat.room VALUES (1), (2);
    INSERT INTO chat.person SELECT 'u' || n, 'Name ' || n FROM generate_series(1, 300) n;
    INSERT INTO chat.membership (room_id, person_id) SELECT 1, id FROM chat.person`);
  await installMap(server.pool, schema, map);
  await settle(server.pool);
});

const totals = async () => {
  const store = createPostgresStore({ pool: server.pool, settle: false });
  const list = { groupID: "1", offset: 0, limit: 1 };
  const all = await store.listGroupMembers({ ...list, keyword: "" });
  const found = await store.listGroupMembers({ ...list, keyword: "name 29" });
  return [all?.total, found?.total];
};

it("lets a host's statement through whose expression fails, reads the rows, and tells", async () => {
  await server.pool.query("INSERT INTO chat.membership (room_id, person_id, speed) VALUES (2, 'u1', 0)");
  await server.pool.query("DELETE FROM chat.membership WHERE person_id = 'u290'");
  expect(await totals()).toEqual([299, 10]);
  expect((await checkMap(server.pool, schema)).map(({ problem }) => problem)).toContain(
    "the map does not fit its tables: division by zero",
  );
  await server.pool.query("DELETE FROM chat.membership WHERE room_id = 2");
  expect(await problemsOf(server.pool)).toEqual([
    "triggers could not tell what was written, and lists are read slowly",
  ]);
  await installMap(server.pool, schema, map);
  await settle(server.pool);
  expect([await totals(), await problemsOf(server.pool)]).toEqual([[299, 10], []]);
});

it("goes on when a mapped column gets another name, and tells which", async () => {
  await server.pool.query("ALTER TABLE chat.membership RENAME COLUMN role TO position");
  await server.pool.query("DELETE FROM chat.membership WHERE person_id = 'u290'");
  expect(await totals()).toEqual([299, 10]);
  expect((await checkMap(server.pool, schema)).map(({ kind, problem }) => [kind, problem])).toEqual([
    ["unmendable", 'the map does not fit its tables: column "role" does not exist'],
  ]);
  const { groupMembers } = map as { groupMembers: { fields: object } };
  const renamed = { ...groupMembers, fields: { ...groupMembers.fields, roleLevel: "position" } };
  await installMap(server.pool, schema, { ...map, groupMembers: renamed } as TableMap);
  await settle(server.pool);
  expect([await totals(), await checkMap(server.pool, schema), await problemsOf(server.pool)]).toEqual([
    [299, 10],
    [],
    [],
  ]);
});

it.each(["DROP COLUMN role", "ALTER COLUMN role TYPE bigint"])(
  "has the server refuse %s, which names the view",
  async (change) => {
    const error = await server.pool
      .query(`ALTER TABLE chat.membership ${change}`)
      .catch((refused: pg.DatabaseError) => refused);
    expect(`${(error as Error).message} ${(error as pg.DatabaseError).detail}`).toContain("im_admin.group_members");
    await server.pool.query("ALTER TABLE chat.person DROP COLUMN avatar, ADD COLUMN owners text");
    await server.pool.query("UPDATE chat.person SET name = 'x' WHERE id = 'u290'");
    expect(await totals()).toEqual([300, 10]);
  },
);

it("outlives a host that drops what it made, and tells", async () => {
  await server.pool.query("DROP TABLE chat.membership CASCADE");
  const answers = createPostgresStore({ pool: server.pool }).listGroupMembers({
    groupID: "1",
    keyword: "",
    offset: 0,
    limit: 1,
  });
  await expect(answers).rejects.toThrow();
  expect((await checkMap(server.pool, schema)).map(({ kind, problem }) => [kind, problem])).toEqual([
    ["unmendable", "chat.membership is gone"],
  ]);
});

it("needs no rights of those who write the host's tables", async () => {
  const pool = await poolOfRole(
    server.pool,
    "chat_writer",
    "GRANT USAGE ON SCHEMA chat TO chat_writer; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA chat TO chat_writer",
  );
  await pool.query("INSERT INTO chat.membership (room_id, person_id) VALUES (1, 'new')");
  await expect(pool.query("SELECT FROM im_admin.group_members")).rejects.toThrow("permission denied");
  expect(await totals()).toEqual([301, 11]);
});

it("reads by a role that may read nothing but the schema of im-admin", async () => {
  const pool = await poolOfRole(
    server.pool,
    "im_reader",
    "GRANT USAGE ON SCHEMA im_admin TO im_reader; GRANT SELECT ON ALL TABLES IN SCHEMA im_admin TO im_reader",
  );
  const store = createPostgresStore({ pool, settle: false });
  expect((await store.listGroupMembers({ groupID: "1", keyword: "29", offset: 0, limit: 1 }))?.total).toBe(13);
  await expect(pool.query("SELECT FROM chat.membership")).rejects.toThrow("permission denied");
});

it("counts what is written while a map is installed and its lists are built", async () => {
  let isOver = false;
  const write = async (writer: number) => {
    for (let number = 0; !isOver; number += 1) {
      await server.pool.query("INSERT INTO chat.membership (room_id, person_id) VALUES (1, $1)", [
        `w${writer}-${number}`,
      ]);
      await server.pool.query("DELETE FROM chat.membership WHERE person_id = $1", [`w${writer}-${number - 3}`]);
    }
  };
  const writers = [write(1), write(2), write(3)];
  for (let round = 0; round < 3; round += 1) {
    await installMap(server.pool, schema);
    await installMap(server.pool, schema, map);
    for (let count = 0; count < 5; count += 1) await settleOnce(server.pool);
  }
  isOver = true;
  await Promise.all(writers);
  const { rows } = await server.pool.query("SELECT count(*)::integer AS total FROM chat.membership WHERE room_id = 1");
  expect((await totals())[0]).toBe(rows[0].total);
  await settle(server.pool);
  expect([(await totals())[0], await problemsOf(server.pool)]).toEqual([rows[0].total, []]);
});

it("finds tables and columns whose names have capitals, blanks and words of SQL", async () => {
  await server.pool.query(`
    CREATE TABLE chat."Room Members" ("group" integer, "User ID" text, "order" bigint, PRIMARY KEY ("group", "User ID"));
    CREATE INDEX ON chat."Room Members" ("User ID");
    INSERT INTO chat."Room Members" SELECT 1, id, 5 FROM chat.person`);
  await installMap(server.pool, schema, {
    ...map,
    groupMembers: {
      from: 'chat."Room Members"',
      key: { groupID: "group", userID: "User ID" },
      fields: { joinTime: '"Room Members"."order"' },
    },
  } as TableMap);
  await settle(server.pool);
  await server.pool.query(`UPDATE chat."Room Members" SET "order" = 1 WHERE "User ID" = 'u7'`);
  const store = createPostgresStore({ pool: server.pool });
  const list = { groupID: "1", keyword: "", offset: 0, limit: 1 };
  expect(await store.listGroupMembers(list)).toMatchObject({ total: 300, items: [{ userID: "u7", joinTime: 1 }] });
  expect(await checkMap(server.pool, schema)).toEqual([]);
});

it("tells of a partition that was attached since, and of keys that two rows have", async () => {
  await server.pool.query(`
    CREATE TABLE chat.parted (room_id integer, person_id text, left_at date) PARTITION BY LIST (room_id);
    CREATE INDEX ON chat.parted (room_id); CREATE INDEX ON chat.parted (person_id)`);
  await installMap(server.pool, schema, {
    ...map,
    groupMembers: { from: "chat.parted", key: { groupID: "room_id", userID: "person_id" }, where: "left_at IS NULL" },
  } as TableMap);
  await server.pool.query(
    "CREATE TABLE chat.part1 PARTITION OF chat.parted FOR VALUES IN (1); INSERT INTO chat.parted VALUES (1, 'u1'), (1, 'u1')",
  );
  expect((await checkMap(server.pool, schema)).map(({ kind, problem, examples }) => [kind, problem, examples])).toEqual(
    [
      ["unmendable", "rows of chat.parted have the same key", ["1, u1"]],
      ["wrong", "tables lack triggers of im-admin, or have them disabled", ["chat.part1"]],
    ],
  );
});

it("rebuilds the lists that a second table orders, and finds by names that a second table has", async () => {
  await server.pool.query(
    "CREATE TABLE chat.rank (person_id text, role integer); CREATE TABLE chat.alias (person_id text, alias text)",
  );
  await installMap(server.pool, schema, {
    ...map,
    users: {
      from: "chat.person",
      key: { userID: "id" },
      fields: { nickname: "coalesce((SELECT max(alias) FROM chat.alias WHERE alias.person_id = person.id), name)" },
      also: [{ table: "chat.alias", key: { userID: "person_id" } }],
    },
    groupMembers: {
      from: "chat.membership",
      key: { groupID: "room_id", userID: "person_id" },
      where: "NOT EXISTS (SELECT FROM chat.rank WHERE rank.person_id = membership.person_id AND role < 0)",
      fields: {
        roleLevel: "coalesce((SELECT max(role) FROM chat.rank WHERE rank.person_id = membership.person_id), 20)",
      },
      also: [{ table: "chat.rank", key: { userID: "person_id" } }],
    },
  } as TableMap);
  await settle(server.pool);
  await server.pool.query(
    "INSERT INTO chat.rank VALUES ('u9', 100), ('u290', -1); INSERT INTO chat.alias VALUES ('u5', 'Name 29?')",
  );
  const store = createPostgresStore({ pool: server.pool, settle: false });
  for (const isSettled of [false, true]) {
    if (isSettled) await settle(server.pool);
    expect(await totals()).toEqual([299, 11]);
    const first = await store.listGroupMembers({ groupID: "1", keyword: "", offset: 0, limit: 1 });
    expect(first?.items).toMatchObject([{ userID: "u9", roleLevel: 100 }]);
  }
  await server.pool.query("DELETE FROM chat.rank; UPDATE chat.alias SET alias = 'x'");
  expect(await totals()).toEqual([300, 11]);
  await settle(server.pool);
  expect([await totals(), await problemsOf(server.pool)]).toEqual([[300, 11], []]);
});

it("obeys the time limits of a host's statement", async () => {
  const connection = await connect(server.pool);
  onTestFinished(() => void connection.query("RESET statement_timeout").catch(() => {}));
  await connection.query("SET statement_timeout = 1; SET lock_timeout = 1");
  const slow = connection.query(
    "INSERT INTO chat.membership (room_id, person_id) SELECT 2, 'x' || n FROM generate_series(1, 300000) n",
  );
  await expect(slow).rejects.toThrow("statement timeout");
  expect([await totals(), await problemsOf(server.pool)]).toEqual([[300, 11], []]);
});

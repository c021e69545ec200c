/** Hosts that are hostile, careless, or merely different. */
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { createPostgresStore, migratePostgres } from "../../../../src/stores/postgres/index.js";
import { quoted } from "../../../../src/stores/postgres/sql.js";
import { checkMap, installMap } from "../../../../src/stores/postgres/upkeep/installMap.js";
import type { TableMap } from "../../../../src/stores/tablesSql.js";
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
    fields: { joinTime: "1000000000000 / speed", roleLevel: "role" },
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

it("lets a host's statement through whose expression fails, and tells until the row is right", async () => {
  await server.pool.query("INSERT INTO chat.membership (room_id, person_id, speed) VALUES (2, 'u1', 0)");
  await server.pool.query("DELETE FROM chat.membership WHERE person_id = 'u290'");
  const store = createPostgresStore({ pool: server.pool, settle: false });
  const failing = () => store.listGroupMembers({ groupID: "2", keyword: "", offset: 0, limit: 1 });
  for (const isSettled of [false, true]) {
    if (isSettled) await settle(server.pool);
    expect(await totals()).toEqual([299, 10]);
    await expect(failing()).rejects.toThrow("joinTime cannot be read (SQLSTATE 22012)");
  }
  expect(await problemsOf(server.pool)).toContain("records cannot be looked up, and their lists fail");
  await server.pool.query("UPDATE chat.membership SET speed = 2 WHERE room_id = 2");
  await settle(server.pool);
  expect([await totals(), (await failing())?.total, await problemsOf(server.pool)]).toEqual([[299, 10], 1, []]);
});

const members = (map as { groupMembers: { fields: object } }).groupMembers;

it.each<[string, told: string, role: string]>([
  ["RENAME COLUMN role TO position", "chat.membership.role is called position now", "position"],
  ["DROP COLUMN role", "chat.membership.role is gone", "20"],
  ["RENAME COLUMN speed TO position", "chat.membership.speed is called position now", "role"],
])("lets %s through, reads nothing wrong, and tells", async (change, told, role) => {
  const session = await connect(server.pool);
  await session.query("UPDATE chat.membership SET role = 20");
  await server.pool.query(`ALTER TABLE chat.membership ${change}`);
  await session.query("DELETE FROM chat.membership WHERE person_id = 'u290'");
  await session.query("UPDATE chat.membership SET person_id = 'u290' WHERE person_id = 'u1'");
  await expect(totals()).rejects.toThrow(/column "?[a-z.]+"? does not exist/);
  expect(await checkMap(server.pool, schema)).toEqual([
    { kind: "unmendable", problem: told, count: 1, advice: "install a map anew: im-admin tables" },
  ]);
  const joinTime = change.includes("speed") ? "1000000000000 / position" : "1000000000000 / speed";
  const fields = { joinTime, roleLevel: role };
  await installMap(server.pool, schema, { ...map, groupMembers: { ...members, fields } } as TableMap);
  await settle(server.pool);
  expect([await totals(), await checkMap(server.pool, schema), await problemsOf(server.pool)]).toEqual([
    [299, 11],
    [],
    [],
  ]);
});

it("notes the rows of a partitioned table in sessions from before a part of its key had another type", async () => {
  await server.pool.query(`
    CREATE TABLE chat.parted (room_id integer, person_id varchar(40)) PARTITION BY LIST (room_id);
    CREATE TABLE chat.part PARTITION OF chat.parted DEFAULT;
    CREATE INDEX ON chat.parted (room_id); CREATE INDEX ON chat.parted (person_id);
    INSERT INTO chat.parted SELECT 1, id FROM chat.person`);
  const parted = { from: "chat.parted", key: { groupID: "room_id", userID: "person_id" } };
  await installMap(server.pool, schema, { ...map, groupMembers: parted } as TableMap);
  await settle(server.pool);
  const session = await connect(server.pool);
  await session.query("INSERT INTO chat.parted VALUES (1, 'before')");
  await server.pool.query("ALTER TABLE chat.parted ALTER COLUMN person_id TYPE text");
  await settle(server.pool);
  await session.query("INSERT INTO chat.parted VALUES (1, 'after')");
  await session.query("DELETE FROM chat.parted WHERE person_id IN ('u290', 'u291')");
  expect((await totals())[0]).toBe(300);
  await settle(server.pool);
  expect([(await totals())[0], await problemsOf(server.pool)]).toEqual([300, []]);
});

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

it("reads by a role that may read the schema of im-admin, and the columns that are mapped", async () => {
  const pool = await poolOfRole(
    server.pool,
    "im_reader",
    `GRANT USAGE ON SCHEMA im_admin, chat TO im_reader; GRANT SELECT ON ALL TABLES IN SCHEMA im_admin TO im_reader;
    GRANT SELECT (id, name) ON chat.person TO im_reader; GRANT SELECT ON chat.membership, chat.room TO im_reader`,
  );
  const store = createPostgresStore({ pool, settle: false });
  expect((await store.listGroupMembers({ groupID: "1", keyword: "29", offset: 0, limit: 1 }))?.total).toBe(13);
  await expect(pool.query("SELECT avatar FROM chat.person")).rejects.toThrow("permission denied");
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
    INSERT INTO chat."Room Members" SELECT 1, id, 1700000000005 FROM chat.person`);
  await installMap(server.pool, schema, {
    ...map,
    groupMembers: {
      from: 'chat."Room Members"',
      key: { groupID: "group", userID: "User ID" },
      fields: { joinTime: '"Room Members"."order"' },
    },
  } as TableMap);
  await settle(server.pool);
  await server.pool.query(`UPDATE chat."Room Members" SET "order" = 1700000000001 WHERE "User ID" = 'u7'`);
  const store = createPostgresStore({ pool: server.pool });
  const list = { groupID: "1", keyword: "", offset: 0, limit: 1 };
  expect(await store.listGroupMembers(list)).toMatchObject({
    total: 300,
    items: [{ userID: "u7", joinTime: 1700000000001 }],
  });
  expect(await checkMap(server.pool, schema)).toEqual([]);
});

it("reads a child table that came since, and has no triggers, until it has them", async () => {
  await server.pool.query("CREATE TABLE chat.heir () INHERITS (chat.membership)");
  await settle(server.pool);
  for (const [statement, total] of [
    ["INSERT INTO chat.heir VALUES (1, 'h1')", 301],
    ["UPDATE chat.membership SET room_id = 2 WHERE person_id IN ('h1', 'u7')", 299],
    ["INSERT INTO chat.heir VALUES (1, 'h2')", 300],
  ] as const) {
    await server.pool.query(statement);
    expect((await totals())[0]).toBe(total);
    await settle(server.pool);
    expect((await totals())[0]).toBe(total);
  }
  await installMap(server.pool, schema, map);
  await settle(server.pool);
  await server.pool.query("DELETE FROM chat.heir WHERE room_id = 1");
  expect([(await totals())[0], await problemsOf(server.pool)]).toEqual([299, []]);
});

it.each([
  ["a partition", "PARTITION BY LIST (room_id)", "ALTER TABLE chat.above ATTACH PARTITION chat.membership DEFAULT"],
  ["a child", "", "ALTER TABLE chat.membership INHERIT chat.above"],
])("notices what is written to the parent of a table that has become %s", async (_, kind, statement) => {
  await server.pool.query(`
    CREATE TABLE chat.above (room_id integer NOT NULL, person_id text NOT NULL, role integer, speed integer) ${kind};
    ${statement}; DELETE FROM chat.above WHERE person_id = 'u290'`);
  await settle(server.pool);
  expect(await totals()).toEqual([299, 10]);
  expect((await checkMap(server.pool, schema)).map(({ kind, problem }) => [kind, problem])).toEqual([
    ["wrong", "tables lack triggers of im-admin, or have them disabled"],
  ]);
  await installMap(server.pool, schema, map);
  await settle(server.pool);
  await server.pool.query("DELETE FROM chat.above WHERE person_id = 'u291'");
  expect([await totals(), await checkMap(server.pool, schema), await problemsOf(server.pool)]).toEqual([
    [298, 9],
    [],
    [],
  ]);
});

it("tells of a child table that came since, and of keys that two rows have", async () => {
  await server.pool.query(
    "CREATE TABLE chat.heir () INHERITS (chat.membership); INSERT INTO chat.heir SELECT 1, 'u1' FROM generate_series(1, 2)",
  );
  expect((await checkMap(server.pool, schema)).map(({ kind, problem, examples }) => [kind, problem, examples])).toEqual(
    [
      ["unmendable", "rows of chat.membership have the same key", ["1, u1"]],
      ["wrong", "tables lack triggers of im-admin, or have them disabled", ["chat.heir"]],
    ],
  );
});

const parted = `
  CREATE TABLE chat.parted (room_id integer, person_id text, PRIMARY KEY (room_id, person_id)) PARTITION BY LIST (person_id);
  CREATE INDEX ON chat.parted (person_id);
  CREATE TABLE chat.rest PARTITION OF chat.parted DEFAULT;
  CREATE TABLE chat.guests PARTITION OF chat.parted FOR VALUES IN ('v1', 'v2');
  INSERT INTO chat.parted SELECT 1, id FROM chat.person;
  INSERT INTO chat.parted VALUES (1, 'v1'), (1, 'v2')`;

/** Makes a host's membership table of other tables, and checks totals before and after each is settled. */
async function expectTotals(from: string, steps: readonly (readonly [statement: string, total: number])[]) {
  await installMap(server.pool, schema, {
    ...map,
    groupMembers: { from, key: { groupID: "room_id", userID: "person_id" } },
  } as TableMap);
  await settle(server.pool);
  for (const [statement, total] of steps) {
    await server.pool.query(statement);
    for (const isSettled of [false, true]) {
      if (isSettled) await settle(server.pool);
      expect([statement, (await totals())[0]]).toEqual([statement, total]);
    }
  }
  expect(await problemsOf(server.pool)).toEqual([]);
}

it("follows partitions that come and go with their rows", async () => {
  await server.pool.query(parted);
  await expectTotals("chat.parted", [
    ["ALTER TABLE chat.parted DETACH PARTITION chat.guests", 300],
    ["ALTER TABLE chat.parted ATTACH PARTITION chat.guests FOR VALUES IN ('v1', 'v2')", 302],
    [
      "CREATE TABLE chat.more PARTITION OF chat.parted FOR VALUES IN ('w1'); INSERT INTO chat.parted VALUES (1, 'w1')",
      303,
    ],
    ["TRUNCATE chat.more", 302],
    ["DROP TABLE chat.guests", 300],
    ["DELETE FROM chat.rest WHERE person_id = 'u290'", 299],
  ]);
  expect(await checkMap(server.pool, schema)).toEqual([]);
});

it("leaves out a partition whose detachment waits for a transaction", async () => {
  await server.pool.query(`
    CREATE TABLE chat.parted (room_id integer, person_id text) PARTITION BY RANGE (person_id);
    CREATE TABLE chat.rest PARTITION OF chat.parted FOR VALUES FROM ('u') TO ('v');
    CREATE TABLE chat.guests PARTITION OF chat.parted FOR VALUES FROM ('v') TO ('w');
    INSERT INTO chat.parted SELECT 1, id FROM chat.person;
    INSERT INTO chat.parted VALUES (1, 'v1'), (1, 'v2')`);
  await expectTotals("chat.parted", []);
  const [reader, host] = [await connect(server.pool), await connect(server.pool)];
  await reader.query("BEGIN; SELECT FROM chat.parted");
  await host.query("SET lock_timeout = 200");
  const detached = host.query("ALTER TABLE chat.parted DETACH PARTITION chat.guests CONCURRENTLY");
  await expect(detached).rejects.toThrow("lock timeout");
  expect((await totals())[0]).toBe(300);
  await settle(server.pool);
  expect([(await totals())[0], await settleOnce(server.pool)]).toEqual([300, 0]);
  await reader.query("COMMIT");
  await server.pool.query("ALTER TABLE chat.parted DETACH PARTITION chat.guests FINALIZE");
  expect([(await totals())[0], await problemsOf(server.pool)]).toEqual([300, []]);
});

it("follows one partition alone, and a table that inherits, when their parents are written", async () => {
  await server.pool.query(`${parted};
    CREATE TABLE chat.heir (PRIMARY KEY (room_id, person_id)) INHERITS (chat.membership);
    CREATE INDEX ON chat.heir (person_id);
    INSERT INTO chat.heir SELECT 1, 'h' || n FROM generate_series(1, 200) n`);
  await expectTotals("chat.rest", [
    ["INSERT INTO chat.parted VALUES (1, 'new')", 301],
    ["DELETE FROM chat.parted WHERE person_id IN ('u7', 'v1')", 300],
    ["UPDATE chat.parted SET person_id = 'newer' WHERE person_id = 'v2'", 301],
    ["TRUNCATE chat.parted", 0],
  ]);
  await expectTotals("chat.heir", [
    ["DELETE FROM chat.membership WHERE person_id IN ('h7', 'u7')", 199],
    ["UPDATE chat.membership SET room_id = 2 WHERE person_id = 'h8'", 198],
  ]);
  expect(await checkMap(server.pool, schema)).toEqual([]);
});

it("settles other lists while a record has two rows in a second table, and tells until both are right", async () => {
  await server.pool.query(
    "CREATE TABLE chat.rank (person_id text, speed integer); INSERT INTO chat.rank SELECT id, 1 FROM chat.person",
  );
  const joinTime =
    "1000000000000 / speed / (SELECT rank.speed FROM chat.rank WHERE rank.person_id = membership.person_id)";
  await installMap(server.pool, schema, {
    ...map,
    groupMembers: {
      from: "chat.membership",
      key: { groupID: "room_id", userID: "person_id" },
      fields: { joinTime },
      also: [{ table: "chat.rank", key: { userID: "person_id" } }],
    },
  } as TableMap);
  await settle(server.pool);
  const unseen = "records cannot be looked up, and their lists fail";
  await server.pool.query("INSERT INTO chat.rank VALUES ('u1', 1)");
  await settle(server.pool);
  await expect(totals()).rejects.toThrow("joinTime cannot be read (SQLSTATE 21000)");
  expect(await problemsOf(server.pool)).toContain(unseen);
  await server.pool.query("DELETE FROM chat.rank WHERE person_id = 'u1'");
  await settle(server.pool);
  expect([await totals(), await problemsOf(server.pool)]).toEqual([[300, 11], []]);

  // The keys that these statements touch are not the same.
  await server.pool.query("UPDATE chat.membership SET speed = 0 WHERE person_id = 'u3'");
  await settle(server.pool);
  await server.pool.query("UPDATE chat.rank SET speed = 2 WHERE person_id = 'u3'");
  await settle(server.pool);
  expect(await problemsOf(server.pool)).toContain(unseen);
  await server.pool.query("UPDATE chat.membership SET speed = 1 WHERE person_id = 'u3'");
  await settle(server.pool);
  expect([await totals(), await problemsOf(server.pool)]).toEqual([[300, 11], []]);
});

it("looks up IDs that the domain of a column refuses", async () => {
  await server.pool.query(`
    CREATE DOMAIN chat.id AS text NOT NULL; CREATE DOMAIN chat.user_id AS chat.id CHECK (value LIKE 'u%');
    ALTER TABLE chat.membership ALTER person_id TYPE chat.user_id`);
  await expectTotals("chat.membership", [["DELETE FROM chat.membership WHERE person_id = 'u290'", 299]]);
  await server.pool.query("INSERT INTO chat.person VALUES ('x', 'Someone')");
  await settle(server.pool);
  const store = createPostgresStore({ pool: server.pool });
  expect(await store.listJoinedGroups({ userID: "x", offset: 0, limit: 1 })).toEqual({ total: 0, items: [] });
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
  await connection.query("SET lock_timeout = 1; SET statement_timeout = 1");
  const slow = connection.query(
    "INSERT INTO chat.membership (room_id, person_id) SELECT 2, 'x' || n FROM generate_series(1, 300000) n",
  );
  await expect(slow).rejects.toThrow("statement timeout");
  expect([await totals(), await problemsOf(server.pool)]).toEqual([[300, 11], []]);
});

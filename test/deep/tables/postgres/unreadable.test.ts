import { expect, it } from "vitest";
import { createPostgresStore, migratePostgres } from "../../../../src/stores/postgres/index.js";
import { quoted } from "../../../../src/stores/postgres/sql.js";
import { checkMap, installMap } from "../../../../src/stores/postgres/upkeep/installMap.js";
import { postgresForFile } from "../../../helpers/postgres/server.js";
import { problemsOf, settle } from "../../../helpers/postgres/sessions.js";

const server = postgresForFile(async (pool) => {
  await pool.query(`
    CREATE SCHEMA chat;
    CREATE TABLE chat.person (id text PRIMARY KEY, profile text NOT NULL DEFAULT '{}', level text NOT NULL DEFAULT '0', is_here text NOT NULL DEFAULT 'true');
    CREATE TABLE chat.room (id text PRIMARY KEY, title text NOT NULL DEFAULT '{}', state text NOT NULL DEFAULT '0');
    CREATE TABLE chat.seat (room text, person text, joined_at timestamptz NOT NULL DEFAULT '2024-01-01', PRIMARY KEY (room, person));
    CREATE INDEX ON chat.seat (person);
    CREATE TABLE chat.block (owner text, other text);
    CREATE INDEX ON chat.block (owner);
    INSERT INTO chat.person SELECT 'u' || n, '{"name":"Ann ' || n || '","picture":"p' || n || '"}' FROM generate_series(1, 300) n;
    UPDATE chat.person SET level = '3' WHERE id IN ('u1', 'u2');
    INSERT INTO chat.room SELECT 'r' || n, '{"title":"Room ' || n || '"}' FROM generate_series(1, 3) n;
    INSERT INTO chat.seat SELECT room.id, person.id FROM chat.room, chat.person;
    INSERT INTO chat.block SELECT owner, '{"id":"u' || n || '"}' FROM unnest(ARRAY['u3', 'u4']) owner, generate_series(1, 200) n`);
  await migratePostgres(pool);
  await installMap(pool, quoted("im_admin"), {
    users: {
      from: "chat.person",
      key: { userID: "id" },
      where: "is_here::boolean",
      fields: { nickname: "profile::json ->> 'name'", faceURL: "profile::json ->> 'picture'", appMangerLevel: "level" },
    },
    groups: {
      from: "chat.room",
      key: { groupID: "id" },
      where: "state::integer >= 0",
      fields: { groupName: "title::json ->> 'title'" },
    },
    groupMembers: {
      from: "chat.seat",
      key: { groupID: "room", userID: "person" },
      fields: { roleLevel: "20", joinTime: "(extract(epoch FROM joined_at) * 1000)::bigint" },
    },
    blacks: { from: "chat.block", key: { ownerUserID: "owner", blackUserID: { sql: "other::json ->> 'id'" } } },
  });
  await settle(pool);
});

const page = { offset: 0, limit: 2 };
const store = () => createPostgresStore({ pool: server.pool });
const members = (groupID: string, keyword = "") => store().listGroupMembers({ ...page, groupID, keyword });
const joined = (userID: string) => store().listJoinedGroups({ ...page, userID });
const waiting = async () =>
  (
    await server.pool.query(
      "SELECT (SELECT count(*) FROM im_admin.list_changes)::int + (SELECT count(*) FROM im_admin.touched WHERE problem IS NULL)::int AS n",
    )
  ).rows[0].n;

const trees = async () => {
  const { rows } = await server.pool.query("SELECT list || ' ' || owner AS tree FROM im_admin.lists ORDER BY 1");
  return rows.map(({ tree }) => tree);
};

it("answers a nickname that cannot be read as that of a profile that is gone, and tells whose it is", async () => {
  await server.pool.query("UPDATE chat.person SET profile = 'secret' WHERE id = 'u1'");
  const unreadable = ["nickname", "faceURL"].map((field) => ({
    record: "users",
    key: ["u1"],
    field,
    reason: "SQLSTATE 22P02",
  }));
  const read = async () => {
    const found = await members("r1");
    return [found?.total, found?.items.map(({ userID, nickname }) => [userID, nickname]), found?.unreadable];
  };
  const expected = [
    300,
    [
      ["u1", ""],
      ["u10", "Ann 10"],
    ],
    unreadable,
  ];
  expect(await read()).toEqual(expected);
  expect((await members("r1", "ann"))?.total).toBe(299);
  expect((await store().listNotificationAccounts({ ...page, keyword: "" })).items).toMatchObject([
    { userID: "u1", nickName: "" },
    { userID: "u2", nickName: "Ann 2" },
  ]);
  await settle(server.pool);
  expect(await waiting()).toBe(0);
  expect(await read()).toEqual(expected);
  expect([(await members("r1", "ann"))?.total, (await members("r1", "u1"))?.total]).toEqual([299, 111]);
  expect((await checkMap(server.pool, quoted("im_admin"))).filter(({ kind }) => kind === "note")).toContainEqual({
    kind: "note",
    problem: 'users.nickname cannot be read (SQLSTATE 22P02), and is answered as 0, false or ""',
    count: 1,
    examples: ["u1"],
  });
  await server.pool.query(`UPDATE chat.person SET profile = '{"name":"Ann 1"}' WHERE id = 'u1'`);
  expect((await members("r1", "ann"))?.total).toBe(300);
  await settle(server.pool);
  expect([(await members("r1", "ann"))?.total, await problemsOf(server.pool)]).toEqual([300, []]);
});

it("does not set a member aside whose profile's filter cannot be read", async () => {
  await server.pool.query(`
    UPDATE chat.person SET is_here = 'secret' WHERE id = 'u7';
    UPDATE chat.seat SET joined_at = '2023-01-01' WHERE room = 'r3' AND person = 'u7'`);
  await settle(server.pool);
  const found = await members("r3");
  expect([found?.total, found?.items[0]]).toMatchObject([300, { userID: "u7", nickname: "" }]);
  await server.pool.query("UPDATE chat.person SET is_here = 'true' WHERE id = 'u7'");
  await settle(server.pool);
  expect([(await members("r3", "ann 7"))?.total, await problemsOf(server.pool)]).toEqual([11, []]);
});

it("fails only the lists of a member whose joinTime cannot be read, and names it", async () => {
  await server.pool.query(`
    UPDATE chat.seat SET joined_at = 'infinity' WHERE room = 'r1' AND person = 'u5';
    DELETE FROM chat.seat WHERE room = 'r2' AND person <> 'u6'`);
  const named = "groupMembers r1, u5: joinTime cannot be read (SQLSTATE 0A000)";
  const rightOthers = async () => {
    await expect(members("r1")).rejects.toThrow(new Error(named));
    await expect(joined("u5")).rejects.toThrow(new Error(named));
    expect([(await members("r2"))?.total, (await members("r3", "ann"))?.total]).toEqual([1, 300]);
    const others = await joined("u6");
    expect(others?.items.map(({ groupID, memberCount }) => [groupID, memberCount])).toEqual([
      ["r1", 0],
      ["r2", 1],
    ]);
    expect(others?.unreadable).toMatchObject([{ record: "groups", key: ["r1"], field: "memberCount" }]);
    expect((await store().listNotificationAccounts({ ...page, keyword: "" })).total).toBe(2);
  };
  await rightOthers();
  await settle(server.pool);
  expect(await waiting()).toBe(0);
  await rightOthers();
  expect(await problemsOf(server.pool)).toContain("records cannot be looked up, and their lists fail");
  expect(await checkMap(server.pool, quoted("im_admin"))).toContainEqual({
    kind: "unmendable",
    problem: "groupMembers.joinTime cannot be read (SQLSTATE 0A000), and the lists with these rows fail",
    count: 1,
    examples: ["r1, u5"],
  });
  await server.pool.query("SELECT im_admin.rebuild_lists()");
  await settle(server.pool);
  expect(await waiting()).toBe(0);
  await rightOthers();
  await server.pool.query("UPDATE chat.seat SET joined_at = '2024-01-01' WHERE person = 'u5'");
  expect([(await members("r1"))?.total, (await joined("u5"))?.total]).toEqual([300, 2]);
  await settle(server.pool);
  expect([(await members("r1"))?.total, await problemsOf(server.pool)]).toEqual([300, []]);
  expect(await trees()).toEqual(expect.arrayContaining(["group_members r1", "group_members r3"]));
});

it("answers a group whose filter cannot be read as one that is gone, but fails its own lists", async () => {
  await server.pool.query("UPDATE chat.room SET state = 'open' WHERE id = 'r3'");
  await expect(members("r3")).rejects.toThrow(new Error("groups r3: where cannot be read (SQLSTATE 22P02)"));
  const found = await store().listJoinedGroups({ offset: 0, limit: 9, userID: "u7" });
  expect(found?.items.map(({ groupID, groupName }) => [groupID, groupName])).toEqual([
    ["r1", "Room 1"],
    ["r3", ""],
  ]);
  await server.pool.query("UPDATE chat.room SET state = '0' WHERE id = 'r3'");
  expect((await members("r3"))?.total).toBe(300);
});

it("finds keywords while the level of a user who is in no group cannot be read, and rebuilds all lists", async () => {
  await server.pool.query("INSERT INTO chat.person VALUES ('u999', '{\"name\":\"Ann 999\"}', 'high')");
  await server.pool.query("SELECT im_admin.rebuild_lists()");
  await server.pool.query("ANALYZE chat.person; ANALYZE chat.seat");
  const found = async () => [(await members("r1", "ann"))?.total, (await members("r3", "nn 29"))?.total];
  expect(await found()).toEqual([300, 11]);
  await settle(server.pool);
  expect(await found()).toEqual([300, 11]);
  await expect(store().listNotificationAccounts({ ...page, keyword: "" })).rejects.toThrow(
    new Error("users u999: appMangerLevel cannot be read (SQLSTATE 22P02)"),
  );
  const ofAccounts = async () => (await trees()).filter((tree) => /^notification/.test(tree));
  expect(await ofAccounts()).toEqual([]);
  await server.pool.query("DELETE FROM chat.person WHERE id = 'u999'");
  expect((await store().listNotificationAccounts({ ...page, keyword: "" })).total).toBe(2);
  await settle(server.pool);
  expect([await ofAccounts(), await problemsOf(server.pool)]).toEqual([
    ["notification_accounts ", "notification_accounts_by_level "],
    [],
  ]);
});

it("fails the list of an owner with a key that cannot be read, and keeps the trees of others", async () => {
  const blacks = async (ownerUserID: string) => (await store().listBlacks({ ...page, ownerUserID }))?.total;
  await server.pool.query("INSERT INTO chat.block VALUES ('u3', 'secret')");
  for (const isSettled of [false, true]) {
    if (isSettled) await settle(server.pool);
    await expect(blacks("u3")).rejects.toThrow(new Error("blacks u3: key cannot be read (SQLSTATE 22P02)"));
    expect(await blacks("u4")).toBe(200);
  }
  expect([await waiting(), await trees()]).toEqual([0, expect.arrayContaining(["blacks u4"])]);
  expect(await checkMap(server.pool, quoted("im_admin"))).toContainEqual({
    kind: "unmendable",
    problem: "blacks.key cannot be read (SQLSTATE 22P02), and the lists with these rows fail",
    count: 1,
    examples: [""],
  });
  await server.pool.query("DELETE FROM chat.block WHERE other = 'secret'");
  await settle(server.pool);
  expect([await blacks("u3"), await trees(), await problemsOf(server.pool)]).toEqual([
    200,
    expect.arrayContaining(["blacks u3", "blacks u4"]),
    [],
  ]);
});

it("passes over a row without an owner, also if the rest of its key cannot be read, and sets other groups' fields", async () => {
  await server.pool.query("INSERT INTO chat.block VALUES (NULL, 'secret'), (NULL, '{\"id\":\"u1\"}')");
  await server.pool.query("UPDATE chat.room SET state = 'open' WHERE id = 'r3'");
  await settle(server.pool);
  await server.pool.query("SELECT im_admin.rebuild_lists()");
  expect((await store().listBlacks({ ...page, ownerUserID: "u3" }))?.total).toBe(200);
  const pin = (groupID: string) =>
    store().setConversations({
      ...({ conversationID: `sg_${groupID}`, conversationType: 3, userID: "", groupID } as const),
      fields: { isPinned: true },
      userIDs: ["u1", "u2"],
    });
  expect(await pin("r1")).toMatchObject({ outcome: "done" });
  await expect(pin("r3")).rejects.toThrow();
  const { rows } = await server.pool.query(
    "SELECT owner_user_id, conversation_id FROM im_admin.conversations ORDER BY 1",
  );
  expect(rows).toEqual(["u1", "u2"].map((user) => ({ owner_user_id: user, conversation_id: "sg_r1" })));
});

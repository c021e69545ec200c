import { expect, it, onTestFinished } from "vitest";
import { createD1Store, migrateD1 } from "../../../src/stores/drivers/d1.js";
import { defineTables, tablesSql } from "../../../src/stores/tablesSql.js";
import { startWorker } from "../../helpers/workerd.js";

const map = defineTables({
  users: { from: "users", key: { userID: "id" }, where: "deleted_at IS NULL", fields: { nickname: "name" } },
  groups: { from: "groups", key: { groupID: "id" }, fields: { groupName: "title" } },
  groupMembers: {
    from: "memberships",
    key: { groupID: "group_id", userID: "user_id" },
    fields: { roleLevel: "CASE role WHEN 'owner' THEN 100 ELSE 20 END", joinTime: "joined_at * 1000" },
  },
  conversations: {
    from: "conversations",
    key: { ownerUserID: "owner", conversationID: "id" },
    fields: { conversationType: "kind", userID: "peer", groupID: "group_id", isPinned: "pinned" },
  },
});

it("puts lists over the tables of a Worker's D1 database, which are called as others are", async () => {
  const { database, run, stop } = await startWorker();
  onTestFinished(stop);
  const all = (statements: readonly string[]) =>
    database.batch(statements.map((sql) => ({ sql, values: [] })) as never[]);
  await all([
    "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, deleted_at INTEGER)",
    "CREATE TABLE groups (id TEXT PRIMARY KEY, title TEXT)",
    `CREATE TABLE conversations (owner INTEGER REFERENCES users (id) ON DELETE CASCADE, id TEXT, kind INTEGER, peer INTEGER,
      group_id TEXT REFERENCES groups (id), pinned INTEGER, PRIMARY KEY (owner, id))`,
    `CREATE TABLE memberships (group_id TEXT, user_id INTEGER REFERENCES users (id) ON DELETE CASCADE, role TEXT,
      joined_at INTEGER, PRIMARY KEY (group_id, user_id))`,
    "INSERT INTO groups VALUES ('readers', 'Readers')",
    `INSERT INTO users (id, name)
      WITH RECURSIVE numbers (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM numbers WHERE id < 3000)
      SELECT id, 'Name ' || id FROM numbers`,
    "INSERT INTO memberships SELECT 'readers', id, NULL, id FROM users",
  ]);
  await migrateD1(database);
  await all(tablesSql(map, { engine: "sqlite" }).install);
  const store = createD1Store(database);
  const page = async (offset: number, keyword = "") => {
    const found = await store.listGroupMembers({ groupID: "readers", keyword, offset, limit: 1 });
    return [found?.total, found?.items[0]?.userID, found?.items[0]?.nickname];
  };
  expect(await page(2_000)).toEqual([3_000, "2001", "Name 2001"]);
  expect(await page(10, "name 29")).toEqual([111, "299", "Name 299"]);

  await run("UPDATE memberships SET role = 'owner' WHERE user_id = 2900");
  await run("UPDATE users SET name = '王芳' WHERE id = 2900");
  await run("DELETE FROM users WHERE id < 1001");
  expect(await page(0)).toEqual([2_000, "2900", "王芳"]);
  expect(await page(0, "王芳")).toEqual([1, "2900", "王芳"]);
  expect(await store.listJoinedGroups({ userID: "2900", offset: 0, limit: 1 })).toMatchObject({
    total: 1,
    items: [{ groupID: "readers", groupName: "Readers", memberCount: 2_000, ownerUserID: "2900" }],
  });
  // An ID is the text of the column; no other text is.
  expect(await store.listJoinedGroups({ userID: "02900", offset: 0, limit: 1 })).toBeUndefined();

  const pinned = {
    conversationID: "sg_readers",
    conversationType: 3,
    userID: "",
    groupID: "readers",
    fields: { isPinned: true },
  } as const;
  expect(await store.setConversations({ ...pinned, userIDs: ["2900", "1000"] })).toEqual({
    outcome: "usersNotFound",
    userIDs: ["1000"],
  });
  expect(await store.setConversations({ ...pinned, userIDs: ["2900", "1001"] })).toEqual({
    outcome: "done",
    changedUserIDs: ["2900", "1001"],
  });
  expect(await run("SELECT * FROM conversations ORDER BY owner")).toEqual([
    { owner: 1001, id: "sg_readers", kind: 3, peer: null, group_id: "readers", pinned: 1 },
    { owner: 2900, id: "sg_readers", kind: 3, peer: null, group_id: "readers", pinned: 1 },
  ]);

  await all(tablesSql(map, { engine: "sqlite" }).remove);
  expect(await page(0)).toEqual([undefined, undefined, undefined]);
  expect(await run("SELECT count(*) AS count FROM memberships")).toEqual([{ count: 2_000 }]);
});

it("reads few rows for a write of the host, however many rows its tables have", async () => {
  const { database, stop } = await startWorker();
  onTestFinished(stop);
  const all = (statements: readonly string[]) =>
    database.batch(statements.map((sql) => ({ sql, values: [] })) as never[]);
  const key = { groupID: "group_id", userID: "user_id" };
  const hostMap = defineTables({
    users: { from: "users", key: { userID: "id" }, fields: { nickname: "name", appMangerLevel: "level" } },
    groups: { from: "groups", key: { groupID: "id" } },
    groupMembers: { from: "memberships", key, fields: { roleLevel: "role" } },
    blacks: { from: "blocks", key: { ownerUserID: "by", blackUserID: "id" } },
    groupRequests: { from: "requests", key, fields: { reqTime: "at" } },
  });
  const numbers = "WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < 3000)";
  await all([
    "CREATE TABLE users (id TEXT PRIMARY KEY, name TEXT, level INTEGER)",
    "CREATE TABLE groups (id TEXT PRIMARY KEY)",
    "CREATE TABLE memberships (group_id TEXT, user_id TEXT, role INTEGER, PRIMARY KEY (group_id, user_id))",
    "CREATE INDEX memberships_of_user ON memberships (user_id)",
    "CREATE TABLE blocks (by TEXT, id TEXT, PRIMARY KEY (by, id))",
    "CREATE TABLE requests (group_id TEXT, user_id TEXT, at INTEGER, PRIMARY KEY (group_id, user_id))",
    "INSERT INTO groups VALUES ('large'), ('small')",
    `INSERT INTO users ${numbers} SELECT id, 'Name ' || id, 1 FROM n`,
    "INSERT INTO memberships SELECT 'large', id, 20 FROM users",
    "INSERT INTO memberships VALUES ('small', '1', 100), ('small', '2', 20)",
    "INSERT INTO requests SELECT 'large', id || 'x', id FROM users",
    "INSERT INTO requests VALUES ('small', '3', 1)",
    "INSERT INTO blocks SELECT '1', id FROM users",
  ]);
  await migrateD1(database);
  await all(tablesSql(hostMap, { engine: "sqlite" }).install);
  for (const statement of [
    "INSERT INTO requests VALUES ('small', '4', 2)",
    "UPDATE requests SET at = 3 WHERE group_id = 'small' AND user_id = '4'",
    "DELETE FROM requests WHERE group_id = 'small' AND user_id = '4'",
    "INSERT INTO requests VALUES ('large', '4', 2)",
    "UPDATE memberships SET role = 60 WHERE group_id = 'small' AND user_id = '2'",
    "UPDATE memberships SET role = 60 WHERE group_id = 'large' AND user_id = '2'",
    "UPDATE memberships SET role = 20 WHERE group_id = 'large' AND user_id = '2'",
    "INSERT INTO memberships VALUES ('small', '5', 60)",
    "DELETE FROM memberships WHERE group_id = 'small' AND user_id = '5'",
    "DELETE FROM memberships WHERE group_id = 'large' AND user_id = '5'",
    "UPDATE users SET name = 'Ann', level = 3 WHERE id = '6'",
    "DELETE FROM users WHERE id = '6'",
    "INSERT INTO users VALUES ('new', 'New', 3)",
    "INSERT INTO blocks VALUES ('1', 'new')",
    "DELETE FROM blocks WHERE by = '1' AND id = '7'",
  ]) {
    const [result] = (await all([statement])) as unknown as { meta: { rows_read: number } }[];
    expect(result?.meta.rows_read, statement).toBeLessThanOrEqual(300);
  }
});

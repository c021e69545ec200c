import { setTimeout as delay } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { createD1Store, migrateD1 } from "../../../../src/stores/drivers/d1.js";
import { checkLists } from "../../../../src/stores/sqlite/upkeep/checkAll.js";
import { checkMap } from "../../../../src/stores/sqlite/upkeep/installMap.js";
import { repairLists } from "../../../../src/stores/sqlite/upkeep/repair.js";
import { defineTables, tablesSql } from "../../../../src/stores/tablesSql.js";
import { openHostFile, openMappedFile, tiny } from "../../../helpers/mappedFile.js";
import { startWorker } from "../../../helpers/workerd.js";

const map = defineTables({
  users: {
    from: "person",
    key: { userID: "id" },
    fields: {
      nickname: "json_extract(profile, '$.name')",
      faceURL: "json_extract(profile, '$.picture')",
      appMangerLevel: "level",
    },
  },
  groups: { from: "room", key: { groupID: "id" }, where: "state ->> '$' >= 0", fields: { groupName: "title" } },
  groupMembers: {
    from: "seat",
    key: { groupID: "room", userID: "person" },
    fields: { roleLevel: "20", joinTime: "abs(joined_at)" },
  },
});

const tables = `
  CREATE TABLE person (id TEXT PRIMARY KEY, profile TEXT NOT NULL, level INTEGER NOT NULL DEFAULT 0);
  CREATE TABLE room (id TEXT PRIMARY KEY, title TEXT NOT NULL, state TEXT NOT NULL DEFAULT '0');
  CREATE TABLE seat (room TEXT, person TEXT, joined_at INTEGER NOT NULL DEFAULT 1700000000000, PRIMARY KEY (room, person));
  CREATE INDEX seats ON seat (person);
  INSERT INTO person
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 300)
    SELECT 'u' || n, '{"name":"Ann ' || n || '","picture":"p' || n || '"}', 0 FROM numbers;
  UPDATE person SET level = 3 WHERE id IN ('u1', 'u2');
  INSERT INTO room (id, title) VALUES ('r1', 'Room 1'), ('r2', 'Room 2'), ('r3', 'Room 3');
  INSERT INTO seat (room, person) SELECT room.id, person.id FROM room, person`;

/** The least integer, whose absolute value overflows. */
const tooFar = "-9223372036854775808";
const range = { offset: 0, limit: 2 };

type Store = ReturnType<typeof createD1Store>;
const members = (store: Store, groupID: string, keyword = "") => store.listGroupMembers({ ...range, groupID, keyword });
const joined = (store: Store, userID: string) => store.listJoinedGroups({ ...range, userID });

async function answersWithoutNickname(store: Store, run: (sql: string) => unknown) {
  await run("UPDATE person SET profile = 'secret' WHERE id = 'u1'");
  const page = await members(store, "r1");
  expect(page?.items.map(({ userID, nickname, faceURL }) => [userID, nickname, faceURL])).toEqual([
    ["u1", "", ""],
    ["u10", "Ann 10", "p10"],
  ]);
  expect([page?.total, page?.unreadable]).toEqual([
    300,
    ["nickname", "faceURL"].map((field) => ({ record: "users", key: ["u1"], field, reason: "malformed JSON" })),
  ]);
  expect([(await members(store, "r1", "ann"))?.total, (await members(store, "r1", "u1"))?.total]).toEqual([299, 111]);
  expect((await store.listNotificationAccounts({ ...range, keyword: "" })).items).toMatchObject([
    { userID: "u1", nickName: "" },
    { userID: "u2", nickName: "Ann 2" },
  ]);
  expect((await members(store, "r1"))?.items[1]?.nickname).toBe("Ann 10");
  await run(`UPDATE person SET profile = '{"name":"Ann 1"}' WHERE id = 'u1'`);
  const mended = await members(store, "r1", "ann");
  expect([mended?.total, mended?.items[0]?.nickname, mended?.unreadable]).toEqual([300, "Ann 1", undefined]);
}

async function failsListsOfMember(store: Store, run: (sql: string) => unknown) {
  const named = new Error("groupMembers r1, u5: joinTime cannot be read (integer overflow)");
  await run(`UPDATE seat SET joined_at = ${tooFar} WHERE room = 'r1' AND person = 'u5'`);
  for (let time = 0; time < 2; time += 1) {
    await expect(members(store, "r1")).rejects.toThrow(named);
    await expect(joined(store, "u5")).rejects.toThrow(named);
    expect([(await members(store, "r2"))?.total, (await members(store, "r3", "ann"))?.total]).toEqual([300, 300]);
    expect([(await joined(store, "u6"))?.total, (await joined(store, "u6"))?.unreadable]).toEqual([3, undefined]);
    expect((await store.listNotificationAccounts({ ...range, keyword: "" })).total).toBe(2);
    // Another row changes, and is settled.
    await run("UPDATE seat SET joined_at = 1700000000001 WHERE room = 'r2' AND person = 'u5'");
  }
  await run("UPDATE seat SET joined_at = 1700000000000 WHERE room = 'r1' AND person = 'u5'");
  expect([(await members(store, "r1"))?.total, (await joined(store, "u5"))?.total]).toEqual([300, 3]);
}

it("answers a nickname that cannot be read as that of a profile that is gone, and tells whose it is", async () => {
  const { store, host, database } = await openMappedFile(tables, map, tiny);
  await answersWithoutNickname(store, (sql) => host.exec(sql));
  expect(await checkLists(database, tiny)).toEqual([]);
});

it("fails only the lists of a member whose joinTime cannot be read, and names it", async () => {
  const { store, host, database } = await openMappedFile(tables, map, tiny);
  await failsListsOfMember(store, (sql) => host.exec(sql));
  expect(await checkLists(database, tiny)).toEqual([]);
});

it("does so in D1", { timeout: 120_000 }, async () => {
  const { database, run, stop } = await startWorker();
  onTestFinished(stop);
  for (const statement of tables.split(";\n")) await run(statement);
  await migrateD1(database);
  for (const statement of tablesSql(map, { engine: "sqlite" }).install) await run(statement);
  const store = createD1Store(database);
  await answersWithoutNickname(store, run);
  await failsListsOfMember(store, run);
});

it("answers a group whose filter cannot be read as one that is gone, but fails its own lists", async () => {
  const { store, host } = await openMappedFile(tables, map, tiny);
  host.exec("UPDATE room SET state = 'open' WHERE id = 'r3'");
  await expect(members(store, "r3")).rejects.toThrow(new Error("groups r3: where cannot be read (malformed JSON)"));
  const found = await store.listJoinedGroups({ offset: 0, limit: 9, userID: "u7" });
  expect(found?.items.map(({ groupID, groupName }) => [groupID, groupName])).toEqual([
    ["r1", "Room 1"],
    ["r2", "Room 2"],
    ["r3", ""],
  ]);
  host.exec("UPDATE room SET state = '0' WHERE id = 'r3'");
  expect((await members(store, "r3"))?.total).toBe(300);
});

it("installs, repairs, checks and removes a map over rows that cannot be read", async () => {
  const { store, host, database, install } = openHostFile(tables, tiny);
  host.exec(
    `UPDATE seat SET joined_at = ${tooFar} WHERE person = 'u5'; UPDATE person SET profile = '' WHERE id = 'u9'`,
  );
  const readsRest = async () => {
    await expect(joined(store, "u5")).rejects.toThrow(
      "groupMembers r1, u5: joinTime cannot be read (integer overflow); ",
    );
    expect((await joined(store, "u9"))?.total).toBe(3);
    const findings = await checkMap(database);
    expect(findings).toEqual([
      ...["nickname", "faceURL"].map((field) => ({
        kind: "note",
        problem: `users.${field} cannot be read (malformed JSON), and is answered as 0, false or ""`,
        count: 1,
        examples: ["u9"],
      })),
      {
        kind: "unmendable",
        problem: "groupMembers.joinTime cannot be read (integer overflow), and the lists with these rows fail",
        count: 3,
        examples: ["r1, u5", "r2, u5", "r3, u5"],
      },
    ]);
    expect((await checkLists(database, tiny)).filter(({ kind }) => kind === "wrong")).toEqual([]);
  };
  await install(map);
  await readsRest();
  await repairLists(database, tiny);
  await readsRest();
  // A key that changes while its row is set aside, and a row that is deleted.
  host.exec(
    "UPDATE seat SET room = 'r9' WHERE room = 'r1' AND person = 'u5'; DELETE FROM seat WHERE room = 'r2' AND person = 'u5'",
  );
  expect([(await members(store, "r1"))?.total, (await members(store, "r2"))?.total]).toEqual([299, 299]);
  await expect(members(store, "r3")).rejects.toThrow("groupMembers r3, u5: joinTime");
  // A map that can read it.
  const { groupMembers, ...others } = map;
  await install({ ...others, groupMembers: { ...groupMembers, fields: { roleLevel: "20", joinTime: "0" } } as never });
  expect([(await members(store, "r3"))?.total, (await joined(store, "u5"))?.total]).toEqual([300, 2]);
  await install(undefined);
  expect(host.prepare("SELECT * FROM im_admin_unreadable").all()).toEqual([]);
  expect(await checkLists(database, tiny)).toEqual([]);
});

it("settles a thousand rows that cannot be read once, and not again until they change", {
  timeout: 120_000,
}, async () => {
  const { store, host } = await openMappedFile(tables, map);
  host.exec(`
    INSERT INTO seat
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 5000)
      SELECT 'r2', 'v' || n, CASE WHEN n % 5 = 0 THEN ${tooFar} ELSE n END FROM numbers`);
  const waiting = () => host.prepare("SELECT count(*) FROM im_admin_changed WHERE kind <> 'unreadable'").pluck().get();
  await members(store, "r1");
  for (let look = 0; look < 600 && waiting() !== 0; look += 1) await delay(100);
  expect(host.prepare("SELECT count(*) FROM im_admin_unreadable").pluck().get()).toBe(1000);
  await expect(members(store, "r2")).rejects.toThrow("joinTime cannot be read (integer overflow)");
  host.exec("UPDATE seat SET joined_at = 1 WHERE room = 'r2' AND person = 'v20'");
  expect((await members(store, "r1"))?.total).toBe(300);
  expect(host.prepare("SELECT count(*) FROM im_admin_unreadable").pluck().get()).toBe(999);
});

it("writes im-admin's own records while a row of the host cannot be read", async () => {
  const { users } = map;
  const { store, host } = await openMappedFile(tables, { users }, tiny);
  await store.put({ groups: [{ groupID: "g1" }], groupMembers: [{ groupID: "g1", userID: "u1" }] });
  host.exec("UPDATE person SET profile = '', level = 3 WHERE id = 'u3'");
  host.exec("UPDATE person SET profile = '' WHERE id = 'u4'");
  await store.put({ groupMembers: [{ groupID: "g1", userID: "u3" }] });
  await store.put({ groupMembers: [{ groupID: "g1", userID: "u4" }] });
  expect((await members(store, "g1", "ann"))?.total).toBe(1);
  expect((await members(store, "g1"))?.total).toBe(3);
});

it("passes over a row without a key, whatever else of it cannot be read", async () => {
  const { store, host, database, install } = openHostFile(tables, tiny);
  host.exec(`INSERT INTO seat VALUES (NULL, 'u5', ${tooFar}), ('r1', NULL, ${tooFar})`);
  host.exec("INSERT INTO person VALUES (NULL, 'secret', 3); INSERT INTO room VALUES (NULL, '', 'open')");
  await install(map);
  host.exec("UPDATE seat SET joined_at = joined_at; UPDATE room SET state = state");
  expect([(await members(store, "r1"))?.total, (await joined(store, "u5"))?.total]).toEqual([300, 3]);
  expect((await store.listNotificationAccounts({ ...range, keyword: "" })).total).toBe(2);
  const found = await checkLists(database, tiny);
  expect(found.map(({ kind, problem, count }) => [kind, problem, count])).toEqual([
    ["note", "rows of person are not listed: userID is NULL or empty", 1],
    ["note", "rows of room are not listed: groupID is NULL or empty", 1],
    ["note", "rows of seat are not listed: groupID is NULL or empty", 1],
    ["note", "rows of seat are not listed: userID is NULL or empty", 1],
  ]);
  expect(host.prepare("SELECT count(*) FROM im_admin_unreadable").pluck().get()).toBe(0);
});

it("sets conversations of other groups while a group's filter cannot be read", async () => {
  const { store, host } = await openMappedFile(tables, map, tiny);
  host.exec("UPDATE room SET state = 'open' WHERE id = 'r3'");
  const pin = (groupID: string) =>
    store.setConversations({
      ...({ conversationID: `sg_${groupID}`, conversationType: 3, userID: "", groupID } as const),
      fields: { isPinned: true },
      userIDs: ["u1", "u2"],
    });
  expect(await pin("r1")).toMatchObject({ outcome: "done" });
  await expect(pin("r3")).rejects.toThrow("malformed JSON");
  const pinned = host.prepare("SELECT owner_user_id, conversation_id FROM im_admin_conversations").raw();
  expect(pinned.all()).toEqual([
    ["u1", "sg_r1"],
    ["u2", "sg_r1"],
  ]);
});

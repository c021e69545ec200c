import type { Pool, PoolConnection, RowDataPacket } from "mysql2/promise";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { ConversationChange } from "../../../src/store.js";
import { type OpenStore, storeCases, toleranceCases } from "../../../src/testing/index.js";
import { assertAgreement } from "../../helpers/agreement.js";
import { mariadbForFile } from "../helpers/mariadb.js";
import { createTables, openMysqlStore } from "../helpers/mysqlStore.js";

const server = mariadbForFile();
let pool: Pool;
beforeAll(async () => {
  pool = await server.openDatabase("chat");
  await createTables(pool);
});
const open: OpenStore = (records) => openMysqlStore(pool, records);

it.each(Object.entries({ ...storeCases, ...toleranceCases }))("%s", (_sentence, storeCase) => storeCase(open));

it("answers any call as the example in memory does", () =>
  assertAgreement(async () => Object.assign(await open({}), { close: async () => {} }), 300));

const allRows = { offset: 0, limit: 1000 };
const chat = { conversationID: "c1", conversationType: 1, userID: "peer", groupID: "" } as const;
const ofUsers = (...userIDs: string[]) => ({ users: userIDs.map((userID) => ({ userID })) });

/** A transaction of the chat server, which has run these statements and goes on. */
async function chatServerRuns(...statements: string[]): Promise<PoolConnection> {
  const connection = await pool.getConnection();
  onTestFinished(() => connection.destroy());
  await connection.beginTransaction();
  for (const statement of statements) await connection.query(statement);
  return connection;
}

/** How often the server has done something. */
async function counted(status: string): Promise<number> {
  const [rows] = await pool.query<RowDataPacket[]>("SHOW GLOBAL STATUS LIKE ?", [status]);
  return Number(rows[0]?.["Value"]);
}

/** Waits until so many statements of this text run. */
async function untilRunning(text: string, number: number): Promise<void> {
  const sql =
    "SELECT COUNT(*) AS running FROM information_schema.processlist WHERE info LIKE ? AND id <> connection_id()";
  await expect
    .poll(async () => (await pool.query<RowDataPacket[]>(sql, [`%${text}%`]))[0][0]?.["running"])
    .toBe(number);
}

describe("calls at the same time", () => {
  it("wait for each other where they list the same users in opposite orders, or peers of each other", async () => {
    const userIDs = Array.from({ length: 200 }, (_, index) => `u${index}`);
    const store = await open(ofUsers("peer", ...userIDs));
    const deadlocks = await counted("Innodb_deadlocks");
    const changes = Array.from({ length: 40 }, (_, index): ConversationChange => {
      const fields = { burnDuration: index };
      if (index % 4 < 2) return { ...chat, userIDs: index % 2 ? userIDs : userIDs.toReversed(), fields };
      const [listed = "", userID = ""] = index % 2 ? ["u3", "u150"] : ["u150", "u3"];
      return { ...chat, conversationID: `c of ${listed}`, userIDs: [listed], userID, fields };
    });
    const outcomes = await Promise.all(changes.map(async (change) => (await store.setConversations(change)).outcome));
    expect(outcomes).toEqual(changes.map(() => "done"));
    expect(await counted("Innodb_deadlocks")).toBe(deadlocks);
  });

  it("do not stand in each other's way where they list other users", async () => {
    const userIDs = Array.from({ length: 40 }, (_, index) => `u${index}`);
    const store = await open(ofUsers("peer", ...userIDs));
    const deadlocks = await counted("Innodb_deadlocks");
    const group = { conversationID: "c2", conversationType: 3, userID: "", groupID: "g1" } as const;
    await store.put({ groups: [{ groupID: "g1" }] });
    const calls = userIDs.map((userID) => store.setConversations({ ...group, userIDs: [userID], fields: { ex: "x" } }));
    expect((await Promise.all(calls)).map(({ outcome }) => outcome)).toEqual(userIDs.map(() => "done"));
    expect(await counted("Innodb_deadlocks")).toBe(deadlocks);
  });

  it("lock nobody whom they do not concern, also in a small table after a call for many", async () => {
    const records = ofUsers("a", "b", "peer");
    const onlyOne = await server.openDatabase("chat", { connectionLimit: 1 });
    const store = await openMysqlStore(pool, records, onlyOne);
    const many = Array.from({ length: 10_000 }, (_, index) => `u${index}`);
    await store.setConversations({ ...chat, userIDs: many, fields: { isPinned: true } });
    const chatServer = await chatServerRuns("SELECT * FROM users WHERE user_id = 'b' FOR UPDATE");
    const result = await store.setConversations({ ...chat, userIDs: ["a"], fields: { isPinned: true } });
    expect(result).toEqual({ outcome: "done", changedUserIDs: ["a"] });
    await chatServer.commit();
  });

  it("are run again after a deadlock with the chat server", async () => {
    const others = Array.from({ length: 100 }, (_, index) => `x${index}`);
    const store = await open(ofUsers("a", "b", "peer", ...others));
    // InnoDB ends the transaction that has written less.
    const chatServer = await chatServerRuns("UPDATE users SET ex = 'x' WHERE user_id LIKE 'x%' OR user_id = 'b'");
    const call = store.setConversations({ ...chat, userIDs: ["a", "b"], fields: { isPinned: true } });
    await untilRunning("FOR UPDATE", 1);
    const deadlocks = await counted("Innodb_deadlocks");
    await chatServer.query("UPDATE users SET ex = 'y' WHERE user_id = 'a'");
    expect(await counted("Innodb_deadlocks")).toBe(deadlocks + 1);
    await chatServer.commit();
    expect(await call).toEqual({ outcome: "done", changedUserIDs: ["a", "b"] });
  });
});

it("changes nobody if the row of one user cannot be written, and goes on with the same connection", async () => {
  const onlyOne = await server.openDatabase("chat", { connectionLimit: 1 });
  const store = await openMysqlStore(pool, ofUsers("a", "b", "c", "peer"), onlyOne);
  onTestFinished(async () => {
    await pool.query("DROP TRIGGER refuse");
  });
  await pool.query(`CREATE TRIGGER refuse BEFORE INSERT ON conversations FOR EACH ROW
    IF NEW.owner_user_id = 'c' THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'refused'; END IF`);
  const change = { ...chat, fields: { isPinned: true } };
  await expect(store.setConversations({ ...change, userIDs: ["a", "b", "c"] })).rejects.toThrow("refused");
  expect(await store.conversations("a")).toEqual([]);
  const { outcome } = await store.setConversations({ ...change, userIDs: ["a", "b"] });
  expect(outcome).toBe("done");
});

describe("a call that is given up", () => {
  it("ends on the server while it reads", async () => {
    const store = await open({ groups: [{ groupID: "g1" }] });
    const chatServer = await chatServerRuns("LOCK TABLES group_members WRITE");
    const giveUp = new AbortController();
    const call = store.listGroupMembers({ groupID: "g1", keyword: "", ...allRows }, { signal: giveUp.signal });
    await untilRunning("JSON_OBJECT", 1);
    giveUp.abort(new Error("nobody waits"));
    await expect(call).rejects.toThrow("nobody waits");
    await untilRunning("JSON_OBJECT", 0);
    await chatServer.query("UNLOCK TABLES");
  });

  it("writes nothing and holds no lock", async () => {
    const store = await open(ofUsers("a", "b", "peer"));
    const chatServer = await chatServerRuns("SELECT * FROM users WHERE user_id = 'b' FOR UPDATE");
    const giveUp = new AbortController();
    const change = { ...chat, userIDs: ["a", "b"], fields: { isPinned: true } };
    const call = store.setConversations(change, { signal: giveUp.signal, begun: () => expect.fail("it had begun") });
    await untilRunning("FOR UPDATE", 1);
    giveUp.abort(new Error("nobody waits"));
    await expect(call).rejects.toThrow("nobody waits");
    // Without an end, it would wait for the lock for 50 s.
    await untilRunning("FOR UPDATE", 0);
    const other = await store.setConversations({ ...change, userIDs: ["a"], fields: { ex: "other" } });
    expect(other.outcome).toBe("done");
    await chatServer.commit();
    expect(await store.conversations("b")).toEqual([]);
    expect((await store.conversations("a"))[0]?.isPinned).toBe(false);
  });

  it("does nothing if it was given up before", async () => {
    const store = await open(ofUsers("a", "peer"));
    const signal = AbortSignal.abort(new Error("nobody waits"));
    const change = { ...chat, userIDs: ["a"], fields: { isPinned: true } };
    await expect(store.setConversations(change, { signal })).rejects.toThrow("nobody waits");
    expect(await store.conversations("a")).toEqual([]);
  });

  it("is written, and answers what became of it, once that has begun", async () => {
    const store = await open(ofUsers("a", "peer"));
    const giveUp = new AbortController();
    const change = { ...chat, userIDs: ["a"], fields: { isPinned: true } };
    const result = await store.setConversations(change, { signal: giveUp.signal, begun: () => giveUp.abort() });
    expect(result).toEqual({ outcome: "done", changedUserIDs: ["a"] });
    expect((await store.conversations("a"))[0]?.isPinned).toBe(true);
  });

  it("leaves no connection behind, however many are given up", async () => {
    const few = await server.openDatabase("chat", { connectionLimit: 2 });
    const store = await openMysqlStore(pool, { groups: [{ groupID: "g1" }] }, few);
    await chatServerRuns("LOCK TABLES group_members WRITE");
    const givenUp = Array.from({ length: 20 }, () => new AbortController());
    const list = { groupID: "g1", keyword: "", ...allRows };
    const calls = givenUp.map(({ signal }) => store.listGroupMembers(list, { signal }).catch(() => "given up"));
    await untilRunning("JSON_OBJECT", 2);
    for (const call of givenUp) call.abort();
    expect(await Promise.all(calls)).toEqual(givenUp.map(() => "given up"));
    await untilRunning("JSON_OBJECT", 0);
    expect(await store.listBlacks({ ownerUserID: "nobody", ...allRows })).toBeUndefined();
  });
});

it("tells IDs and texts apart that differ in spaces at the end or in case alone", async () => {
  const store = await open({ ...ofUsers("ann", "ann ", "Ann", "peer"), groups: [{ groupID: "g" }, { groupID: "g " }] });
  await store.put({
    groupMembers: [
      { groupID: "g", userID: "ann ", roleLevel: 20, nickname: " " },
      { groupID: "g", userID: "ann", roleLevel: 20 },
      { groupID: "g ", userID: "Ann", roleLevel: 20 },
    ],
  });
  const page = await store.listGroupMembers({ groupID: "g", keyword: "ann", ...allRows });
  expect(page?.items.map(({ userID, nickname }) => [userID, nickname])).toEqual([
    ["ann", ""],
    ["ann ", " "],
  ]);
  const change = { ...chat, userIDs: ["ann "] };
  for (const ex of ["x", "x ", "X "]) {
    const done = { outcome: "done", changedUserIDs: ["ann "] };
    expect(await store.setConversations({ ...change, fields: { ex } })).toEqual(done);
  }
  expect(await store.conversations("ann")).toEqual([]);
  const unknown = { outcome: "usersNotFound", userIDs: ["ANN", "peer "] };
  expect(await store.setConversations({ ...change, userIDs: ["ANN"], userID: "peer ", fields: {} })).toEqual(unknown);
});

it("takes as many users as a call may have, with the longest IDs, in packets of the server's default size", async () => {
  const userIDs = Array.from({ length: 10_000 }, (_, index) => "😀".repeat(59) + String(index).padStart(5, "0"));
  const store = await open({ ...ofUsers(...userIDs, "peer"), groups: userIDs.map((groupID) => ({ groupID })) });
  const fields = { attachedInfo: "" };
  const { outcome } = await store.setConversations({ ...chat, userIDs, fields });
  expect(outcome).toBe("done");
  const longest = { attachedInfo: "😀".repeat(65_536), ex: "😀".repeat(65_536) };
  await store.setConversations({ ...chat, userIDs: userIDs.slice(0, 2), fields: longest });
  expect((await store.conversations(userIDs[1] ?? ""))[0]).toMatchObject(longest);
  const received = await store.listReceivedGroupRequests({ userID: "peer", groupIDs: userIDs, ...allRows });
  expect(received).toEqual({ total: 0, items: [] });
  const past = await store.setConversations({ ...chat, userIDs: [`${userIDs[0]}x`], fields });
  expect(past).toEqual({ outcome: "usersNotFound", userIDs: [`${userIDs[0]}x`] });
});

it("answers long texts whole", async () => {
  const [notification, introduction, ex] = ["长".repeat(21_000), '"'.repeat(65_535), "\\".repeat(65_535)];
  const store = await open({
    ...ofUsers("a"),
    groups: [{ groupID: "g", notification, introduction, ex }],
    groupMembers: [{ groupID: "g", userID: "a", roleLevel: 60 }],
    groupRequests: [{ groupID: "g", userID: "a", reqMsg: ex }],
  });
  const page = await store.listReceivedGroupRequests({ userID: "a", ...allRows });
  expect(page?.items).toMatchObject([{ groupInfo: { notification, introduction, ex }, reqMsg: ex }]);
});

it("answers the same whatever the options of the pool are", async () => {
  const odd = await server.openDatabase("chat", {
    bigNumberStrings: true,
    dateStrings: true,
    decimalNumbers: true,
    jsonStrings: true,
    nestTables: true,
    rowsAsArray: true,
    supportBigNumbers: true,
    typeCast: false,
  });
  const records = { ...ofUsers("a", "peer"), groups: [{ groupID: "g" }] };
  const store = await openMysqlStore(pool, records, odd);
  await store.put({ groupMembers: [{ groupID: "g", userID: "a", roleLevel: 100, joinTime: 1_687_760_824_107 }] });
  const page = await store.listJoinedGroups({ userID: "a", ...allRows });
  expect(page).toMatchObject({ total: 1, items: [{ groupID: "g", ownerUserID: "a", memberCount: 1 }] });
  expect(await store.listJoinedGroups({ userID: "b", ...allRows })).toBeUndefined();
  const change = { ...chat, userIDs: ["a"], fields: { isPinned: true, maxSeq: 9_007_199_254_740_991 } };
  expect(await store.setConversations(change)).toEqual({ outcome: "done", changedUserIDs: ["a"] });
  expect(await store.setConversations(change)).toEqual({ outcome: "done", changedUserIDs: [] });
});

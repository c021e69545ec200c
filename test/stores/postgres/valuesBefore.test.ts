/** What was there before a change, while others write the same rows on other connections. */
import { expect, it } from "vitest";
import type { ConversationChange } from "../../../src/index.js";
import { createPostgresStore, migratePostgres } from "../../../src/stores/postgres/index.js";
import { quoted } from "../../../src/stores/postgres/sql.js";
import { installMap } from "../../../src/stores/postgres/upkeep/installMap.js";
import { randomOf, rounds, seed } from "../../helpers/chance.js";
import { openMigrated } from "../../helpers/postgres/migrated.js";
import { postgresForFile } from "../../helpers/postgres/server.js";
import { connect, lockWaits, poolWith } from "../../helpers/postgres/sessions.js";

const server = postgresForFile();
const userIDs = Array.from({ length: 20 }, (_, index) => `u${index}`);
const chat: Omit<ConversationChange, "fields"> = {
  userIDs,
  conversationID: "sg_g1",
  conversationType: 3,
  userID: "",
  groupID: "g1",
};
const records = { users: userIDs.map((userID) => ({ userID })), groups: [{ groupID: "g1" }] };

it("is what the change before left, while others write", async () => {
  const random = randomOf(seed);
  const store = await openMigrated(server.pool, records);
  const stores = [store, ...["one", "two"].map(() => createPostgresStore({ pool: poolWith(server.pool, {}) }))];
  const told = new Map(userIDs.map((userID) => [userID, [] as unknown[]]));
  const calls = Array.from({ length: Math.max(30, rounds(600)) }, async (_, index) => {
    const some = userIDs.filter(() => random() < 0.5);
    const change = { ...chat, userIDs: some.length > 0 ? some : ["u0"], fields: { burnDuration: index + 1 } };
    const result = await stores[index % 3]?.setConversations({ ...change, tell: ["burnDuration"] });
    if (result?.outcome !== "done") throw new Error(String(result?.outcome));
    for (const { fields, userIDs } of result.before ?? []) {
      for (const userID of userIDs) told.get(userID)?.push([fields.burnDuration, index + 1]);
    }
  });
  await Promise.all(calls);
  for (const userID of userIDs) {
    // Each change begins where another has ended: in the end, all of them are one chain.
    const next = new Map(told.get(userID) as [number, number][]);
    expect(next.size).toBe(told.get(userID)?.length);
    let value = 0;
    for (let left = next.size; left > 0; left -= 1) value = next.get(value) ?? Number.NaN;
    const [stored] = await store.conversations(userID);
    expect([userID, stored?.burnDuration ?? 0]).toEqual([userID, value]);
  }
});

it("waits for a connection that holds a row, and tells what that one wrote", async () => {
  const store = await openMigrated(server.pool, records);
  const other = await connect(server.pool);
  await other.query(`BEGIN;
    INSERT INTO im_admin.conversations (owner_user_id, conversation_id, conversation_type, group_id, ex)
      VALUES ('u1', 'sg_g1', 3, 'g1', 'theirs')`);
  const setting = store.setConversations({ ...chat, userIDs: ["u0", "u1"], fields: { ex: "ours" }, tell: ["ex"] });
  await expect.poll(() => lockWaits(server.pool)).toBe(1);
  await other.query("COMMIT");
  const before = [
    { fields: { ex: "" }, userIDs: ["u0"] },
    { fields: { ex: "theirs" }, userIDs: ["u1"] },
  ];
  expect(await setting).toEqual({ outcome: "done", changedUserIDs: ["u0", "u1"], before });
});

it("creates no conversation that was deleted while a change expected its values", async () => {
  const store = await openMigrated(server.pool, records);
  await store.setConversations({ ...chat, userIDs: ["u1"], fields: { ex: "old" } });
  const other = await connect(server.pool);
  await other.query("BEGIN; DELETE FROM im_admin.conversations");
  const setting = store.setConversations({ ...chat, fields: { ex: "new" }, onlyIf: { ex: "old" }, tell: ["ex"] });
  await expect.poll(() => lockWaits(server.pool)).toBe(1);
  await other.query("COMMIT");
  expect(await setting).toEqual({ outcome: "done", changedUserIDs: [], before: [] });
  expect(await store.conversations("u1")).toEqual([]);
});

it("is told of a host's table", async () => {
  await server.pool.query(`
    DROP SCHEMA IF EXISTS im_admin CASCADE;
    CREATE SCHEMA chat;
    CREATE TABLE chat.people (id integer PRIMARY KEY);
    CREATE TABLE chat.talks (owner integer, id text, kind integer, peer integer, room text, pinned boolean,
      muted integer, PRIMARY KEY (owner, id));
    INSERT INTO chat.people VALUES (1), (2), (3);
    INSERT INTO chat.talks VALUES (2, 'si_1_2', 1, 1, NULL, NULL, 2)`);
  await migratePostgres(server.pool);
  await installMap(server.pool, quoted("im_admin"), {
    users: { from: "chat.people", key: { userID: "id" } },
    conversations: {
      from: "chat.talks",
      key: { ownerUserID: "owner", conversationID: "id" },
      fields: { conversationType: "kind", userID: "peer", groupID: "room", isPinned: "pinned", recvMsgOpt: "muted" },
    },
  });
  const store = createPostgresStore({ pool: server.pool });
  const change = {
    userIDs: ["3", "2"],
    conversationID: "si_1_2",
    conversationType: 1,
    userID: "1",
    groupID: "",
  } as const;
  const before = [
    { fields: { recvMsgOpt: 0, isPinned: false, ex: "" }, userIDs: ["3"] },
    { fields: { recvMsgOpt: 2, isPinned: false, ex: "" }, userIDs: ["2"] },
  ];
  const tell = ["ex", "isPinned", "recvMsgOpt"] as const;
  expect(await store.setConversations({ ...change, fields: {}, tell })).toEqual({
    outcome: "done",
    changedUserIDs: [],
    before,
  });
  const onlyIf = { isPinned: false, recvMsgOpt: 2 };
  expect(await store.setConversations({ ...change, fields: { isPinned: true }, tell, onlyIf })).toEqual({
    outcome: "done",
    changedUserIDs: ["2"],
    before: before.slice(1),
  });
  const { rows } = await server.pool.query("SELECT owner, pinned, muted FROM chat.talks");
  expect(rows).toEqual([{ owner: 2, pinned: true, muted: 2 }]);
});

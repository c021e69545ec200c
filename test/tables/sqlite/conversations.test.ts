import { expect, it } from "vitest";
import type { ConversationChange } from "../../../src/index.js";
import { defineTables, type TableMap } from "../../../src/stores/tablesSql.js";
import { openMappedFile } from "../../helpers/mappedFile.js";

const users = { from: "users", key: { userID: ["tenant", "id"] } } as const;
const conversations = {
  from: "conversations",
  key: { ownerUserID: ["tenant", "owner"], conversationID: "id" },
  fields: { conversationType: "kind", userID: "peer", groupID: "room", isPinned: "pinned", recvMsgOpt: "muted" },
} as const;

const tables = `
  CREATE TABLE users (tenant TEXT, id INTEGER, PRIMARY KEY (tenant, id));
  CREATE TABLE rooms (id TEXT PRIMARY KEY);
  CREATE TABLE conversations (tenant TEXT NOT NULL DEFAULT '', owner INTEGER NOT NULL, id TEXT NOT NULL, kind INTEGER NOT NULL,
    peer TEXT, room TEXT REFERENCES rooms (id), pinned INTEGER CHECK (owner <> 3), muted INTEGER,
    PRIMARY KEY (tenant, owner, id)) STRICT;
  CREATE INDEX conversations_of_all ON conversations (owner, id);
  INSERT INTO users VALUES ('a', 1), ('a', 2), ('a', 3), ('b', 1);
  INSERT INTO rooms VALUES ('a:1'), ('01');
  INSERT INTO conversations VALUES ('a', 2, 'si_1_2', 1, 'a:1', NULL, NULL, 2)`;

async function openHost(map: TableMap) {
  const { host, store } = await openMappedFile(tables, defineTables(map));
  return {
    rows: () => host.prepare("SELECT * FROM conversations ORDER BY tenant, owner").raw().all(),
    set: (userIDs: string[], fields: object, more: Pick<ConversationChange, "tell" | "onlyIf"> = {}) =>
      store.setConversations({
        ...more,
        userIDs,
        conversationID: "si_1_2",
        conversationType: 1,
        userID: "a:1",
        groupID: "",
        fields,
      }),
  };
}

it("inserts and updates rows of a host's table, all or none", async () => {
  const { set, rows } = await openHost({ users, conversations });
  expect(await set(["b:1", "a:2"], { isPinned: true })).toEqual({ outcome: "done", changedUserIDs: ["b:1", "a:2"] });
  expect(await set(["b:1", "a:2"], { isPinned: true })).toEqual({ outcome: "done", changedUserIDs: [] });
  const written = [
    ["a", 2, "si_1_2", 1, "a:1", null, 1, 2],
    ["b", 1, "si_1_2", 1, "a:1", null, 1, 0],
  ];
  expect(rows()).toEqual(written);
  await expect(set(["a:2", "a:3"], { recvMsgOpt: 1 })).rejects.toThrow("CHECK constraint failed");
  expect(await set(["a:2", "z:9"], { recvMsgOpt: 1 })).toEqual({ outcome: "usersNotFound", userIDs: ["z:9"] });
  expect(rows()).toEqual(written);
});

it("tells what a host's rows had before, and changes only those with the expected values", async () => {
  const { set, rows } = await openHost({ users, conversations });
  const tell = ["isPinned", "recvMsgOpt", "ex"] as const;
  const before = [
    { fields: { recvMsgOpt: 0, isPinned: false, ex: "" }, userIDs: ["b:1"] },
    { fields: { recvMsgOpt: 2, isPinned: false, ex: "" }, userIDs: ["a:2"] },
  ];
  expect(await set(["b:1", "a:2"], {}, { tell })).toEqual({ outcome: "done", changedUserIDs: [], before });
  // The host has NULL for what is not pinned.
  const expected = await set(["b:1", "a:2"], { isPinned: true }, { tell, onlyIf: { isPinned: false, recvMsgOpt: 2 } });
  expect(expected).toEqual({ outcome: "done", changedUserIDs: ["a:2"], before: before.slice(1) });
  expect(rows()).toEqual([["a", 2, "si_1_2", 1, "a:1", null, 1, 2]]);
  const created = await set(["b:1", "a:2"], { recvMsgOpt: 1 }, { tell, onlyIf: { isPinned: false } });
  expect(created).toEqual({ outcome: "done", changedUserIDs: ["b:1"], before: before.slice(0, 1) });
  await expect(set(["a:2"], { isPinned: false }, { onlyIf: { ex: "x" } })).rejects.toThrow(
    "conversations are mapped without ex",
  );
});

it("refuses a field that is not mapped", async () => {
  const { set, rows } = await openHost({ users, conversations });
  await expect(set(["a:2", "b:1"], { ex: "x" })).rejects.toThrow("conversations are mapped without ex");
  expect(rows()).toHaveLength(1);
});

it("refuses an ID that the columns turn into another one", async () => {
  const { set, rows } = await openHost({
    users: { from: "rooms", key: { userID: "id" } },
    conversations: { ...conversations, key: { ownerUserID: "owner", conversationID: "id" } },
  });
  await expect(set(["01"], { isPinned: true })).rejects.toThrow("its columns have other types");
  expect(rows()).toHaveLength(1);
});

it("tells that a host keeps none, after it has looked for the users", async () => {
  const { set, rows } = await openHost({ users, conversations: "empty" });
  expect(await set(["a:2", "z:9"], { isPinned: true })).toEqual({ outcome: "usersNotFound", userIDs: ["z:9"] });
  expect(await set(["a:2"], { isPinned: true })).toEqual({ outcome: "notKept" });
  expect(await set(["a:2"], {})).toEqual({ outcome: "done", changedUserIDs: [] });
  expect(await set(["a:2"], {}, { tell: ["isPinned"] })).toEqual({ outcome: "notKept" });
  expect(rows()).toHaveLength(1);
});

it.each<[string, TableMap["conversations"], string]>([
  [
    "of an expression for the key",
    { ...conversations, key: { ...conversations.key, conversationID: { sql: "id" } } },
    "mapped by expressions",
  ],
  ["of a condition", { ...conversations, where: "kind > 0" }, "mapped by expressions, a condition, or without"],
  [
    "of an expression",
    { ...conversations, fields: { ...conversations.fields, isPinned: "pinned > 0" } },
    "replace setConversations of the store",
  ],
])("tells why nothing can be set where %s", async (_, given, message) => {
  const { set, rows } = await openHost({ users, conversations: given as "empty" });
  await expect(set(["a:1"], { isPinned: true })).rejects.toThrow(message);
  await expect(set(["a:2"], { isPinned: true })).rejects.toThrow(message);
  expect(rows()).toHaveLength(1);
});

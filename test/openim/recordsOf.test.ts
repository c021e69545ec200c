import { deserialize, EJSON, Long, serialize } from "bson";
import { expect, expectTypeOf, it } from "vitest";
import { recordsOf } from "../../src/openim/index.js";
import type { GroupMemberRecord } from "../../src/records.js";
import { answers, expectedAnswers, records, referenceFolder, textsIn } from "../helpers/imported.js";
import { memoryStore } from "../helpers/stores.js";

const documents = Object.entries(textsIn(referenceFolder)).flatMap(([collection, text]) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => [collection, EJSON.parse(line) as object] as const),
);

it.each<[string, (document: object) => object]>([
  ["as its driver gives them", (document) => document],
  ["with large integers as bigint", (document) => deserialize(serialize(document), { useBigInt64: true })],
  ["with large integers as Long", (document) => deserialize(serialize(document), { promoteLongs: false })],
])("makes records of MongoDB's documents %s", async (_, given) => {
  const store = memoryStore();
  for (const [collection, document] of documents) await store.put(recordsOf(collection, given(document)));
  expect(await answers(store)).toEqual(await expectedAnswers());
  for (const [collection, document] of documents) await store.remove(recordsOf(collection, given(document)));
  expect(await store.listNotificationAccounts({ keyword: "", offset: 0, limit: 1 })).toEqual({ total: 0, items: [] });
  expect(await store.conversations("u1")).toEqual([]);
});

it("makes nothing of a collection that holds no records", () => {
  for (const collection of ["msg", "toString", "__proto__", ""]) {
    expect(recordsOf(collection, { user_id: "u1" })).toEqual({});
  }
});

it("mends what no store can hold, and keeps any ID", async () => {
  const store = memoryStore();
  const group_id = `g\n\u0001${"长".repeat(1_000)}`;
  await store.put(recordsOf("user", { user_id: "u\0", nickname: "\0An\ud800n", app_manger_level: 3 }));
  await store.put(
    recordsOf("group", { group_id, group_name: 7, status: 2n ** 62n, create_time: new Date(Number.NaN) }),
  );
  await store.put(recordsOf("group_member", { group_id, user_id: "u\0", role_level: -1, join_time: "soon" }));
  const max_seq = Long.fromString("9223372036854775807");
  const conversation = { owner_user_id: "u", conversation_id: "c", max_seq, min_seq: -1, is_pinned: 1 };
  await store.put(recordsOf("conversation", conversation));
  expect(await store.listNotificationAccounts({ keyword: "", offset: 0, limit: 2 })).toMatchObject({
    items: [{ userID: "u\ufffd0", nickName: "\ufffdAn\ufffdn" }],
  });
  expect(await store.listJoinedGroups({ userID: "u\ufffd0", offset: 0, limit: 2 })).toMatchObject({
    total: 1,
    items: [{ groupID: group_id, groupName: "7", status: 2_147_483_647, createTime: 9_999_999_999_999_998 }],
  });
  expect(await store.listGroupMembers({ groupID: group_id, keyword: "", offset: 0, limit: 2 })).toMatchObject({
    total: 1,
    items: [{ userID: "u\ufffd0", roleLevel: 0, joinTime: 0 }],
  });
  expect(await store.conversations("u")).toMatchObject([{ maxSeq: 9_007_199_254_740_991, minSeq: 0, isPinned: true }]);
});

it("makes of no two IDs the same one", async () => {
  const ids = [
    ...["a\0", "a\ufffd", "a\ufffd0", "a\ufffd10", "a\ufffd\0", "a\ufffd1\0", "a"],
    ...["9007199254740992", "9007199254740993"].map((digits) => Long.fromString(digits)),
    ...[-9_007_199_254_740_992n, -9_007_199_254_740_993n],
  ];
  const made = ids.flatMap((user_id) => recordsOf("user", { user_id }).users.map(({ userID }) => userID));
  expect(made).toStrictEqual([
    ...["a\ufffd0", "a\ufffd", "a\ufffd10", "a\ufffd110", "a\ufffd\ufffd0", "a\ufffd1\ufffd0", "a"],
    ...["9007199254740992", "9007199254740993", "-9007199254740992", "-9007199254740993"],
  ]);
  // It may be read of 9007199254740993.
  expect(recordsOf("user", { user_id: 9_007_199_254_740_992 })).toEqual({ users: [] });
});

it("makes no record without a usable key", async () => {
  expect(recordsOf("user", {})).toEqual({ users: [] });
  expect(recordsOf("user", { user_id: "" })).toEqual({ users: [] });
  expect(recordsOf("user", { user_id: null })).toEqual({ users: [] });
  expect(recordsOf("group_member", { group_id: "g1", user_id: {} })).toEqual({ groupMembers: [] });
  await memoryStore().put(recordsOf("user", {}));
  await memoryStore().remove(recordsOf("user", {}));
});

it("knows which records it makes", () => {
  const made = recordsOf("group_member", { group_id: "g1", user_id: "u1" });
  expectTypeOf(made).toEqualTypeOf<{ readonly groupMembers: readonly GroupMemberRecord[] }>();
  expect(made.groupMembers[0]).toMatchObject({ groupID: "g1", userID: "u1" });
  expect(Object.keys(made.groupMembers[0] ?? {})).toEqual(Object.keys([...(records.groupMembers ?? [])][0] ?? {}));
});

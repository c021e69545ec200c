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

it("leaves to put what does not fit", async () => {
  const store = memoryStore();
  await expect(store.put(recordsOf("user", {}))).rejects.toThrow("users[0].userID must be a non-empty string");
  const max_seq = Long.fromString("9223372036854775807");
  const conversation = recordsOf("conversation", { owner_user_id: "u", conversation_id: "c", max_seq });
  await expect(store.put(conversation)).rejects.toThrow(
    "conversations[0].maxSeq must be an integer from 0 to 2^53 - 1",
  );
});

it("knows which records it makes", () => {
  const made = recordsOf("group_member", { group_id: "g1", user_id: "u1" });
  expectTypeOf(made).toEqualTypeOf<{ readonly groupMembers: readonly [GroupMemberRecord] }>();
  expect(made.groupMembers[0]).toMatchObject({ groupID: "g1", userID: "u1" });
  expect(Object.keys(made.groupMembers[0])).toEqual(Object.keys([...(records.groupMembers ?? [])][0] ?? {}));
});

import assert from "node:assert";
import type { BundledStore } from "../../src/stores/bundledStore.js";
import { storeCases, toleranceCases } from "../../src/testing/index.js";
import { assertAgreement } from "./agreement.js";
import { rounds } from "./chance.js";

/** Opens an empty store. */
export type OpenEmpty = () => Promise<BundledStore>;

/** What an engine has to pass, in whatever runtime it is: gives a sentence for each failure. */
export async function engineFailures(open: OpenEmpty, openToKeep: OpenEmpty = open): Promise<string[]> {
  const failures: string[] = [];
  const attempt = async (what: string, run: () => Promise<void>) => {
    try {
      await run();
    } catch (error) {
      failures.push(`${what}: ${error instanceof Error ? error.stack : error}`);
    }
  };
  for (const [sentence, storeCase] of Object.entries({ ...storeCases, ...toleranceCases })) {
    const opened: BundledStore[] = [];
    await attempt(sentence, () =>
      storeCase(async (records) => {
        const store = await open();
        opened.push(store);
        await store.put(records);
        return store;
      }),
    );
    for (const store of opened) await store.close();
  }
  await attempt("agreement with the example store", () => assertAgreement(open, 100));
  await attempt("long texts", () => longTexts(open));
  await attempt("a long list", () => longList(openToKeep));
  return failures;
}

/** Pages and records that are longer than the 2 MB that D1 and Durable Objects take for one value. */
async function longTexts(open: OpenEmpty): Promise<void> {
  const store = await open();
  const ids = (length: number) => Array.from({ length }, (_, index) => `u${String(index).padStart(3, "0")}`);
  const ex = "e".repeat(65_536);
  const longest = "e".repeat(1_980_000);
  const escaped = '"'.repeat(1_500_000);
  try {
    await store.put({
      users: [{ userID: "manager" }],
      groups: [{ groupID: "g1", notification: "群".repeat(700) }],
      groupMembers: [
        { groupID: "g1", userID: "manager", roleLevel: 100 },
        ...ids(49).map((userID) => ({ groupID: "g1", userID, ex })),
      ],
      groupRequests: ids(1_000).map((userID) => ({ groupID: "g1", userID })),
      blacks: ids(3).map((blackUserID, index) => ({
        ownerUserID: "manager",
        blackUserID,
        ex: index === 1 ? longest : "",
      })),
      conversations: ["c1", "c2"].map((conversationID) => ({ ownerUserID: "manager", conversationID, ex: escaped })),
    });
    const requests = await store.listReceivedGroupRequests({ userID: "manager", offset: 0, limit: 1_000 });
    assert.deepStrictEqual(
      requests?.items.map(({ userInfo }) => userInfo.userID),
      ids(1_000),
    );
    const members = await store.listGroupMembers({ groupID: "g1", keyword: "", offset: 1, limit: 60 });
    assert.deepStrictEqual([members?.total, members?.items.map((item) => item.ex)], [50, Array(49).fill(ex)]);
    const blacks = await store.listBlacks({ ownerUserID: "manager", offset: 0, limit: 3 });
    assert.deepStrictEqual(blacks?.items[1]?.ex, longest);
    const conversations = await store.conversations("manager");
    assert.deepStrictEqual(conversations[1]?.ex, escaped);
  } finally {
    await store.close();
  }
}

/** Enough for nodes on two levels and for documents; in the deep tests, as many as docs/engines.md promises. */
const length = Math.max(3_500, rounds(20_000));

/** A list that has nodes and documents: its pages, its total, a keyword, an update, and integers beyond 2^53. */
async function longList(open: OpenEmpty): Promise<void> {
  const store = await open();
  const userID = (index: number) => `u${String(index).padStart(5, "0")}`;
  const members = Array.from({ length }, (_, index) => ({
    groupID: "g1",
    userID: userID(index),
    joinTime: index,
    nickname: index % 10 === 7 ? "王芳" : "Ann",
  }));
  const page = async (offset: number, keyword = "") => {
    const found = await store.listGroupMembers({ groupID: "g1", keyword, offset, limit: 2 });
    return [found?.total, found?.items.map((item) => item.userID)];
  };
  try {
    await store.put({ groups: [{ groupID: "g1" }], groupMembers: members });
    for (const offset of [0, 1_777, length - 2]) {
      assert.deepStrictEqual(await page(offset), [length, [userID(offset), userID(offset + 1)]]);
    }
    assert.deepStrictEqual(await page(length), [length, []]);
    assert.deepStrictEqual(await page(100, "王芳"), [length / 10, [userID(1_007), userID(1_017)]]);
    assert.deepStrictEqual(await page(0, "u02999"), [1, [userID(2_999)]]);
    await store.put({ groupMembers: [{ groupID: "g1", userID: "first", roleLevel: 60 }] });
    await store.remove({ groupMembers: [{ groupID: "g1", userID: userID(0) }] });
    assert.deepStrictEqual(await page(0), [length, ["first", userID(1)]]);
    // More than 2^53, which some engines read only as bigint.
    const joinTime = 9_999_999_999_999_998;
    await store.put({ groups: [{ groupID: "late" }], groupMembers: [{ groupID: "late", userID: "u", joinTime }] });
    const late = await store.listGroupMembers({ groupID: "late", keyword: "", offset: 0, limit: 1 });
    assert.deepStrictEqual(late?.items[0]?.joinTime, joinTime);
    // More characters than engines take in one value.
    const userIDs = members.slice(0, 300).map((member) => member.userID.repeat(1_400));
    const conversation = { conversationID: "c", conversationType: 3, userID: "", groupID: "g1" } as const;
    const change = { ...conversation, fields: { isPinned: true } };
    assert.deepStrictEqual(await store.setConversations({ ...change, userIDs }), { outcome: "usersNotFound", userIDs });
    await store.put({ users: userIDs.map((userID) => ({ userID })) });
    const done = await store.setConversations({ ...change, userIDs });
    assert.deepStrictEqual(done, { outcome: "done", changedUserIDs: userIDs });
  } finally {
    // Whoever closes a store twice, and while it writes, loses nothing.
    const written = store.put({ users: [{ userID: "last" }] });
    await Promise.all([store.close(), store.close(), written]);
  }
}

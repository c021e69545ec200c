import { beforeEach, describe, expect, it } from "vitest";
import type { BundledStore } from "../../../src/stores/drivers/sqlite.js";
import { memoryStore } from "../../helpers/stores.js";

let store: BundledStore;
beforeEach(() => {
  store = memoryStore();
});

describe("put", () => {
  it("replaces the whole record: a field that is left out or null goes back to its default", async () => {
    const conversation = { ownerUserID: "u1", conversationID: "c1" };
    await store.put({
      conversations: [
        { ...conversation, conversationType: 3, groupID: "g1", isPinned: true, ex: "x", burnDuration: 9 },
      ],
    });
    await store.put({ conversations: [{ ...conversation, conversationType: 3, isPinned: null, ex: undefined }] });
    expect(await store.conversations("u1")).toStrictEqual([
      {
        ownerUserID: "u1",
        conversationID: "c1",
        conversationType: 3,
        userID: "",
        groupID: "",
        recvMsgOpt: 0,
        attachedInfo: "",
        isPinned: false,
        isPrivateChat: false,
        ex: "",
        burnDuration: 0,
      },
    ]);
  });

  it("keeps times up to 9999999999999998 to the millisecond", async () => {
    const times = [9999999999999998, 9007199254740992, 9007199254740991, 4503599627370497, 1687762198048, 1, 0];
    const groupMembers = times.map((joinTime, index) => ({ groupID: "g1", userID: `u${index}`, joinTime }));
    await store.put({ groups: [{ groupID: "g1" }], groupMembers });
    const members = await store.listGroupMembers({ groupID: "g1", keyword: "", offset: 0, limit: 10 });
    expect(members?.items.map(({ joinTime }) => joinTime)).toStrictEqual(times.toReversed());
  });

  it("keeps any text: empty, astral, right-to-left, with quotes and control characters", async () => {
    const texts = ["", "a\u0001b", "\n", "😀", "e\u0301", "שלום", "'); DROP TABLE users; --", '"\\', "\uFFFD\uFFFF"];
    await store.put({
      conversations: texts.map((ex, index) => ({
        ownerUserID: "u1",
        conversationID: `c${index}`,
        ex,
        attachedInfo: ex,
      })),
    });
    const conversations = await store.conversations("u1");
    expect(conversations.map(({ ex }) => ex)).toStrictEqual(texts);
    expect(conversations.map(({ attachedInfo }) => attachedInfo)).toStrictEqual(texts);
  });
});

describe("conversations", () => {
  it("answers those of one user by conversationID, with real booleans", async () => {
    const conversations = ["c2", "c10", "😀", "\uFFFD", "C1"].map((conversationID) => ({
      ownerUserID: "u1",
      conversationID,
      isPinned: true,
    }));
    await store.put({ conversations: [...conversations, { ownerUserID: "u2", conversationID: "c0" }] });
    const answered = await store.conversations("u1");
    expect(answered.map(({ conversationID }) => conversationID)).toStrictEqual(["C1", "c10", "c2", "\uFFFD", "😀"]);
    expect(answered[0]).toMatchObject({ isPinned: true, isPrivateChat: false });
  });

  it("answers none for a user who is not known", async () => {
    expect(await store.conversations("u404")).toStrictEqual([]);
  });
});

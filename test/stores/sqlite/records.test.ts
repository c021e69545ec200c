import { beforeEach, describe, expect, it } from "vitest";
import type { RecordKeySet, RecordSet } from "../../../src/records.js";
import type { BundledStore } from "../../../src/stores/drivers/sqlite.js";
import { memoryStore } from "../../helpers/stores.js";

const everything = { offset: 0, limit: 1000, keyword: "" };

let store: BundledStore;
beforeEach(() => {
  store = memoryStore();
});

async function notificationUserIDs(): Promise<string[]> {
  const { items } = await store.listNotificationAccounts(everything);
  return items.map(({ userID }) => userID);
}

const account = (userID: string) => ({ userID, appMangerLevel: 3 });

describe("put", () => {
  it("takes the last of two records with the same key", async () => {
    await store.put({ users: [account("u1"), { userID: "u1", nickname: "second" }, account("u2")] });
    expect(await notificationUserIDs()).toStrictEqual(["u2"]);
  });

  it("replaces the whole record: a field that is left out or null goes back to its default", async () => {
    const key = { ownerUserID: "u1", conversationID: "c1", conversationType: 3 };
    await store.put({ conversations: [{ ...key, groupID: "g1", isPinned: true, ex: "x", burnDuration: 9 }] });
    await store.put({ conversations: [{ ...key, isPinned: null, ex: undefined }] });
    expect(await store.conversations("u1")).toStrictEqual([
      {
        ...key,
        userID: "",
        groupID: "",
        recvMsgOpt: 0,
        attachedInfo: "",
        isPinned: false,
        isPrivateChat: false,
        ex: "",
        burnDuration: 0,
        minSeq: 0,
        maxSeq: 0,
        groupAtType: 0,
        msgDestructTime: 0,
        isMsgDestruct: false,
      },
    ]);
  });

  it("keeps any text: empty, astral, right-to-left, with quotes and control characters", async () => {
    const texts = [
      "",
      "a\u0001b",
      "\n",
      "😀",
      "e\u0301",
      "שלום",
      "'); DROP TABLE im_admin_users; --",
      '"\\',
      "\uFFFD\uFFFF",
    ];
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

  it("keeps conversations, which are answered for one user by conversationID, with real booleans", async () => {
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

  it("ignores fields that it does not know", async () => {
    await store.put({ users: [{ ...account("u1"), memberCount: 5, "); DROP TABLE im_admin_users": 1 } as never] });
    expect(await notificationUserIDs()).toStrictEqual(["u1"]);
  });

  const badID = "users[0].userID must be a non-empty string of valid Unicode without U+0000";
  it.each<[string, unknown]>([
    [badID, { users: [{}] }],
    [badID, { users: [account("")] }],
    [badID, { users: [account("u\0")] }],
    [
      "users[1].nickname must be a string of valid Unicode without U+0000",
      { users: [account("u1"), { userID: "u2", nickname: 7 }] },
    ],
    [
      "users[0].nickname must be a string of valid Unicode without U+0000",
      { users: [{ userID: "u1", nickname: "\ud83d" }] },
    ],
    ["users[0].ex must be a string of valid Unicode without U+0000", { users: [{ userID: "u1", ex: "\ude00\ud83d" }] }],
    [
      "users[1].faceURL must be a string of valid Unicode without U+0000",
      { users: [account("u1"), { userID: "u2", faceURL: "a\0" }] },
    ],
    [
      "conversations[0].attachedInfo must be a string of valid Unicode without U+0000",
      conversation({ attachedInfo: "\0" }),
    ],
    [
      "users[0].appMangerLevel must be an integer from -2147483648 to 2147483647",
      { users: [{ userID: "u1", appMangerLevel: "3" }] },
    ],
    [
      "users[0].appMangerLevel must be an integer from -2147483648 to 2147483647",
      { users: [{ userID: "u1", appMangerLevel: 2 ** 31 }] },
    ],
    ["users[0] must be an object", { users: ["u1"] }],
    ["groupMembers[0].userID must be a non-empty string", { groupMembers: [{ groupID: "g1" }] }],
    ["groupMembers[0].roleLevel must be an integer from 0 to 999", member({ roleLevel: 1000 })],
    ["groupMembers[0].joinTime must be an integer of milliseconds from 0 to 10^16 - 2", member({ joinTime: 1e16 })],
    ["groupMembers[0].joinTime must be an integer of milliseconds", member({ joinTime: -1 })],
    ["groupMembers[0].joinTime must be an integer of milliseconds", member({ joinTime: new Date() })],
    ["conversations[0].isPinned must be true or false", conversation({ isPinned: 1 })],
    ['does not know "members"', { members: [] }],
    ['does not know "__proto__"', JSON.parse('{"__proto__": []}')],
  ])("throws a TypeError, %s", async (message, records) => {
    const failure = store.put(records as RecordSet);
    await expect(failure).rejects.toThrow(TypeError);
    await expect(failure).rejects.toThrow(message);
  });

  function member(fields: object) {
    return { groupMembers: [{ groupID: "g1", userID: "u1", ...fields }] };
  }

  function conversation(fields: object) {
    return { conversations: [{ ownerUserID: "u1", conversationID: "c1", ...fields }] };
  }

  it("writes nothing where the last of many records is bad", async () => {
    await store.put({ users: [account("u0")] });
    const users = Array.from({ length: 5000 }, (_, index) => account(`u${index}`));
    await expect(store.put({ users: [...users, account("")] })).rejects.toThrow("users[5000].userID must be");
    await expect(store.put({ users, groups: [{ groupID: "" }] })).rejects.toThrow("groups[0].groupID must be");
    expect(await notificationUserIDs()).toStrictEqual(["u0"]);
  });

  it("writes nothing where a generator throws midway, and works on after that", async () => {
    function* users() {
      yield account("u1");
      throw new Error("the network is down");
    }
    await expect(store.put({ users: users() })).rejects.toThrow("the network is down");
    expect(await notificationUserIDs()).toStrictEqual([]);
    await store.put({ users: [account("u2")] });
    expect(await notificationUserIDs()).toStrictEqual(["u2"]);
  });
});

describe("remove", () => {
  beforeEach(() => store.put({ users: [account("u1"), account("u2"), account("u3")] }));

  it("deletes records, and ignores unknown keys", async () => {
    await store.remove({ users: [{ userID: "u1" }, { userID: "u9" }, { userID: "u1" }], groups: [{ groupID: "g9" }] });
    expect(await notificationUserIDs()).toStrictEqual(["u2", "u3"]);
  });

  it.each<[string, unknown]>([
    ["users[1].userID must be a non-empty string", { users: [{ userID: "u1" }, {}] }],
    [
      "blacks[0].blackUserID must be a non-empty string",
      { users: [{ userID: "u1" }], blacks: [{ ownerUserID: "u1" }] },
    ],
    ['does not know "friends"', { users: [{ userID: "u1" }], friends: [] }],
  ])("deletes nothing and throws a TypeError, %s", async (message, keys) => {
    const failure = store.remove(keys as RecordKeySet);
    await expect(failure).rejects.toThrow(TypeError);
    await expect(failure).rejects.toThrow(message);
    expect(await notificationUserIDs()).toStrictEqual(["u1", "u2", "u3"]);
  });
});

it.each([
  [5, "put must be given an object of users, groups, groupMembers, blacks, groupRequests, conversations"],
  [[], "put must be given an object of users, groups, groupMembers, blacks, groupRequests, conversations"],
  [{ users: 5 }, "users must be an array"],
])("refuses %j in the place of records", async (records, message) => {
  await expect(memoryStore().put(records as never)).rejects.toThrow(new TypeError(message));
});

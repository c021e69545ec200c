import { beforeEach, expect, it } from "vitest";
import { type ConversationsSetReport, type SetConversationsInput, setConversations } from "../../src/index.js";
import type { BundledStore } from "../../src/stores/drivers/sqlite.js";
import { memoryStore } from "../helpers/stores.js";

const success = { errCode: 0, errMsg: "", errDlt: "", data: null };
const pinned = { conversationID: "sg_g1", conversationType: 3, groupID: "g1", isPinned: true } as const;

let store: BundledStore;
let reports: ConversationsSetReport[];
beforeEach(async () => {
  store = memoryStore();
  reports = [];
  await store.put({
    users: [{ userID: "u1" }, { userID: "u2" }, { userID: "peer" }],
    groups: [{ groupID: "g1" }, { groupID: "dismissed", status: 2 }],
    conversations: [
      {
        ownerUserID: "u1",
        conversationID: "sg_g1",
        conversationType: 3,
        groupID: "g1",
        recvMsgOpt: 2,
        attachedInfo: "kept",
        ex: "kept",
        burnDuration: 30,
        minSeq: 7,
      },
    ],
  });
});

const set = (userIDs: string[], conversation: SetConversationsInput["conversation"]) =>
  setConversations(
    store,
    { userIDs, conversation },
    { operationID: "op1", observer: { onConversationsSet: (report) => reports.push(report) } },
  );

it("changes only the supplied fields of users with the conversation, and creates it for the others", async () => {
  expect(await set(["u1", "u2"], pinned)).toEqual(success);
  const untouched = { maxSeq: 0, groupAtType: 0, msgDestructTime: 0, isMsgDestruct: false };
  const common = { ...pinned, ...untouched, userID: "", isPrivateChat: false };
  expect(await store.conversations("u1")).toEqual([
    { ...common, ownerUserID: "u1", recvMsgOpt: 2, attachedInfo: "kept", ex: "kept", burnDuration: 30, minSeq: 7 },
  ]);
  expect(await store.conversations("u2")).toEqual([
    { ...common, ownerUserID: "u2", recvMsgOpt: 0, attachedInfo: "", ex: "", burnDuration: 0, minSeq: 0 },
  ]);
});

it("stores the fields that newer servers have, and tells them to the observer", async () => {
  const fields = { minSeq: 1, maxSeq: 2 ** 53 - 1, groupAtType: -1, msgDestructTime: 86_400, isMsgDestruct: true };
  expect(await set(["u1"], { ...pinned, ...fields })).toEqual(success);
  expect(await store.conversations("u1")).toMatchObject([fields]);
  expect(reports).toMatchObject([{ userIDs: ["u1"], fields }]);
});

it("takes an empty text as a value, and null as not supplied", async () => {
  await set(["u1"], { ...pinned, isPinned: null, ex: "", attachedInfo: null, recvMsgOpt: null });
  expect(await store.conversations("u1")).toMatchObject([
    { isPinned: false, ex: "", attachedInfo: "kept", recvMsgOpt: 2 },
  ]);
});

it("reports the users whose rows really changed, once each", async () => {
  await set(["u2", "u1", "u2"], pinned);
  await set(["u1", "u2"], pinned);
  await set(["u1", "u2"], { ...pinned, recvMsgOpt: 2 });
  const report = { operationID: "op1", conversationID: "sg_g1", conversationType: 3, userID: "", groupID: "g1" };
  expect(reports).toEqual([
    { ...report, userIDs: ["u2", "u1"], fields: { isPinned: true } },
    { ...report, userIDs: ["u2"], fields: { isPinned: true, recvMsgOpt: 2 } },
  ]);
});

it("gives the store each user once, in the order of the input", async () => {
  const { setConversations } = store;
  const given: (readonly string[])[] = [];
  store.setConversations = (change) => {
    given.push(change.userIDs);
    return setConversations(change);
  };
  expect(await set(["u2", "u1", "u2"], pinned)).toEqual(success);
  expect(given).toEqual([["u2", "u1"]]);
});

it("writes nothing where no optional field is supplied, and still checks", async () => {
  const bare = { conversationID: "sg_g1", conversationType: 3, groupID: "g1" } as const;
  expect(await set(["u2"], bare)).toEqual(success);
  expect(await store.conversations("u2")).toEqual([]);
  expect(reports).toEqual([]);
  expect(await set(["nobody"], bare)).toMatchObject({ errCode: 1004 });
});

it("changes nothing for a thousand users when one of them is unknown", async () => {
  const users = Array.from({ length: 1000 }, (_, index) => ({ userID: `m${index}` }));
  await store.put({ users: users.filter(({ userID }) => userID !== "m700") });
  expect(await set([...users.map(({ userID }) => userID), "u1"], pinned)).toEqual({
    errCode: 1004,
    errMsg: "RecordNotFoundError",
    errDlt: "user m700: [1004]RecordNotFoundError",
  });
  expect(await store.conversations("m0")).toEqual([]);
  expect(await store.conversations("u1")).toMatchObject([{ isPinned: false }]);
  expect(reports).toEqual([]);
});

it("sets ten thousand users in one call", async () => {
  const users = Array.from({ length: 10_000 }, (_, index) => ({ userID: `m${index}` }));
  await store.put({ users });
  const userIDs = users.map(({ userID }) => userID);
  expect(await set(userIDs, pinned)).toEqual(success);
  expect(await store.conversations("m9999")).toMatchObject([{ isPinned: true }]);
  expect(reports.map(({ userIDs }) => userIDs.length)).toEqual([10_000]);
});

it.each<[string, number, object, boolean]>([
  ["for 1,024 users, 65,536 bytes", 1024, { ex: "x".repeat(65_536) }, true],
  ["for 1,024 users, a byte more", 1024, { ex: "x".repeat(65_536), attachedInfo: "x" }, false],
  ["for 1,025 users, 65,536 bytes", 1025, { ex: "x".repeat(65_536) }, false],
  ["for 512 users, two texts of 65,536 bytes", 512, { ex: "é".repeat(32_768), attachedInfo: "x".repeat(65_536) }, true],
  ["for 513 users, the same", 513, { ex: "é".repeat(32_768), attachedInfo: "x".repeat(65_536) }, false],
  ["for 256 users, 65,536 characters of 4 bytes", 256, { attachedInfo: "😀".repeat(65_536) }, true],
  ["for 257 users, the same", 257, { attachedInfo: "😀".repeat(65_536) }, false],
])("writes 64 MiB of texts at most: %s", async (_what, count, texts, isAllowed) => {
  const userIDs = Array.from({ length: count }, (_, index) => `m${index}`);
  // Each twice: they count once.
  const tooLong =
    "1001 ArgsError: conversation.ex and attachedInfo must take at most 67108864 bytes for all users together";
  expect(await set([...userIDs, ...userIDs], { ...pinned, ...texts })).toMatchObject(
    isAllowed ? { errCode: 1004 } : { errCode: 1001, errDlt: tooLong },
  );
});

const notFound = (what: string) => [1004, "RecordNotFoundError", `${what}: [1004]RecordNotFoundError`] as const;
const wrong = (what: string) => [1001, "ArgsError", `1001 ArgsError: conversation.${what}`] as const;

it.each<[string, string[], object, readonly [number, string, string]]>([
  [
    "users that do not exist, all of them named, the peer among them",
    ["a", "u1", "b", "c"],
    { conversationID: "c", conversationType: 1, userID: "d", isPinned: true },
    notFound("users a, b, c, d"),
  ],
  [
    "more than 1,000 users that do not exist, and names 1,000",
    ["u1", ...Array.from({ length: 1_002 }, (_, index) => `n${index}`)],
    pinned,
    notFound(`users ${Array.from({ length: 1_000 }, (_, index) => `n${index}`).join(", ")} and 2 more`),
  ],
  ["a group that does not exist", ["u1"], { ...pinned, groupID: "g404" }, notFound("group g404")],
  [
    "a dismissed group",
    ["nobody"],
    { ...pinned, groupID: "dismissed" },
    [1204, "DismissedAlreadyError", "1204 DismissedAlreadyError: group dismissed"],
  ],
  [
    "a stored conversation of another type",
    ["u2", "u1"],
    { conversationID: "sg_g1", conversationType: 1, userID: "peer", isPinned: true },
    wrong("conversationType, userID and groupID must be those of the conversation that is stored for user u1"),
  ],
  [
    "a single chat without peer",
    ["u1"],
    { conversationID: "c", conversationType: 1, isPinned: true },
    wrong("userID must be a string of 1 to 64 characters without control characters in a single chat"),
  ],
  ["a group chat with a peer", ["u1"], { ...pinned, userID: "peer" }, wrong("userID must be empty in a group chat")],
])("refuses %s, and changes nothing", async (_what, userIDs, conversation, [errCode, errMsg, errDlt]) => {
  const answer = await set(userIDs, conversation as SetConversationsInput["conversation"]);
  expect(answer).toEqual({ errCode, errMsg, errDlt });
  expect(await store.conversations("u1")).toMatchObject([{ isPinned: false, conversationType: 3 }]);
  expect(await store.conversations("u2")).toEqual([]);
});

import { getEventListeners } from "node:events";
import { describe, expect, expectTypeOf, it } from "vitest";
import {
  type CallReport,
  defaultLimits,
  type Envelope,
  type ErrorReport,
  errorCodes,
  type GroupMember,
  type GroupMemberList,
  getBlackList,
  getGroupMemberList,
  getReceivedGroupApplicationList,
  type Store,
  searchNotificationAccount,
  setConversations,
} from "../../src/index.js";
import { memoryStore } from "../helpers/stores.js";

const pagination = { pageNumber: 1, showNumber: 10 };
const argsError = (what: string) => ({ errCode: 1001, errMsg: "ArgsError", errDlt: `1001 ArgsError: ${what}` });
const idRule = "must be a string of 1 to 64 characters without control characters";

const pageRule = "pagination.pageNumber must be an integer >= 1";
const keywordRule = "keyword must be a string of at most 255 characters";

it.each<[unknown, string]>([
  [undefined, "input must be an object"],
  [null, "input must be an object"],
  ["x", "input must be an object"],
  [[], "input must be an object"],
  [{ groupID: "g1", pagination: [] }, "pagination must be an object"],
  [{}, `groupID ${idRule}`],
  [{ groupID: null }, `groupID ${idRule}`],
  [{ groupID: "" }, `groupID ${idRule}`],
  [{ groupID: 7 }, `groupID ${idRule}`],
  [{ groupID: "a\u0000" }, `groupID ${idRule}`],
  [{ groupID: "a\u007f" }, `groupID ${idRule}`],
  [{ groupID: "a\ud800" }, `groupID ${idRule}, and of valid Unicode`],
  [{ groupID: "x".repeat(65) }, `groupID ${idRule}`],
  [{ groupID: "😀".repeat(65) }, `groupID ${idRule}`],
  [{ groupID: "g1" }, "pagination must be an object"],
  [{ groupID: "g1", pagination: {} }, pageRule],
  ...[0, "1", 1.5, true].map((pageNumber): [unknown, string] => [
    { groupID: "g1", pagination: { pageNumber, showNumber: 1 } },
    pageRule,
  ]),
  [
    { groupID: "g1", pagination: { pageNumber: 2_147_483_648, showNumber: 1 } },
    "pagination.pageNumber must be an integer <= 2147483647",
  ],
  [
    { groupID: "g1", pagination: { pageNumber: 1, showNumber: 1001 } },
    "pagination.showNumber must be an integer from 1 to 1000",
  ],
  [{ groupID: "g1", keyword: 5, pagination }, keywordRule],
  [{ groupID: "g1", keyword: "k".repeat(256), pagination }, keywordRule],
  [{ groupID: "g1", keyword: "a\u0000b", pagination }, `${keywordRule} without U+0000`],
  [{ groupID: "g1", keyword: "a\ud800", pagination }, `${keywordRule}, and of valid Unicode`],
  [{ groupID: "g1", filter: 6, pagination }, "filter must be an integer from 0 to 5"],
])("refuses %j", async (input, what) => {
  expect(await getGroupMemberList(memoryStore(), input as never)).toEqual(argsError(what));
});

const conversation = { conversationID: "c", conversationType: 1, userID: "u" } as const;

it.each<[object, string]>([
  [{ conversationType: 2 }, "conversationType must be 1 (single chat) or 3 (group chat)"],
  [{ recvMsgOpt: 3 }, "recvMsgOpt must be an integer from 0 to 2"],
  [{ burnDuration: -1 }, "burnDuration must be an integer >= 0"],
  [{ minSeq: -1 }, "minSeq must be an integer from 0 to 9007199254740991"],
  [{ maxSeq: 2 ** 53 }, "maxSeq must be an integer from 0 to 9007199254740991"],
  [{ groupAtType: 2 ** 31 }, "groupAtType must be an integer from -2147483648 to 2147483647"],
  [{ msgDestructTime: 0.5 }, "msgDestructTime must be an integer from 0 to 9007199254740991"],
  [{ isMsgDestruct: 1 }, "isMsgDestruct must be true or false"],
  [{ attachedInfo: "\u0000" }, "attachedInfo must be a string of at most 65536 characters without U+0000"],
  [{ isPinned: 1 }, "isPinned must be true or false"],
])("names what is wrong in a conversation by its path: %j", async (fields, what) => {
  const input = { userIDs: ["u"], conversation: { ...conversation, ...fields } } as never;
  expect(await setConversations(memoryStore(), input)).toEqual(argsError(`conversation.${what}`));
});

it("names the wrong value in a list by its path, and an unknown level", async () => {
  const store = memoryStore();
  const input = { fromUserID: "u", handleResults: [2 as 1], pagination };
  expect(await getReceivedGroupApplicationList(store, input)).toEqual(
    argsError("handleResults[0] must be 0 (pending), 1 (accepted) or -1 (refused)"),
  );
  expect(await searchNotificationAccount(store, { appManagerLevel: 2 as 3, pagination })).toEqual(
    argsError("appManagerLevel must be 3 or 4"),
  );
});

it.each<[string, unknown, number]>([
  ["an empty one", ["u", ""], 1],
  ["a hole", Object.assign(["u1", "u2"], { 3: "u4" }), 2],
  ["a number", ["u1", 5], 1],
  ["a control character", ["u1", "u\u007f"], 1],
  ["65 characters", ["u1", "u".repeat(65)], 1],
  ["half of a surrogate pair", ["王", "王\ud800"], 1],
])("names the bad identifier among good ones: %s", async (_what, userIDs, index) => {
  const { errDlt } = await setConversations(memoryStore(), { userIDs: userIDs as string[], conversation });
  expect(errDlt).toContain(`userIDs[${index}] ${idRule}`);
});

it("takes identifiers of 64 characters, which are not UTF-16 units, and of spaces and letters beyond ASCII", async () => {
  const store = memoryStore();
  const userIDs = ["u".repeat(64), " ", "\u0080\u009f", "王".repeat(64), "😀".repeat(64)];
  await store.put({ users: ["peer", ...userIDs].map((userID) => ({ userID })) });
  const pinned = { ...conversation, userID: "peer", isPinned: true };
  expect(await setConversations(store, { userIDs, conversation: pinned })).toMatchObject({ errCode: 0 });
});

describe("a list that is too long", () => {
  /** Fails where anything but its length is asked for. */
  const closed = <Entry>(length: number): Entry[] =>
    new Proxy(Array<Entry>(length), {
      get(list, name) {
        if (name === "length") return list.length;
        throw new Error(`${String(name)} was looked at`);
      },
    });

  it.each<[string, () => unknown[], string]>([
    ["no entries", () => closed(0), "userIDs must be an array of 1 to 10000 user IDs"],
    ["entries that nobody may look at", () => closed(10_001), "userIDs must be an array of 1 to 10000 user IDs"],
    ["a million bad entries", () => Array(1_000_000).fill(5), "userIDs must be an array of 1 to 10000 user IDs"],
    ["entries, of which one is bad", () => Array(10_000).fill(""), `userIDs[0] ${idRule}`],
  ])("is refused by its length: users, %s", async (_what, userIDs, what) => {
    expect(await setConversations(memoryStore(), { userIDs: userIDs() as string[], conversation })).toEqual(
      argsError(what),
    );
  });

  it.each<[string, () => object, string]>([
    ["too many groups", () => ({ groupIDs: closed(10_001) }), "groupIDs must be an array of at most 10000 group IDs"],
    ["no array of groups", () => ({ groupIDs: {} }), "groupIDs must be an array of at most 10000 group IDs"],
    [
      "too many results",
      () => ({ handleResults: closed(101) }),
      "handleResults must be an array of at most 100 entries",
    ],
    ["no array of results", () => ({ handleResults: {} }), "handleResults must be an array of 0, 1 and -1"],
  ])("is refused by its length: %s", async (_what, restrictions, what) => {
    const input = { fromUserID: "u", ...restrictions(), pagination };
    expect(await getReceivedGroupApplicationList(memoryStore(), input)).toEqual(argsError(what));
  });

  it("may say the same result a hundred times", async () => {
    const store = memoryStore();
    await store.put({ users: [{ userID: "u" }] });
    const input = { fromUserID: "u", handleResults: Array(100).fill(0), pagination };
    expect(await getReceivedGroupApplicationList(store, input)).toMatchObject({ errCode: 0 });
  });
});

it("has the documented limits, and a call can change each of them", async () => {
  expect(defaultLimits).toEqual({
    showNumber: 1000,
    pageBytes: 16_777_216,
    userIDs: 10_000,
    idLength: 64,
    keywordLength: 255,
    textLength: 65_536,
    writeBytes: 67_108_864,
    bodyBytes: 1_048_576,
  });
  const store = memoryStore();
  const limits = { showNumber: 5, userIDs: 1, idLength: 2, keywordLength: 1, textLength: 3 };
  const options = { limits };
  const calls: [Promise<unknown>, string][] = [
    [getBlackList(store, { userID: "u", pagination }, options), "pagination.showNumber must be an integer from 1 to 5"],
    [
      getBlackList(store, { userID: "abc", pagination }, options),
      "userID must be a string of 1 to 2 characters without control characters",
    ],
    [
      searchNotificationAccount(store, { keyword: "ab", pagination }, options),
      "keyword must be a string of at most 1 characters",
    ],
    [
      setConversations(store, { userIDs: ["a", "b"], conversation }, options),
      "userIDs must be an array of 1 to 1 user IDs",
    ],
    [
      setConversations(store, { userIDs: ["a"], conversation: { ...conversation, ex: "four" } }, options),
      "conversation.ex must be a string of at most 3 characters",
    ],
    [
      setConversations(
        store,
        { userIDs: ["a"], conversation: { ...conversation, ex: "王" } },
        { limits: { writeBytes: 2 } },
      ),
      "conversation.ex and attachedInfo must take at most 2 bytes for all users together",
    ],
  ];
  for (const [answer, what] of calls) expect(await answer).toEqual(argsError(what));
});

it("keeps the limits of calls apart whose digits are the same together", async () => {
  const store = memoryStore();
  await store.put({ users: ["a", "b", "peer"].map((userID) => ({ userID })) });
  const input = { userIDs: ["a", "b"], conversation: { ...conversation, userID: "peer" } };
  const few = await setConversations(store, input, { limits: { showNumber: 11, userIDs: 1 } });
  expect(few).toEqual(argsError("userIDs must be an array of 1 to 1 user IDs"));
  expect(await setConversations(store, input, { limits: { showNumber: 1, userIDs: 11 } })).toMatchObject({
    errCode: 0,
  });
});

it("answers 500 where the signal was aborted before, and writes nothing", async () => {
  const store = memoryStore();
  await store.put({ users: [{ userID: "a" }, { userID: "peer" }] });
  const input = { userIDs: ["a"], conversation: { ...conversation, userID: "peer", isPinned: true } };
  const options = { signal: AbortSignal.abort(), observer: { onError() {} } };
  expect(await setConversations(store, input, options)).toMatchObject({ errCode: 500 });
  expect(await store.conversations("a")).toEqual([]);
});

it("leaves nothing on a signal that outlives the call", async () => {
  const { signal } = new AbortController();
  const input = { userID: "u", pagination };
  for (let call = 0; call < 3; call += 1) await getBlackList(memoryStore(), input, { signal });
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

it("never names a record with the word that makes an admin UI log out", async () => {
  const store = memoryStore();
  expect(await getGroupMemberList(store, { groupID: "myTokens", pagination })).toEqual({
    errCode: 1004,
    errMsg: "RecordNotFoundError",
    errDlt: "1 group: [1004]RecordNotFoundError",
  });
});

it("answers 500 for anything that a store throws, and tells only the observer why", async () => {
  const calls: CallReport[] = [];
  const errors: ErrorReport[] = [];
  const cause = new Error("SQLITE_IOERR: /var/lib/secret.db");
  const store = { listBlacks: () => Promise.reject(cause) } as unknown as Store;
  const options = {
    operationID: "op1",
    observer: {
      onCall: (report: CallReport) => calls.push(report),
      onError: (report: ErrorReport) => errors.push(report),
    },
  };
  expect(await getBlackList(store, { userID: "u1", pagination }, options)).toEqual({
    errCode: 500,
    errMsg: "ServerInternalError",
    errDlt: "500 ServerInternalError",
  });
  expect(errors).toEqual([{ operation: "getBlackList", operationID: "op1", error: cause }]);
  expect(calls).toEqual([
    { operation: "getBlackList", operationID: "op1", errCode: 500, durationMs: expect.any(Number) },
  ]);
  expect(await getBlackList(undefined as never, { userID: "u1", pagination })).toMatchObject({ errCode: 500 });
});

it("is not disturbed by an observer that throws or rejects", async () => {
  const store = memoryStore();
  await store.put({ users: [{ userID: "u1" }] });
  const observer = {
    onCall: () => {
      throw new Error("observer");
    },
    onConversationsSet: () => Promise.reject(new Error("observer")),
  };
  const pinned = { ...conversation, userID: "u1", isPinned: true };
  expect(await setConversations(store, { userIDs: ["u1"], conversation: pinned }, { observer })).toMatchObject({
    errCode: 0,
  });
});

it("has types that narrow on errCode, and codes of the contract", () => {
  const envelope = {} as Envelope<GroupMemberList>;
  if (envelope.errCode === 0) expectTypeOf(envelope.data.members).toEqualTypeOf<GroupMember[]>();
  else expectTypeOf(envelope).not.toHaveProperty("data");
  expectTypeOf<Parameters<typeof getGroupMemberList>[1]["pagination"]>().toEqualTypeOf<{
    pageNumber: number;
    showNumber: number;
  }>();
  expect(errorCodes).toEqual({
    ArgsError: 1001,
    NoPermissionError: 1002,
    RecordNotFoundError: 1004,
    DismissedAlreadyError: 1204,
    TokenExpiredError: 1501,
    TokenMalformedError: 1503,
    TokenNotValidYetError: 1504,
    TokenUnknownError: 1505,
    TokenKickedError: 1506,
    TokenNotExistError: 1507,
    ServerInternalError: 500,
  });
});

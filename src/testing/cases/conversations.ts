import { settableFields } from "../../records.js";
import type { ConversationChange, ValuesBefore } from "../../store.js";
import { expectEqual } from "../expect.js";
import type { NamedCases, StoreUnderTest } from "../storeCase.js";
import { storeWorld } from "../world.js";

const readers = { conversationID: "sg_readers", conversationType: 3, userID: "", groupID: "readers" } as const;
const chat = { conversationID: "si_ann_bob", conversationType: 1, userID: "ann", groupID: "" } as const;
const empty = Object.fromEntries(settableFields.map(([field, { otherwise }]) => [field, otherwise]));
const [annsReaders] = storeWorld.conversations;
const bobsChat = { ...chat, ownerUserID: "bob", ...empty };

/** Sets conversations, and sorts the users of the result, since a store may report them in any order. */
async function set(store: StoreUnderTest, change: ConversationChange) {
  const result = await store.setConversations(change);
  if (result.outcome === "done") {
    const { before, ...done } = { ...result, changedUserIDs: [...result.changedUserIDs].sort() };
    return change.tell === undefined ? done : { ...done, before: before && byUser(before) };
  }
  return "userIDs" in result ? { ...result, userIDs: [...result.userIDs].sort() } : result;
}

/** What was there before, by user. A store may put users with the same values together, or not. */
function byUser(before: readonly ValuesBefore[]) {
  const told = before.flatMap(({ fields, userIDs }) => userIDs.map((userID) => [userID, fields] as const));
  const users = told.map(([userID]) => userID);
  if (new Set(users).size < users.length) throw new Error(`what was before must be told once of each user: ${users}`);
  return Object.fromEntries(told.sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** Whether the store tells what was there before. It need not, and then the cases about that have nothing to test. */
async function tells(store: StoreUnderTest): Promise<boolean> {
  const result = await store.setConversations({ ...readers, userIDs: ["ann"], fields: {}, tell: ["isPinned"] });
  return result.outcome === "done" && result.before !== undefined;
}

async function expectUntouched(store: StoreUnderTest, what: string) {
  expectEqual(await store.conversations("ann"), [annsReaders], `conversations of ann after ${what}`);
  expectEqual(await store.conversations("bob"), [bobsChat], `conversations of bob after ${what}`);
  expectEqual(await store.conversations("Zed"), [], `conversations of Zed after ${what}`);
}

export const conversationsCases: NamedCases = {
  "a conversation is created for users without it, with the supplied fields and the defaults": async (open) => {
    const store = await open(storeWorld);
    const change = { ...readers, userIDs: ["Zed", "bob"], fields: { isPinned: true, ex: "新" } };
    expectEqual(await set(store, change), { outcome: "done", changedUserIDs: ["Zed", "bob"] }, "the result");
    const made = { ...readers, ...empty, isPinned: true, ex: "新" };
    expectEqual(await store.conversations("Zed"), [{ ...made, ownerUserID: "Zed" }], "conversations of Zed");
    const bobs = [{ ...made, ownerUserID: "bob" }, bobsChat];
    expectEqual(await store.conversations("bob"), bobs, "conversations of bob, by conversationID");
  },

  "a stored conversation changes in the supplied fields only": async (open) => {
    const store = await open(storeWorld);
    const fields = { recvMsgOpt: 0, isPinned: false, ex: "" };
    await set(store, { ...readers, userIDs: ["ann"], fields });
    const expected = { ...annsReaders, recvMsgOpt: 0, isPinned: false, ex: "" };
    expectEqual(await store.conversations("ann"), [expected], "0, false and the empty text are values to set");
    const longest = { attachedInfo: "长".repeat(65_536), burnDuration: 2_147_483_647 };
    const later = { ...longest, isPrivateChat: false, ex: " 𠮷 between spaces\n" };
    await set(store, { ...readers, userIDs: ["ann"], fields: later });
    const then = { ...expected, ...later };
    expectEqual(await store.conversations("ann"), [then], "the new values exactly, and the others of the first call");
  },

  "only users whose row really changed are reported": async (open) => {
    const store = await open(storeWorld);
    const change = { ...readers, userIDs: ["ann", "Zed"], fields: { isPinned: true, burnDuration: 30 } };
    expectEqual(await set(store, change), { outcome: "done", changedUserIDs: ["Zed"] }, "ann's had these values");
    expectEqual(await set(store, change), { outcome: "done", changedUserIDs: [] }, "the same call again");
  },

  "nothing is written if no field is supplied": async (open) => {
    const store = await open(storeWorld);
    const change = { ...readers, userIDs: ["ann", "Zed"], fields: {} };
    expectEqual(await set(store, change), { outcome: "done", changedUserIDs: [] }, "the result");
    await expectUntouched(store, "a call without fields");
  },

  "each field is set alone, to its least and its greatest value": async (open) => {
    const store = await open(storeWorld);
    const extremes = [
      { minSeq: 9_007_199_254_740_991 },
      { minSeq: 0 },
      { maxSeq: 9_007_199_254_740_990 },
      { maxSeq: 0 },
      { groupAtType: -2_147_483_648 },
      { groupAtType: 2_147_483_647 },
      { msgDestructTime: 9_007_199_254_740_991 },
      { msgDestructTime: 0 },
      { isMsgDestruct: false },
      { isMsgDestruct: true },
      { burnDuration: 2_147_483_647 },
    ];
    let expected: object = { ...readers, ...empty, ex: "x", ownerUserID: "Zed" };
    await set(store, { ...readers, userIDs: ["Zed"], fields: { ex: "x" } });
    for (const fields of extremes) {
      const isChange = JSON.stringify({ ...expected, ...fields }) !== JSON.stringify(expected);
      expected = { ...expected, ...fields };
      const done = { outcome: "done", changedUserIDs: isChange ? ["Zed"] : [] };
      expectEqual(
        await set(store, { ...readers, userIDs: ["Zed"], fields }),
        done,
        `setting ${JSON.stringify(fields)}`,
      );
      expectEqual(await store.conversations("Zed"), [expected], `conversations of Zed after ${JSON.stringify(fields)}`);
    }
  },

  "a peer who is not listed is not touched": async (open) => {
    const store = await open(storeWorld);
    await set(store, { ...chat, userIDs: ["bob"], fields: { isPinned: true } });
    expectEqual(await store.conversations("ann"), [annsReaders], "conversations of the peer");
    const fields = { isPinned: true };
    const change: ConversationChange = { ...chat, conversationID: "sg_readers", userIDs: ["Zed"], fields };
    const done = { outcome: "done", changedUserIDs: ["Zed"] };
    expectEqual(await set(store, change), done, "the peer's own conversation, of another type, contradicts nothing");
  },

  "no user is changed if one is unknown": async (open) => {
    const store = await open(storeWorld);
    const change = { ...readers, userIDs: ["ann", "nobody", "Zed", "stranger"], fields: { isPinned: false } };
    const expected = { outcome: "usersNotFound", userIDs: ["nobody", "stranger"] };
    expectEqual(await set(store, change), expected, "the result: all unknown users");
    await expectUntouched(store, "a call with unknown users");
    const both = { ...readers, groupID: "writers", userIDs: ["ann", "nobody"], fields: { isPinned: false } };
    const first = await set(store, both);
    expectEqual(first, { outcome: "usersNotFound", userIDs: ["nobody"] }, "unknown users come before contradictions");
  },

  "an unknown peer is reported like an unknown user": async (open) => {
    const store = await open(storeWorld);
    const change = { ...chat, userID: "nobody", conversationID: "c", userIDs: ["Zed"], fields: { isPinned: true } };
    expectEqual(await set(store, change), { outcome: "usersNotFound", userIDs: ["nobody"] }, "the result");
    await expectUntouched(store, "a call with an unknown peer");
  },

  "an unknown group and a dismissed one are reported, before unknown users": async (open) => {
    const store = await open(storeWorld);
    const change = { ...readers, conversationID: "c", userIDs: ["Zed", "nobody"], fields: { isPinned: true } };
    const unknown = await set(store, { ...change, groupID: "unknown" });
    expectEqual(unknown, { outcome: "groupNotFound" }, "an unknown group");
    const dismissed = await set(store, { ...change, groupID: "Dismissed" });
    expectEqual(dismissed, { outcome: "groupDismissed" }, "a dismissed group");
    await expectUntouched(store, "calls for groups that cannot be");
    const muted = await set(store, { ...change, groupID: "quiet", userIDs: ["Zed"] });
    expectEqual(muted, { outcome: "done", changedUserIDs: ["Zed"] }, "a group with status 3 is not dismissed");
  },

  "no user is changed if one has the conversation with another type, peer or group": async (open) => {
    const store = await open(storeWorld);
    const fields = { isPinned: false, recvMsgOpt: 1 };
    const contradictions: ConversationChange[] = [
      { ...readers, groupID: "writers", userIDs: ["Zed", "ann"], fields },
      { ...readers, conversationType: 1, userID: "bob", groupID: "", userIDs: ["Zed", "ann"], fields },
      { ...readers, groupID: "writers", userIDs: ["Zed", "ann"], fields: {} },
    ];
    for (const change of contradictions) {
      expectEqual(await set(store, change), { outcome: "contradicted", userIDs: ["ann"] }, "the result");
      await expectUntouched(store, "a call that contradicts ann's conversation");
    }
    const peer: ConversationChange = { ...chat, userID: "Zed", userIDs: ["bob"], fields };
    expectEqual(await set(store, peer), { outcome: "contradicted", userIDs: ["bob"] }, "another peer");
  },

  "ten thousand users are set in one call, or none of them": async (open) => {
    const userIDs = Array.from({ length: 10_000 }, (_, index) => String(10_000 + index).padEnd(64, "-"));
    const store = await open({ ...storeWorld, users: [...storeWorld.users, ...userIDs.map((userID) => ({ userID }))] });
    const change = { ...readers, fields: { ex: "所有人" } };
    const refused = await set(store, { ...change, userIDs: [...userIDs.slice(0, 9_999), "nobody"] });
    expectEqual(refused, { outcome: "usersNotFound", userIDs: ["nobody"] }, "one unknown user among them");
    expectEqual(await store.conversations(userIDs[0] ?? ""), [], "conversations of the first user after that");
    const done = await store.setConversations({ ...change, userIDs });
    expectEqual(done.outcome === "done" && done.changedUserIDs.length, 10_000, "users changed");
    const last = { ...readers, ...empty, ex: "所有人", ownerUserID: userIDs[9_999] };
    expectEqual(await store.conversations(userIDs[9_999] ?? ""), [last], "conversations of the last user");
  },

  "calls at the same time all take effect": async (open) => {
    const store = await open(storeWorld);
    const userIDs = ["ann", "bob", "Zed", "王芳", "😀"];
    await store.put({
      conversations: [
        { ...readers, ownerUserID: "ann" },
        { ...readers, ownerUserID: "bob" },
      ],
    });
    const calls = Array.from({ length: 20 }, (_, burnDuration) =>
      store.setConversations({ ...readers, userIDs, fields: burnDuration % 2 ? { burnDuration } : { isPinned: true } }),
    );
    for (const { outcome } of await Promise.all(calls)) expectEqual(outcome, "done", "the result of one of the calls");
    const durations = new Set<number | undefined>();
    for (const userID of userIDs) {
      const stored = (await store.conversations(userID)).find(({ conversationID }) => conversationID === "sg_readers");
      expectEqual(stored?.isPinned, true, `isPinned of ${userID}, which half of the calls set`);
      durations.add(stored?.burnDuration);
    }
    expectEqual(durations.size, 1, "different values of burnDuration that one of the calls left behind");
  },

  "if the store tells what was there before, it tells it of the users whose row really changed": async (open) => {
    const store = await open(storeWorld);
    if (!(await tells(store))) return;
    const fields = { isPinned: true, ex: "new", burnDuration: 30 };
    const change = { ...readers, userIDs: ["Zed", "ann", "bob"], fields, tell: ["ex", "burnDuration"] as const };
    const before = {
      Zed: { ex: "", burnDuration: 0 },
      ann: { ex: "ex", burnDuration: 30 },
      bob: { ex: "", burnDuration: 0 },
    };
    expectEqual(
      await set(store, change),
      { outcome: "done", changedUserIDs: ["Zed", "ann", "bob"], before },
      "the result",
    );
    const again = { outcome: "done", changedUserIDs: [], before: {} };
    expectEqual(await set(store, change), again, "the same call again");
    const most = { maxSeq: 1, isMsgDestruct: false, minSeq: 4 };
    const told = { ...change, userIDs: ["ann"], fields: most, tell: ["maxSeq", "isMsgDestruct", "minSeq"] as const };
    const numbers = { ann: { minSeq: 3, maxSeq: 9_007_199_254_740_991, isMsgDestruct: true } };
    expectEqual(
      await set(store, told),
      { outcome: "done", changedUserIDs: ["ann"], before: numbers },
      "all kinds of values",
    );
    const refused = await set(store, { ...change, userIDs: ["ann", "nobody"] });
    expectEqual(refused, { outcome: "usersNotFound", userIDs: ["nobody"] }, "one unknown user");
  },

  "if the store tells what was there before, it tells it of all listed users where no field is supplied": async (
    open,
  ) => {
    const store = await open(storeWorld);
    if (!(await tells(store))) return;
    const change = { ...readers, userIDs: ["Zed", "ann"], fields: {}, tell: ["isPinned", "recvMsgOpt"] as const };
    const before = { Zed: { recvMsgOpt: 0, isPinned: false }, ann: { recvMsgOpt: 2, isPinned: true } };
    expectEqual(await set(store, change), { outcome: "done", changedUserIDs: [], before }, "the result");
    await expectUntouched(store, "a call that only asks");
  },

  "if the store tells what was there before, it changes only conversations with the values of onlyIf": async (open) => {
    const store = await open(storeWorld);
    if (!(await tells(store))) return;
    const onlyIf = { isPinned: true, ex: "ex" };
    const change: ConversationChange = {
      ...readers,
      userIDs: ["ann", "Zed"],
      fields: { isPinned: false },
      tell: ["isPinned"],
      onlyIf,
    };
    const other = await set(store, { ...change, onlyIf: { ...onlyIf, ex: "EX" } });
    expectEqual(other, { outcome: "done", changedUserIDs: [], before: {} }, "another text");
    await expectUntouched(store, "a call for other values");
    const anns = { outcome: "done", changedUserIDs: ["ann"], before: { ann: { isPinned: true } } };
    expectEqual(await set(store, change), anns, "ann's conversation has these values");
    expectEqual(await store.conversations("Zed"), [], "conversations of Zed, who had the defaults");
    const defaults = { isPinned: false, ex: "" };
    const zeds = { outcome: "done", changedUserIDs: ["Zed"], before: { Zed: { isPinned: false } } };
    const created = await set(store, { ...change, fields: { isPinned: true }, onlyIf: defaults });
    expectEqual(created, zeds, "a user without the conversation has the defaults");
    const made = [{ ...readers, ...empty, isPinned: true, ownerUserID: "Zed" }];
    expectEqual(await store.conversations("Zed"), made, "conversations of Zed after that");
  },

  "if the store tells what was there before, calls at the same time tell what the call before them left": async (
    open,
  ) => {
    const store = await open(storeWorld);
    if (!(await tells(store))) return;
    const userIDs = ["Zed", "ann", "bob", "王芳", "😀"];
    const calls = Array.from({ length: 20 }, (_, index) =>
      store.setConversations({
        ...readers,
        // Each has other users first.
        userIDs: [...userIDs.slice(index % 5), ...userIDs.slice(0, index % 5)],
        fields: { burnDuration: index + 100 },
        tell: ["burnDuration"],
      }),
    );
    const results = await Promise.all(calls);
    for (const userID of userIDs) {
      const told = results.map((result) => {
        const before = result.outcome === "done" ? (result.before ?? []) : [];
        return before.find((group) => group.userIDs.includes(userID))?.fields.burnDuration;
      });
      const stored = (await store.conversations(userID)).find(({ conversationID }) => conversationID === "sg_readers");
      const all = [...told, stored?.burnDuration].sort((left = -1, right = -1) => left - right);
      const first = userID === "ann" ? 30 : 0;
      const expected = [first, ...calls.map((_, index) => index + 100)];
      expectEqual(all, expected, `burnDuration of ${userID}: each value once, before a call or in the end`);
    }
  },
};

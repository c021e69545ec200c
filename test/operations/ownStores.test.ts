/** The functions over a host's store, which may answer anything. */
import { expect, it } from "vitest";
import {
  type ErrorReport,
  getBlackList,
  getGroupMemberList,
  getJoinedGroupList,
  getReceivedGroupApplicationList,
  type Store,
  type StoreCall,
  searchNotificationAccount,
  setConversations,
} from "../../src/index.js";
import { groupMember, itemWith } from "../../src/items.js";

const pagination = { pageNumber: 1, showNumber: 2 };
const member = itemWith(groupMember, { groupID: "g1", userID: "u1", roleLevel: 20, joinTime: 1, nickname: "Ann" });
const calls: Record<Exclude<keyof Store, "names">, (store: Store, options: object) => Promise<{ errCode: number }>> = {
  listGroupMembers: (store, options) => getGroupMemberList(store, { groupID: "g1", pagination }, options),
  listBlacks: (store, options) => getBlackList(store, { userID: "u1", pagination }, options),
  listJoinedGroups: (store, options) => getJoinedGroupList(store, { fromUserID: "u1", pagination }, options),
  listReceivedGroupRequests: (store, options) =>
    getReceivedGroupApplicationList(store, { fromUserID: "u1", pagination }, options),
  listNotificationAccounts: (store, options) => searchNotificationAccount(store, { pagination }, options),
  setConversations: (store, options) =>
    setConversations(
      store,
      { userIDs: ["u1"], conversation: { conversationID: "c", conversationType: 1, userID: "u2", isPinned: true } },
      options,
    ),
};

it.each<[keyof typeof calls, answered: unknown, cause: string]>([
  ["listGroupMembers", { total: "3", items: [] }, 'answered total "3", which is no whole number from 0 on'],
  ["listGroupMembers", { total: 1.5, items: [] }, "answered total 1.5, which is no whole number from 0 on"],
  ["listGroupMembers", { total: -1, items: [] }, "answered total -1, which is no whole number from 0 on"],
  ["listGroupMembers", { items: [] }, "answered no total"],
  ["listGroupMembers", { total: 1, items: null }, "answered items null, which is no array"],
  ["listGroupMembers", { total: 3, items: [member, member, member] }, "answered 3 items, and 2 at most were asked for"],
  [
    "listGroupMembers",
    { total: 2, items: [member, { ...member, nickname: null }] },
    "answered items[1].nickname null, which is no string",
  ],
  [
    "listGroupMembers",
    { total: 1, items: [{ ...member, joinTime: "x".repeat(200) }] },
    `answered items[0].joinTime "${"x".repeat(99)}..., which is no whole number from 0 on`,
  ],
  [
    "listGroupMembers",
    { total: 1, items: [{ ...member, joinTime: -1 }] },
    "answered items[0].joinTime -1, which is no whole number from 0 on",
  ],
  ["listGroupMembers", null, "answered null, which is no object"],
  ["listBlacks", { total: 1, items: [{}] }, "answered no items[0].ownerUserID"],
  ["listJoinedGroups", { total: 1, items: [{}] }, "answered no items[0].groupID"],
  ["listReceivedGroupRequests", { total: 1, items: [{}] }, "answered no items[0].userInfo"],
  ["listNotificationAccounts", { total: 1, items: [7] }, "answered items[0] 7, which is no object"],
  ["listNotificationAccounts", undefined, "answered no page"],
  ["setConversations", undefined, "answered an unknown outcome"],
  ["setConversations", { outcome: "ok" }, "answered an unknown outcome"],
  ["setConversations", { outcome: "done" }, "answered no changedUserIDs"],
])("answers 500 where %s answers %j, and tells the observer what is wrong with it", async (method, answered, cause) => {
  const errors: ErrorReport[] = [];
  const store = { [method]: async () => answered } as unknown as Store;
  const options = { observer: { onError: (report: ErrorReport) => errors.push(report) } };
  expect(await calls[method](store, options)).toEqual({
    errCode: 500,
    errMsg: "ServerInternalError",
    errDlt: "500 ServerInternalError",
  });
  expect(errors.map(({ error }) => error)).toEqual([new TypeError(`${method} ${cause}`)]);
});

it("answers the items of a host's store unchanged, with unknown fields", async () => {
  const items = [{ ...member, tenant: "t1" }];
  const store = { listGroupMembers: async () => ({ total: 7, items }) } as unknown as Store;
  expect(await getGroupMemberList(store, { groupID: "g1", pagination })).toMatchObject({
    errCode: 0,
    data: { total: 7, members: items },
  });
});

it.each(Object.entries(calls))("tells %s which call it works for", async (method, run) => {
  const seen: (StoreCall | undefined)[] = [];
  const store = { [method]: async (_: unknown, call?: StoreCall) => void seen.push(call) } as unknown as Store;
  const observer = { onError: () => {} };
  await run(store, { operationID: "op1", observer });
  await run(store, { operationID: "op2", observer, signal: new AbortController().signal });
  await run(store, { observer });
  expect(seen.map((call) => [call?.operationID, call?.adminUserID])).toEqual([
    ["op1", undefined],
    ["op2", undefined],
    ["", undefined],
  ]);
});

import type { Group, Page, ValuesBefore } from "../../src/index.js";
import type { ListMethod } from "../../src/store.js";
import { type StoreUnderTest, storeCases } from "../../src/testing/index.js";
import { answer, ask, type Breakage, type Item, set, testBreakages } from "../helpers/breakages.js";

const reversed = ({ total, items }: Page<Item>) => ({ total, items: items.toReversed() });
const totalOfPage = ({ items }: Page<Item>) => ({ total: items.length, items });
const undefinedIfEmpty = (page: Page<Item>) => (page.total === 0 ? undefined : page);
/** Changes each item of a list. */
const each = (method: ListMethod, change: (item: Item) => Item) =>
  answer(method, (page) => ({ ...page, items: page.items.map(change) }));
const without = (method: ListMethod, field: string) =>
  each(method, (item) => Object.fromEntries(Object.entries(item).filter(([name]) => name !== field)));
const emptyIfUnknown =
  (method: ListMethod): Breakage =>
  (store) => ({ [method]: async (query: never) => (await store[method](query)) ?? { total: 0, items: [] } });
/** Finds members by keyword in a way of its own. */
const search =
  (matches: (text: string, keyword: string) => boolean): Breakage =>
  (store) => ({
    async listGroupMembers({ keyword, offset, limit, ...query }) {
      const all = await store.listGroupMembers({ ...query, keyword: "", offset: 0, limit: 1000 });
      const items = (all?.items ?? []).filter(
        ({ userID, nickname }) => keyword === "" || matches(userID, keyword) || matches(nickname, keyword),
      );
      return all && { total: items.length, items: items.slice(offset, offset + limit) };
    },
  });
/** The owner by userID alone. */
async function leastOwner(store: StoreUnderTest, { groupID }: Group): Promise<string> {
  const query = { groupID, keyword: "", roleLevels: [100], offset: 0, limit: 1000 };
  const owners = (await store.listGroupMembers(query))?.items ?? [];
  return owners.map(({ userID }) => userID).sort()[0] ?? "";
}

/** Tells something else of what was there before. */
const tell =
  (change: (before: readonly ValuesBefore[]) => readonly ValuesBefore[]): Breakage =>
  (store) => ({
    setConversations: async (call) => {
      const result = await store.setConversations(call);
      return "before" in result ? { ...result, before: change(result.before ?? []) } : result;
    },
  });

const fold = (text: string) => text.toLowerCase();

/** For each case, a bug that it must catch. */
const breakages: Record<string, Breakage> = {
  "members are undefined for an unknown group": emptyIfUnknown("listGroupMembers"),
  "members are an empty list for a group that has none": answer("listGroupMembers", undefinedIfEmpty),
  "members are ordered by roleLevel descending, joinTime, userID by code point": answer("listGroupMembers", (page) => {
    const isTie = (a: Item, b: Item) => a["joinTime"] === b["joinTime"] && a["roleLevel"] === b["roleLevel"];
    // The order of UTF-16 units.
    const compare = (a: Item, b: Item) => (String(a["userID"]) < String(b["userID"]) ? -1 : 1);
    return { ...page, items: page.items.sort((a, b) => (isTie(a, b) ? compare(a, b) : 0)) };
  }),
  "members have every field, as stored": without("listGroupMembers", "inviterUserID"),
  "members without a nickname or avatar in the group have the profile's": each("listGroupMembers", (item) =>
    item["userID"] === "ann" ? { ...item, nickname: "" } : item,
  ),
  "members are counted whole on every page, and a page past the end is empty": answer("listGroupMembers", totalOfPage),
  "members are restricted to roleLevels, and total counts what remains": ask("listGroupMembers", {
    roleLevels: [20, 60, 100],
  }),
  "members are found by a part of their userID, in any case of ASCII letters": search((text, keyword) =>
    text.includes(keyword),
  ),
  "members are found by a part of their nickname, in any case of ASCII letters": search((text, keyword) =>
    text.includes(keyword),
  ),
  "members are found by the nickname in the group, not by the hidden nickname of the profile": (store) => {
    const profiles = new Map<string, string>();
    return {
      put: async (records) => {
        for (const { userID, nickname } of records.users ?? []) profiles.set(userID, nickname ?? "");
        await store.put(records);
      },
      ...search((text, keyword) => fold(text + (profiles.get(text) ?? "")).includes(fold(keyword)))(store),
    };
  },
  "members are found by one, two and three Chinese characters": search(
    (text, keyword) => keyword.length > 2 && fold(text).includes(fold(keyword)),
  ),
  "members are found by % and _, which are no wildcards": search((text, keyword) => {
    const escaped = keyword.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return new RegExp(escaped.replaceAll("%", ".*"), "i").test(text);
  }),
  "members are found with no folding of letters beyond ASCII": search((text, keyword) =>
    fold(text).includes(fold(keyword)),
  ),
  "members are found by a character beyond the basic plane": search((text, keyword) =>
    fold(text).includes(fold(keyword.slice(0, 1))),
  ),
  "members found by keyword are paged and counted like any others": (store) => ({
    listGroupMembers: async (query) =>
      query.keyword === "" ? store.listGroupMembers(query) : store.listGroupMembers({ ...query, offset: 0 }),
  }),
  "members keep texts and times exactly": each("listGroupMembers", (item) => ({
    ...item,
    joinTime: Math.fround(Number(item["joinTime"])),
  })),
  "a blacklist is undefined for an unknown user, and empty for a user without entries": emptyIfUnknown("listBlacks"),
  "a blacklist has the newest entry first, then by blocked userID, with times in milliseconds": each(
    "listBlacks",
    (item) => ({ ...item, createTime: Math.floor(Number(item["createTime"]) / 1000) }),
  ),
  "a blacklist is counted whole on every page": answer("listBlacks", totalOfPage),
  "joined groups are undefined for an unknown user, and empty for a user who joined none":
    emptyIfUnknown("listJoinedGroups"),
  "joined groups have the latest joined first, then by groupID, dismissed ones included": answer(
    "listJoinedGroups",
    (page) => ({ ...page, items: page.items.filter(({ status }) => status !== 2) }),
  ),
  "joined groups have every field, with the owner and the number of members now": without(
    "listJoinedGroups",
    "memberCount",
  ),
  "joined groups have the first of several members with roleLevel 100 as owner": (store) => ({
    listJoinedGroups: async (query) => {
      const page = await store.listJoinedGroups(query);
      const items = (page?.items ?? []).map(async (group) => ({
        ...group,
        ownerUserID: await leastOwner(store, group),
      }));
      return page && { total: page.total, items: await Promise.all(items) };
    },
  }),
  "joined groups are counted whole on every page": answer("listJoinedGroups", totalOfPage),
  "received requests are undefined for an unknown user, and empty for a user who manages nothing":
    emptyIfUnknown("listReceivedGroupRequests"),
  "received requests are those for groups where the user has roleLevel 60 or 100, the latest first": answer(
    "listReceivedGroupRequests",
    reversed,
  ),
  "received requests are restricted to groups among the managed ones": ask("listReceivedGroupRequests", {
    groupIDs: undefined,
  }),
  "received requests are restricted to results, and total counts what remains": ask("listReceivedGroupRequests", {
    handleResults: undefined,
  }),
  "received requests are counted whole on every page": answer("listReceivedGroupRequests", totalOfPage),
  "received requests have every field, with applicant and group": without("listReceivedGroupRequests", "handleMsg"),
  "notification accounts are an empty list where there are none": answer("listNotificationAccounts", undefinedIfEmpty),
  "notification accounts are users with appMangerLevel 3 or above, by userID": answer(
    "listNotificationAccounts",
    reversed,
  ),
  "notification accounts are restricted to a level": ask("listNotificationAccounts", { appMangerLevel: undefined }),
  "notification accounts are found by a literal part of their userID": ask("listNotificationAccounts", { keyword: "" }),
  "notification accounts are found by a literal part of their nickname": ask("listNotificationAccounts", {
    keyword: "",
  }),
  "notification accounts are counted whole on every page": answer("listNotificationAccounts", totalOfPage),
  "notification accounts fill a page as long as is asked for": answer("listNotificationAccounts", (page) => ({
    ...page,
    items: page.items.slice(0, 100),
  })),
  "counts are right after records were inserted": (store) => {
    let received: number | undefined;
    return {
      listReceivedGroupRequests: async (query) => {
        const page = await store.listReceivedGroupRequests(query);
        received ??= page?.total;
        return page && { ...page, total: received ?? 0 };
      },
    };
  },
  "keys of two parts differ, even if their parts joined are the same": (store) => ({
    put: ({ groupMembers = [], ...others }) => {
      const byKey = new Map([...groupMembers].map((member) => [member.groupID + member.userID, member]));
      return store.put({ ...others, groupMembers: [...byKey.values()] });
    },
  }),
  "counts are right after records were replaced": (store) => {
    let extra = -1;
    return {
      put: async (records) => {
        extra += 1;
        await store.put(records);
      },
      listBlacks: async (query) => {
        const page = await store.listBlacks(query);
        return page && { ...page, total: page.total + extra };
      },
    };
  },
  "counts are right after records were removed": () => ({ remove: async () => {} }),
  "a replaced record has the defaults where fields were left out": each("listGroupMembers", (item) =>
    item["userID"] === "bob" ? { ...item, ex: "bob's" } : item,
  ),
  "a conversation is created for users without it, with the supplied fields and the defaults": set(
    async (store, call) => ({
      outcome: "done",
      changedUserIDs: (
        await Promise.all(call.userIDs.map(async (id) => ((await store.conversations(id)).length ? [id] : [])))
      ).flat(),
    }),
  ),
  "a stored conversation changes in the supplied fields only": set((store, call) =>
    store.setConversations({ ...call, fields: { burnDuration: 0, ...call.fields } }),
  ),
  "only users whose row really changed are reported": set(async (store, call) => {
    await store.setConversations(call);
    return { outcome: "done", changedUserIDs: [...call.userIDs] };
  }),
  "nothing is written if no field is supplied": set((store, call) =>
    store.setConversations({ ...call, fields: { isPinned: false, ...call.fields } }),
  ),
  "each field is set alone, to its least and its greatest value": set((store, call) =>
    store.setConversations({ ...call, fields: { isMsgDestruct: false, ...call.fields } }),
  ),
  "a peer who is not listed is not touched": set((store, call) =>
    store.put({ conversations: [{ ...call, ownerUserID: call.userID }] }),
  ),
  "no user is changed if one is unknown": set(async (store, call) => {
    for (const userID of call.userIDs) await store.setConversations({ ...call, userIDs: [userID] });
  }),
  "an unknown peer is reported like an unknown user": set((store, call) =>
    store.setConversations({ ...call, userID: call.userIDs[0] ?? "" }),
  ),
  "an unknown group and a dismissed one are reported, before unknown users": set((store, call) =>
    store.setConversations({ ...call, groupID: "readers" }),
  ),
  "no user is changed if one has the conversation with another type, peer or group": set(async (store, call) => {
    for (const userID of call.userIDs) await store.setConversations({ ...call, userIDs: [userID] });
  }),
  "ten thousand users are set in one call, or none of them": set(async (store, call) => {
    for (let start = 0; start < call.userIDs.length; start += 100) {
      const result = await store.setConversations({ ...call, userIDs: call.userIDs.slice(start, start + 100) });
      if (result.outcome !== "done") return result;
    }
    return { outcome: "done", changedUserIDs: [...call.userIDs] };
  }),
  "calls at the same time all take effect": (store) => ({
    // Reads, waits, and writes back what it read.
    setConversations: async (call) => {
      const before = await Promise.all(call.userIDs.map((userID) => store.conversations(userID)));
      const result = await store.setConversations(call);
      await new Promise((resolve) => setTimeout(resolve));
      const { ownerUserID: _owner, ...change } = { ...call, ownerUserID: "" };
      const stale = call.userIDs.map((ownerUserID, index) => ({
        ...before[index]?.find(({ conversationID }) => conversationID === change.conversationID),
        ...call.fields,
        conversationType: call.conversationType,
        conversationID: call.conversationID,
        groupID: call.groupID,
        ownerUserID,
      }));
      await store.put({ conversations: stale });
      return result;
    },
  }),
  "if the store tells what was there before, it tells it of the users whose row really changed": tell((before) => [
    ...before,
    { fields: { ex: "", burnDuration: 0 }, userIDs: ["nameless"] },
  ]),
  "if the store tells what was there before, it tells it of all listed users where no field is supplied": tell(
    (before) => before.filter(({ userIDs }) => !userIDs.includes("Zed")),
  ),
  "if the store tells what was there before, it changes only conversations with the values of onlyIf": set(
    (store, { onlyIf: _, ...call }) => store.setConversations(call),
  ),
  "if the store tells what was there before, calls at the same time tell what the call before them left": (store) => ({
    // Reads, waits, and then writes.
    setConversations: async (call) => {
      const seen = await store.setConversations({ ...call, fields: {} });
      await new Promise((resolve) => setTimeout(resolve));
      const result = await store.setConversations(call);
      return { ...result, ...("before" in seen && { before: seen.before }) } as typeof result;
    },
  }),
  "if the store tells names, it tells those of the groups and users that exist": () => ({
    names: async ({ groupIDs, userIDs }) => ({
      groups: groupIDs.map((groupID) => ({ groupID, groupName: groupID, status: 0, createTime: 0 })),
      users: userIDs.map((userID) => ({ userID, nickname: userID })),
    }),
  }),
};

testBreakages(storeCases, breakages);

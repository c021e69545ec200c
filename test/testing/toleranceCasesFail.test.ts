import { toleranceCases } from "../../src/testing/index.js";
import { answer, ask, type Breakage, type Item, only, set, testBreakages } from "../helpers/breakages.js";

const levels = [20, 60, 100];

/** For each case, a bug that it must catch; most come of an inner join, or of a level that is taken for granted. */
const breakages: Record<string, Breakage> = {
  "a removed group has no list of members, even if members are left": (store) => ({
    listGroupMembers: async (query) => {
      if (query.groupID !== "vanished") return store.listGroupMembers(query);
      await store.put({ groups: [{ groupID: "vanished" }] });
      return store.listGroupMembers(query);
    },
  }),
  "a removed user has no lists, even if records name that user": set(async (store, call) => {
    await store.put({ users: call.userIDs.map((userID) => ({ userID })) });
  }),
  "a member without a user is listed and found by userID, with an empty profile": only(
    "listGroupMembers",
    ({ userID }) => userID !== "gone",
  ),
  "a blacklist has removed users, with an empty profile": only(
    "listBlacks",
    ({ blackUserInfo }) => (blackUserInfo as Item)["nickname"] !== "",
  ),
  "joined groups have removed groups, with the owner and members that are left": answer(
    "listJoinedGroups",
    ({ total, items }) => ({ total, items: items.map((group) => ({ ...group, memberCount: 0 })) }),
  ),
  "received requests have removed groups and applicants": only(
    "listReceivedGroupRequests",
    ({ userInfo }) => (userInfo as Item)["nickname"] !== "",
  ),
  "records of a removed user or group stay": (store) => ({
    // Deletes as a foreign key does that cascades.
    remove: async (keys) => {
      await store.remove(keys);
      for (const { userID } of keys.users ?? []) {
        await store.remove({ groupMembers: [{ groupID: "writers", userID }] });
      }
    },
  }),
  "members with other levels than 20, 60 and 100 are ordered among them, and no filter of these lets them through":
    answer("listGroupMembers", ({ total, items }) => ({
      total,
      items: items.sort((a, b) => levels.indexOf(Number(b["roleLevel"])) - levels.indexOf(Number(a["roleLevel"]))),
    })),
  "a group is owned and managed by no other levels than 60 and 100": (store) => ({
    // Takes every level above that of a member for a manager.
    put: async ({ groupMembers, ...records }) => {
      const asManagers = [...(groupMembers ?? [])].map((member) =>
        Number(member.roleLevel) > 60 && member.roleLevel !== 100 ? { ...member, roleLevel: 60 } : member,
      );
      await store.put({ ...records, groupMembers: asManagers });
    },
  }),
  "received requests with other results than 0, 1 and -1 are listed, and no restriction to these lets them through":
    ask("listReceivedGroupRequests", { handleResults: undefined }),
  "notification accounts are also users with appMangerLevel above 4": (store) => ({
    listNotificationAccounts: async (query) => {
      const all = { ...query, offset: 0, limit: 1000 };
      const notification = await store.listNotificationAccounts({ ...all, appMangerLevel: 3 });
      const robots = await store.listNotificationAccounts({ ...all, appMangerLevel: 4 });
      return {
        total: notification.total + robots.total,
        items: [...notification.items, ...robots.items],
      };
    },
  }),
};

testBreakages(toleranceCases, breakages);

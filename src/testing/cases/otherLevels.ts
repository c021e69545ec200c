import { expectEqual } from "../expect.js";
import { allRows, type NamedCases } from "../storeCase.js";
import { storeWorld } from "../world.js";

/** Cases with levels and results that have no meaning of their own. */
export const otherLevelsCases: NamedCases = {
  "members with other levels than 20, 60 and 100 are ordered among them, and no filter of these lets them through":
    async (open) => {
      const store = await open(storeWorld);
      const levels = { nameless: 0, ann: 1, bob: 61, Zed: 99, "～": 101, "😀": 999 };
      const groupMembers = Object.entries(levels).map(([userID, roleLevel]) => ({
        groupID: "quiet",
        userID,
        roleLevel,
      }));
      await store.put({ groupMembers: [...groupMembers, { groupID: "quiet", userID: "boss", roleLevel: 60 }] });
      const userIDs = async (roleLevels?: number[]) => {
        const query = { groupID: "quiet", keyword: "", ...allRows };
        const page = await store.listGroupMembers(roleLevels === undefined ? query : { ...query, roleLevels });
        return page?.items.map(({ userID }) => userID);
      };
      const inOrder = ["😀", "～", "Zed", "bob", "boss", "ann", "nameless"];
      expectEqual(await userIDs(), inOrder, "all members, by roleLevel descending");
      expectEqual(await userIDs([20, 60, 100]), ["boss"], "members with roleLevel 20, 60 or 100");
      const impossible = { groupID: "quiet", keyword: "", roleLevels: [1990], ...allRows };
      expectEqual(await store.listGroupMembers(impossible), { total: 0, items: [] }, "members with a level above 999");
    },

  "a group is owned and managed by no other levels than 60 and 100": async (open) => {
    const store = await open(storeWorld);
    for (const roleLevel of [0, 59, 61, 99, 101, 999]) {
      await store.put({ groupMembers: [{ groupID: "quiet", userID: "alone", roleLevel }] });
      const joined = await store.listJoinedGroups({ userID: "alone", ...allRows });
      expectEqual(joined?.items[0]?.ownerUserID, "", `the owner, where the only member has roleLevel ${roleLevel}`);
      const received = await store.listReceivedGroupRequests({ userID: "alone", ...allRows });
      expectEqual(received, { total: 0, items: [] }, `what a member with roleLevel ${roleLevel} receives`);
    }
  },

  "received requests with other results than 0, 1 and -1 are listed, and no restriction to these lets them through":
    async (open) => {
      const store = await open(storeWorld);
      await store.put({ groupRequests: [{ groupID: "readers", userID: "😀", handleResult: 2 }] });
      const query = { userID: "bob", ...allRows };
      const total = async (handleResults: number[]) =>
        (await store.listReceivedGroupRequests({ ...query, handleResults }))?.total;
      expectEqual((await store.listReceivedGroupRequests(query))?.total, 3, "all requests that bob receives");
      expectEqual(await total([0, 1, -1]), 2, "requests with the result 0, 1 or -1");
    },

  "notification accounts are also users with appMangerLevel above 4": async (open) => {
    const store = await open(storeWorld);
    const users = [5, 100, 2_147_483_647].map((appMangerLevel) => ({
      userID: `level ${appMangerLevel}`,
      appMangerLevel,
    }));
    await store.put({ users });
    const page = await store.listNotificationAccounts({ keyword: "level", ...allRows });
    const userIDs = page.items.map(({ userID }) => userID);
    expectEqual(userIDs, ["level 100", "level 2147483647", "level 5"], "accounts with levels above 4");
    const all = await store.listNotificationAccounts({ keyword: "", ...allRows });
    expectEqual(all.total, 6, "all notification accounts");
  },
};

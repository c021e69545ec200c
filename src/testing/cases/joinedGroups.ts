import { group, itemWith } from "../../items.js";
import { expectEqual } from "../expect.js";
import { allRows, type NamedCases, type StoreUnderTest } from "../storeCase.js";
import { storeWorld } from "../world.js";

/** One of the groups that "boss" has joined. */
export async function bossGroup(store: StoreUnderTest, groupID: string) {
  const page = await store.listJoinedGroups({ userID: "boss", ...allRows });
  return page?.items.find((group) => group.groupID === groupID);
}

export const joinedGroupsCases: NamedCases = {
  "joined groups are undefined for an unknown user, and empty for a user who joined none": async (open) => {
    const store = await open(storeWorld);
    const unknown = await store.listJoinedGroups({ userID: "nobody", ...allRows });
    expectEqual(unknown, undefined, "the groups of a user who does not exist");
    const none = await store.listJoinedGroups({ userID: "alone", ...allRows });
    expectEqual(none, { total: 0, items: [] }, "the groups of a user who joined none");
  },

  "joined groups have the latest joined first, then by groupID, dismissed ones included": async (open) => {
    const store = await open(storeWorld);
    const page = await store.listJoinedGroups({ userID: "boss", ...allRows });
    const groupIDs = page?.items.map(({ groupID }) => groupID);
    expectEqual(groupIDs, ["latest", "Dismissed", "readers", "writers"], "order: joinTime descending, groupID");
    expectEqual(page?.total, 4, "total of the joined groups");
  },

  "joined groups have every field, with the owner and the number of members now": async (open) => {
    const store = await open(storeWorld);
    const readers = { ...storeWorld.groups[0], ownerUserID: "boss", memberCount: 8 };
    expectEqual(await bossGroup(store, "readers"), readers, "the group readers");
    const empty = itemWith(group, { groupID: "latest", ownerUserID: "boss", memberCount: 1 });
    expectEqual(await bossGroup(store, "latest"), empty, "a group that has nothing but its ID");
    const { ownerUserID, memberCount } = (await bossGroup(store, "Dismissed")) ?? {};
    expectEqual([ownerUserID, memberCount], ["", 1], "owner and members of a group without owner");
  },

  "joined groups have the first of several members with roleLevel 100 as owner": async (open) => {
    const store = await open(storeWorld);
    const owner = { groupID: "latest", roleLevel: 100 };
    const ownerUserID = async () => (await bossGroup(store, "latest"))?.ownerUserID;
    await store.put({
      groupMembers: [
        { ...owner, userID: "ann", joinTime: 9 },
        { ...owner, userID: "～", joinTime: 8 },
        { ...owner, userID: "😀", joinTime: 8 },
        { groupID: "latest", userID: "Zed", roleLevel: 60, joinTime: 1 },
      ],
    });
    expectEqual(await ownerUserID(), "～", "the owner: least joinTime, then userID bytewise");
    await store.remove({ groupMembers: [{ groupID: "latest", userID: "～" }] });
    expectEqual(await ownerUserID(), "😀", "the owner after the first one left");
  },

  "joined groups are counted whole on every page": async (open) => {
    const store = await open(storeWorld);
    const whole = await store.listJoinedGroups({ userID: "boss", ...allRows });
    const page = await store.listJoinedGroups({ userID: "boss", offset: 2, limit: 1 });
    expectEqual(page, { total: 4, items: whole?.items.slice(2, 3) }, "the third group");
    const past = await store.listJoinedGroups({ userID: "boss", offset: 4, limit: 1 });
    expectEqual(past, { total: 4, items: [] }, "the page past the end");
  },
};

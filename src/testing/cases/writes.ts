import { expectEqual } from "../expect.js";
import { allRows, type NamedCases, type StoreUnderTest } from "../storeCase.js";
import { storeWorld } from "../world.js";

/**
 * Reads the number of members and the owner of the group "writers", and counts groups and received requests of "boss",
 * the blacklist of "ann", and all accounts.
 */
async function counts(store: StoreUnderTest) {
  const joined = await store.listJoinedGroups({ userID: "boss", ...allRows });
  const writers = joined?.items.find(({ groupID }) => groupID === "writers");
  return {
    members: (await store.listGroupMembers({ groupID: "writers", keyword: "", ...allRows }))?.total,
    memberCount: writers?.memberCount,
    ownerUserID: writers?.ownerUserID,
    joined: joined?.total,
    received: (await store.listReceivedGroupRequests({ userID: "boss", ...allRows }))?.total,
    blacks: (await store.listBlacks({ ownerUserID: "ann", ...allRows }))?.total,
    accounts: (await store.listNotificationAccounts({ keyword: "", ...allRows })).total,
  };
}

const atFirst = { members: 2, memberCount: 2, ownerUserID: "ann", joined: 4, received: 5, blacks: 3, accounts: 3 };

export const writesCases: NamedCases = {
  "counts are right after records were inserted": async (open) => {
    const store = await open(storeWorld);
    expectEqual(await counts(store), atFirst, "counts of the world");
    await store.put({
      users: [{ userID: "newBot", appMangerLevel: 3 }],
      groupMembers: [
        { groupID: "writers", userID: "Zed", roleLevel: 20 },
        { groupID: "quiet", userID: "boss", roleLevel: 60 },
      ],
      blacks: [{ ownerUserID: "ann", blackUserID: "boss" }],
      groupRequests: [{ groupID: "writers", userID: "bob" }],
    });
    const expected = { ...atFirst, members: 3, memberCount: 3, joined: 5, received: 7, blacks: 4, accounts: 4 };
    expectEqual(await counts(store), expected, "counts after inserts: boss manages quiet now, which has a request");
  },

  "keys of two parts differ, even if their parts joined are the same": async (open) => {
    const store = await open(storeWorld);
    await store.put({
      users: [{ userID: "c" }, { userID: "bc" }],
      groups: [{ groupID: "ab" }, { groupID: "a" }],
      groupMembers: [
        { groupID: "ab", userID: "c", roleLevel: 20 },
        { groupID: "a", userID: "bc", roleLevel: 20 },
      ],
    });
    for (const [groupID, userID] of [
      ["ab", "c"],
      ["a", "bc"],
    ] as const) {
      const page = await store.listGroupMembers({ groupID, keyword: "", ...allRows });
      const members = page?.items.map((member) => member.userID);
      expectEqual(members, [userID], `the members of ${groupID}`);
    }
  },

  "counts are right after records were replaced": async (open) => {
    const store = await open(storeWorld);
    await store.put(storeWorld);
    expectEqual(await counts(store), atFirst, "counts after every record was replaced by itself");
    await store.put({
      users: [{ userID: "bot", appMangerLevel: 1 }],
      groupMembers: [
        { groupID: "writers", userID: "ann", roleLevel: 20, joinTime: 3 },
        { groupID: "writers", userID: "boss", roleLevel: 20, joinTime: 8 },
      ],
      groupRequests: [{ groupID: "readers", userID: "Zed", handleResult: -1 }],
    });
    const expected = { ...atFirst, ownerUserID: "", received: 3, accounts: 2 };
    expectEqual(await counts(store), expected, "counts after boss and ann became ordinary members of writers");
  },

  "counts are right after records were removed": async (open) => {
    const store = await open(storeWorld);
    await store.remove({
      users: [{ userID: "sysNews" }, { userID: "unknown" }],
      groupMembers: [
        { groupID: "writers", userID: "ann" },
        { groupID: "latest", userID: "boss" },
      ],
      blacks: [{ ownerUserID: "ann", blackUserID: "Zed" }],
      groupRequests: [{ groupID: "readers", userID: "Zed" }],
    });
    const expected = {
      members: 1,
      memberCount: 1,
      ownerUserID: "",
      joined: 3,
      received: 3,
      blacks: 2,
      accounts: 2,
    };
    expectEqual(await counts(store), expected, "counts after removals");
  },

  "a replaced record has the defaults where fields were left out": async (open) => {
    const store = await open(storeWorld);
    await store.put({ groupMembers: [{ groupID: "readers", userID: "bob", roleLevel: 20 }] });
    const page = await store.listGroupMembers({ groupID: "readers", keyword: "Bob", ...allRows });
    const { nickname, ex, joinSource, joinTime, muteEndTime } = page?.items[0] ?? {};
    const expected = { nickname: "Bob", ex: "", joinSource: 0, joinTime: 0, muteEndTime: 0 };
    expectEqual(
      { nickname, ex, joinSource, joinTime, muteEndTime },
      expected,
      "a member replaced by one without further fields",
    );
  },
};

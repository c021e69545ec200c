import * as items from "../../items.js";
import { itemWith } from "../../items.js";
import { expectEqual } from "../expect.js";
import { allRows, type NamedCases } from "../storeCase.js";
import { storeWorld } from "../world.js";
import { bossGroup } from "./joinedGroups.js";

const emptyProfile = itemWith(items.userInfo, { userID: "gone" });
const vanished = { groupID: "vanished" };

/** Cases with records that refer to a user "gone" or a group "vanished", which do not exist. */
export const goneRecordsCases: NamedCases = {
  "a removed group has no list of members, even if members are left": async (open) => {
    const store = await open(storeWorld);
    await store.put({ groupMembers: [{ groupID: "vanished", userID: "ann", roleLevel: 20 }] });
    const page = await store.listGroupMembers({ groupID: "vanished", keyword: "", ...allRows });
    expectEqual(page, undefined, "the members of a group that is gone");
  },

  "a removed user has no lists, even if records name that user": async (open) => {
    const store = await open(storeWorld);
    await store.put({
      groupMembers: [{ groupID: "readers", userID: "gone", roleLevel: 100 }],
      blacks: [{ ownerUserID: "gone", blackUserID: "ann" }],
      conversations: [
        { ownerUserID: "gone", conversationID: "sg_readers", conversationType: 3, groupID: "readers", ex: "left" },
      ],
    });
    const user = { userID: "gone", ...allRows };
    expectEqual(await store.listBlacks({ ownerUserID: "gone", ...allRows }), undefined, "the blacklist");
    expectEqual(await store.listJoinedGroups(user), undefined, "the joined groups");
    expectEqual(await store.listReceivedGroupRequests(user), undefined, "the received requests");
    const set = await store.setConversations({
      conversationID: "sg_readers",
      conversationType: 3,
      userID: "",
      groupID: "readers",
      userIDs: ["ann", "gone"],
      fields: { ex: "new" },
    });
    expectEqual(set, { outcome: "usersNotFound", userIDs: ["gone"] }, "the result of setting a conversation");
    expectEqual((await store.conversations("gone"))[0]?.ex, "left", "ex of the conversation that is left");
  },

  "a member without a user is listed and found by userID, with an empty profile": async (open) => {
    const store = await open(storeWorld);
    await store.put({ groupMembers: [{ groupID: "readers", userID: "gone", roleLevel: 20, joinTime: 99 }] });
    for (const [keyword, total] of [
      ["", 9],
      ["GONE", 1],
    ] as const) {
      const page = await store.listGroupMembers({ groupID: "readers", keyword, ...allRows });
      const { userID, nickname, faceURL, appMangerLevel } = page?.items[total - 1] ?? {};
      const expected = { total, userID: "gone", nickname: "", faceURL: "", appMangerLevel: 0 };
      const last = { total: page?.total, userID, nickname, faceURL, appMangerLevel };
      expectEqual(last, expected, `total and last of the members that contain "${keyword}"`);
    }
  },

  "a blacklist has removed users, with an empty profile": async (open) => {
    const store = await open(storeWorld);
    await store.put({ blacks: [{ ownerUserID: "bob", blackUserID: "gone" }] });
    const page = await store.listBlacks({ ownerUserID: "bob", ...allRows });
    const profiles = page?.items.map(({ blackUserInfo }) => blackUserInfo);
    const ann = { userID: "ann", nickname: "Ann", faceURL: "ann.jpg", ex: "ann's" };
    expectEqual(profiles, [ann, emptyProfile], "the users whom bob blocks");
  },

  "joined groups have removed groups, with the owner and members that are left": async (open) => {
    const store = await open(storeWorld);
    await store.put({
      groupMembers: [
        { groupID: "vanished", userID: "alone", roleLevel: 20, joinTime: 1 },
        { groupID: "vanished", userID: "gone", roleLevel: 100 },
      ],
    });
    const page = await store.listJoinedGroups({ userID: "alone", ...allRows });
    const expected = itemWith(items.group, { ...vanished, ownerUserID: "gone", memberCount: 2 });
    expectEqual(page, { total: 1, items: [expected] }, "the groups that alone has joined");
  },

  "received requests have removed groups and applicants": async (open) => {
    const store = await open(storeWorld);
    await store.put({
      groupMembers: [{ groupID: "vanished", userID: "bob", roleLevel: 60 }],
      groupRequests: [{ groupID: "vanished", userID: "gone", reqTime: 10 }],
    });
    const page = await store.listReceivedGroupRequests({ userID: "bob", ...allRows });
    const { userInfo, groupInfo } = page?.items[0] ?? {};
    expectEqual([page?.total, userInfo], [3, emptyProfile], "total and applicant");
    expectEqual(groupInfo, itemWith(items.group, { ...vanished, memberCount: 1 }), "the group");
  },

  "records of a removed user or group stay": async (open) => {
    const store = await open(storeWorld);
    await store.remove({ users: [{ userID: "ann" }, { userID: "Zed" }], groups: [{ groupID: "readers" }] });
    const writers = await store.listGroupMembers({ groupID: "writers", keyword: "", ...allRows });
    expectEqual(writers?.total, 2, "members of writers, of whom ann is one");
    expectEqual((await bossGroup(store, "readers"))?.memberCount, 8, "members of readers, a group of boss");
    const received = await store.listReceivedGroupRequests({ userID: "boss", ...allRows });
    expectEqual(received?.total, 5, "requests that boss receives, of which one is by Zed, for readers");
    expectEqual((await store.conversations("ann")).length, 1, "conversations of ann");
    await store.put({ users: [{ userID: "ann" }] });
    const blacks = await store.listBlacks({ ownerUserID: "ann", ...allRows });
    expectEqual(blacks?.total, 3, "the blacklist of ann, who came back");
  },
};

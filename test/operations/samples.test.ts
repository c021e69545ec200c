import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type GroupMember,
  getBlackList,
  getGroupMemberList,
  getJoinedGroupList,
  getReceivedGroupApplicationList,
  searchNotificationAccount,
  setConversations,
} from "../../src/index.js";
import { black, group, groupMember, groupRequest, itemWith, userInfo } from "../../src/items.js";
import type { BundledStore } from "../../src/stores/drivers/sqlite.js";
import { openMigrated } from "../helpers/postgres/migrated.js";
import { type PostgresServer, startPostgres } from "../helpers/postgres/server.js";
import { sampleWorld } from "../helpers/sampleWorld.js";
import { memoryStore } from "../helpers/stores.js";

const pagination = { pageNumber: 1, showNumber: 100 };
const success = (data: object | null) => ({ errCode: 0, errMsg: "", errDlt: "", data });

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

describe.each<[string, () => Promise<BundledStore>]>([
  ["SQLite", async () => memoryStore()],
  ["PostgreSQL", () => openMigrated(server.pool)],
])("the published samples, from %s", (_, open) => {
  let store: BundledStore;
  beforeEach(async () => {
    store = await open();
    await store.put(sampleWorld);
  });

  it("lists the members of a group: owner, administrators, then members by time and userID", async () => {
    const [first, later] = [1687760824107, 1687762198048];
    const [photo = "", other = ""] = [1330588901, 7846002615].map(
      (name) => `http://192.0.2.233:10002/third/object?name=${name}.jpg`,
    );
    expect(await getGroupMemberList(store, { groupID: "2559217223", pagination })).toStrictEqual(
      success({
        total: 5,
        members: [
          answeredMember({ userID: "4771680259", roleLevel: 100, joinTime: first, nickname: "Lumia" }),
          answeredMember({ userID: "3645617224", roleLevel: 60, joinTime: later, nickname: "霍去病", faceURL: other }),
          answeredMember({ userID: "3791793226", roleLevel: 20, joinTime: first, nickname: "喔" }),
          answeredMember({ userID: "3034068043", roleLevel: 20, joinTime: later, nickname: "OK", faceURL: photo }),
          answeredMember({ userID: "7117248489", roleLevel: 20, joinTime: later, nickname: "你好" }),
        ],
      }),
    );
  });

  it("lists a blacklist, with the time in seconds, rounded down", async () => {
    const profile = { userID: "11111113", nickname: "yourNickname", faceURL: "yourFaceURL" };
    const blackUserInfo = itemWith(userInfo, profile);
    const [ownerUserID, operatorUserID] = ["11111111", "openIMAdmin"];
    expect(await getBlackList(store, { userID: ownerUserID, pagination })).toStrictEqual(
      success({
        blacks: [itemWith(black, { ownerUserID, createTime: 1688460626, blackUserInfo, operatorUserID })],
        total: 1,
      }),
    );
  });

  it("lists the groups that a user has joined, the latest first", async () => {
    const [lumia, joiner, founder, creator] = ["4771680259", "9906953281", "3517105008", "2699373280"] as const;
    expect(await getJoinedGroupList(store, { fromUserID: joiner, pagination })).toStrictEqual(
      success({
        total: 3,
        groups: [
          answeredGroup("2759960147", "Group2", { memberCount: 2, ownerUserID: lumia, createTime: 1688106933734 }),
          answeredGroup("3686066424", "Group3", { memberCount: 1, ownerUserID: joiner, createTime: 1687933342067 }),
          {
            ...answeredGroup("2137448827", "11111", {
              memberCount: 3,
              ownerUserID: founder,
              createTime: 1687753739612,
            }),
            creatorUserID: creator,
          },
        ],
      }),
    );
  });

  it("lists the join requests for the groups that a user manages", async () => {
    const manager = "8423809271";
    const about = { memberCount: 3, ownerUserID: manager, createTime: 1688353410770 };
    expect(await getReceivedGroupApplicationList(store, { fromUserID: manager, pagination })).toStrictEqual(
      success({
        total: 1,
        groupRequests: [
          itemWith(groupRequest, {
            userInfo: itemWith(userInfo, {
              userID: "4356065820",
              nickname: "Tom",
              faceURL: "http://192.0.2.233:10002/third/object?name=8350826192.jpg",
            }),
            groupInfo: {
              ...answeredGroup("1085123084", "Rose baby、Jack Dawson、Jacky", about),
              notification: "群公告测试",
            },
            handleResult: 1,
            handleMsg: "reason",
            reqTime: 1688376825952,
            joinSource: 3,
          }),
        ],
      }),
    );
  });

  it("lists the notification accounts by userID, and no administrator", async () => {
    const nickName = "notification1";
    expect(await searchNotificationAccount(store, { keyword: "", pagination })).toStrictEqual(
      success({
        total: 4,
        notificationAccounts: [
          { userID: "1974356875", faceURL: "url", nickName: "notification1111111" },
          { userID: "2776836221", faceURL: "", nickName },
          { userID: "4208409642", faceURL: "", nickName },
          { userID: "8719627904", faceURL: "", nickName },
        ],
      }),
    );
  });

  it("sets a conversation, and leaves the peer's alone", async () => {
    const conversation = {
      conversationID: "si_4365007572_6965946400",
      conversationType: 1,
      userID: "4365007572",
      groupID: "",
      recvMsgOpt: 0,
      attachedInfo: "attached",
      isPinned: false,
      isPrivateChat: true,
      ex: "",
      burnDuration: 30,
    } as const;
    const ownerUserID = "6965946400";
    expect(await setConversations(store, { userIDs: [ownerUserID], conversation })).toStrictEqual(success(null));
    const unset = { minSeq: 0, maxSeq: 0, groupAtType: 0, msgDestructTime: 0, isMsgDestruct: false };
    expect(await store.conversations(ownerUserID)).toStrictEqual([{ ownerUserID, ...conversation, ...unset }]);
    expect(await store.conversations("4365007572")).toStrictEqual([]);
  });
});

function answeredMember(fields: Partial<GroupMember>) {
  const inviter = "4771680259";
  const rest = { joinSource: 2, operatorUserID: inviter, inviterUserID: inviter };
  return itemWith(groupMember, { groupID: "2559217223", ...rest, ...fields });
}

/** A group that its owner has made. */
function answeredGroup(
  groupID: string,
  groupName: string,
  about: { memberCount: number; ownerUserID: string; createTime: number },
) {
  return itemWith(group, { groupID, groupName, creatorUserID: about.ownerUserID, groupType: 2, ...about });
}

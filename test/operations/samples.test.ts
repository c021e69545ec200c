import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  getBlackList,
  getGroupMemberList,
  getJoinedGroupList,
  getReceivedGroupApplicationList,
  searchNotificationAccount,
  setConversations,
} from "../../src/index.js";
import type { BundledStore } from "../../src/stores/drivers/sqlite.js";
import { openMigrated } from "../helpers/postgres/migrated.js";
import { type PostgresServer, startPostgres } from "../helpers/postgres/server.js";
import { answeredGroup, sampleWorld } from "../helpers/sampleWorld.js";
import { memoryStore } from "../helpers/stores.js";

const success = { errCode: 0, errMsg: "", errDlt: "" };

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
    const pagination = { pageNumber: 1, showNumber: 100 };
    expect(await getGroupMemberList(store, { groupID: "2559217223", pagination })).toStrictEqual({
      ...success,
      data: {
        total: 5,
        members: [
          answeredMember({ userID: "4771680259", roleLevel: 100, joinTime: 1687760824107, nickname: "Lumia" }),
          answeredMember({
            userID: "3645617224",
            roleLevel: 60,
            joinTime: 1687762198048,
            nickname: "霍去病",
            faceURL: "http://203.56.175.233:10002/third/object?name=7846002615.jpg",
          }),
          answeredMember({ userID: "3791793226", roleLevel: 20, joinTime: 1687760824107, nickname: "喔" }),
          answeredMember({
            userID: "3034068043",
            roleLevel: 20,
            joinTime: 1687762198048,
            nickname: "OK",
            faceURL: "http://203.56.175.233:10002/third/object?name=1330588901.jpg",
          }),
          answeredMember({ userID: "7117248489", roleLevel: 20, joinTime: 1687762198048, nickname: "你好" }),
        ],
      },
    });
  });

  it("lists a blacklist, with the time in seconds, rounded down", async () => {
    const pagination = { pageNumber: 1, showNumber: 100 };
    expect(await getBlackList(store, { userID: "11111111", pagination })).toStrictEqual({
      ...success,
      data: {
        blacks: [
          {
            ownerUserID: "11111111",
            createTime: 1688460626,
            blackUserInfo: { userID: "11111113", nickname: "yourNickname", faceURL: "yourFaceURL", ex: "" },
            addSource: 0,
            operatorUserID: "openIMAdmin",
            ex: "",
          },
        ],
        total: 1,
      },
    });
  });

  it("lists the groups that a user has joined, the latest first", async () => {
    const pagination = { showNumber: 10, pageNumber: 1 };
    expect(await getJoinedGroupList(store, { fromUserID: "9906953281", pagination })).toStrictEqual({
      ...success,
      data: {
        total: 3,
        groups: [
          {
            ...answeredGroup({
              groupID: "2759960147",
              groupName: "Group2",
              memberCount: 2,
              ownerUserID: "4771680259",
            }),
            createTime: 1688106933734,
            creatorUserID: "4771680259",
          },
          {
            ...answeredGroup({
              groupID: "3686066424",
              groupName: "Group3",
              memberCount: 1,
              ownerUserID: "9906953281",
            }),
            createTime: 1687933342067,
            creatorUserID: "9906953281",
          },
          {
            ...answeredGroup({ groupID: "2137448827", groupName: "11111", memberCount: 3, ownerUserID: "3517105008" }),
            createTime: 1687753739612,
            creatorUserID: "2699373280",
          },
        ],
      },
    });
  });

  it("lists the join requests for the groups that a user manages", async () => {
    const pagination = { pageNumber: 1, showNumber: 100 };
    const answer = await getReceivedGroupApplicationList(store, { fromUserID: "8423809271", pagination });
    expect(answer).toStrictEqual({
      ...success,
      data: {
        total: 1,
        groupRequests: [
          {
            userInfo: {
              userID: "4356065820",
              nickname: "Tom",
              faceURL: "http://203.56.175.233:10002/third/object?name=8350826192.jpg",
              ex: "",
            },
            groupInfo: {
              ...answeredGroup({
                groupID: "1085123084",
                groupName: "Rose baby、Jack Dawson、Jacky",
                memberCount: 3,
                ownerUserID: "8423809271",
              }),
              notification: "群公告测试",
              createTime: 1688353410770,
              creatorUserID: "8423809271",
            },
            handleResult: 1,
            reqMsg: "",
            handleMsg: "reason",
            reqTime: 1688376825952,
            handleUserID: "",
            handleTime: 0,
            ex: "",
            joinSource: 3,
            inviterUserID: "",
          },
        ],
      },
    });
  });

  it("lists the notification accounts by userID, and no administrator", async () => {
    const pagination = { pageNumber: 1, showNumber: 10 };
    expect(await searchNotificationAccount(store, { keyword: "", pagination })).toStrictEqual({
      ...success,
      data: {
        total: 4,
        notificationAccounts: [
          { userID: "1974356875", faceURL: "url", nickName: "notification1111111" },
          { userID: "2776836221", faceURL: "", nickName: "notification1" },
          { userID: "4208409642", faceURL: "", nickName: "notification1" },
          { userID: "8719627904", faceURL: "", nickName: "notification1" },
        ],
      },
    });
  });

  it("sets a conversation, and leaves the peer's alone", async () => {
    const answer = await setConversations(store, {
      userIDs: ["6965946400"],
      conversation: {
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
      },
    });
    expect(answer).toStrictEqual({ ...success, data: null });
    expect(await store.conversations("6965946400")).toStrictEqual([
      {
        ownerUserID: "6965946400",
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
      },
    ]);
    expect(await store.conversations("4365007572")).toStrictEqual([]);
  });
});

function answeredMember(fields: {
  userID: string;
  roleLevel: number;
  joinTime: number;
  nickname: string;
  faceURL?: string;
}) {
  return {
    groupID: "2559217223",
    faceURL: "",
    appMangerLevel: 0,
    joinSource: 2,
    operatorUserID: "4771680259",
    ex: "",
    muteEndTime: 0,
    inviterUserID: "4771680259",
    ...fields,
  };
}

import { beforeEach, describe, expect, it } from "vitest";
import {
  type Envelope,
  getBlackList,
  getGroupMemberList,
  getJoinedGroupList,
  getReceivedGroupApplicationList,
  searchNotificationAccount,
} from "../../src/index.js";
import type { BundledStore } from "../../src/stores/drivers/sqlite.js";
import { memoryStore } from "../helpers/stores.js";

const pagination = { pageNumber: 1, showNumber: 10 };

let store: BundledStore;
beforeEach(() => {
  store = memoryStore();
});

function data<Data>(envelope: Envelope<Data>): Data {
  if (envelope.errCode !== 0) throw new Error(envelope.errDlt);
  return envelope.data;
}

describe("getGroupMemberList", () => {
  beforeEach(() =>
    store.put({
      users: [
        { userID: "ann", nickname: "Ann", faceURL: "profile.jpg", appMangerLevel: 2 },
        { userID: "bob", nickname: "Bob 100%" },
        { userID: "u3", nickname: "霍去病" },
      ],
      groups: [{ groupID: "g1" }, { groupID: "empty" }],
      groupMembers: [
        { groupID: "g1", userID: "ann", roleLevel: 20, joinTime: 2 },
        { groupID: "g1", userID: "bob", roleLevel: 60, joinTime: 9, nickname: "In the group", faceURL: "group.jpg" },
        { groupID: "g1", userID: "u3", roleLevel: 100, joinTime: 5 },
        { groupID: "g1", userID: "gone", roleLevel: 20, joinTime: 2 },
        { groupID: "g1", userID: "Zed", roleLevel: 20, joinTime: 2 },
        { groupID: "g1", userID: "guest", roleLevel: 1 },
      ],
    }),
  );

  const userIDs = async (input: object) => {
    const { total, members } = data(await getGroupMemberList(store, { groupID: "g1", pagination, ...input }));
    expect(members).toHaveLength(total);
    return members.map(({ userID }) => userID);
  };

  it("orders by role, then by time of joining, then by the bytes of the userID", async () => {
    expect(await userIDs({})).toEqual(["u3", "bob", "Zed", "ann", "gone", "guest"]);
  });

  it("answers the nickname and avatar set in the group, else the user's, else nothing", async () => {
    const { members } = data(await getGroupMemberList(store, { groupID: "g1", pagination }));
    const answered = members.map(({ userID, nickname, faceURL, appMangerLevel }) => ({
      userID,
      nickname,
      faceURL,
      appMangerLevel,
    }));
    expect(answered).toEqual([
      { userID: "u3", nickname: "霍去病", faceURL: "", appMangerLevel: 0 },
      { userID: "bob", nickname: "In the group", faceURL: "group.jpg", appMangerLevel: 0 },
      { userID: "Zed", nickname: "", faceURL: "", appMangerLevel: 0 },
      { userID: "ann", nickname: "Ann", faceURL: "profile.jpg", appMangerLevel: 2 },
      { userID: "gone", nickname: "", faceURL: "", appMangerLevel: 0 },
      { userID: "guest", nickname: "", faceURL: "", appMangerLevel: 0 },
    ]);
  });

  it.each([
    ["part of a nickname, whatever the case of ASCII letters", "aNN", ["ann"]],
    ["part of a userID", "ues", ["guest"]],
    ["one CJK character", "去", ["u3"]],
    ["two CJK characters", "霍去", ["u3"]],
    ["the nickname in the group", "in the", ["bob"]],
    ["not the profile's nickname that it hides", "100%", []],
    ["no wildcard", "%", []],
    ["nobody", "nobody", []],
    ["everybody where it is empty", "", ["u3", "bob", "Zed", "ann", "gone", "guest"]],
  ])("finds by keyword: %s", async (_what, keyword, expected) => {
    expect(await userIDs({ keyword })).toEqual(expected);
  });

  it.each([
    [0, ["u3", "bob", "Zed", "ann", "gone", "guest"]],
    [1, ["u3"]],
    [2, ["bob"]],
    [3, ["Zed", "ann", "gone"]],
    [4, ["bob", "Zed", "ann", "gone"]],
    [5, ["u3", "bob"]],
  ])("filter %i", async (filter, expected) => {
    expect(await userIDs({ filter })).toEqual(expected);
  });

  it("counts the whole filtered list on every page, the one past the end included", async () => {
    const page = async (pageNumber: number) => {
      const input = { groupID: "g1", filter: 4 as const, pagination: { pageNumber, showNumber: 3 } };
      const { total, members } = data(await getGroupMemberList(store, input));
      return { total, userIDs: members.map(({ userID }) => userID) };
    };
    expect(await page(1)).toEqual({ total: 4, userIDs: ["bob", "Zed", "ann"] });
    expect(await page(2)).toEqual({ total: 4, userIDs: ["gone"] });
    expect(await page(3)).toEqual({ total: 4, userIDs: [] });
    expect(await page(2_147_483_647)).toEqual({ total: 4, userIDs: [] });
  });

  it("tells a group without members from a group that does not exist", async () => {
    expect(await getGroupMemberList(store, { groupID: "empty", pagination })).toEqual({
      errCode: 0,
      errMsg: "",
      errDlt: "",
      data: { total: 0, members: [] },
    });
    expect(await getGroupMemberList(store, { groupID: "g404", pagination })).toEqual({
      errCode: 1004,
      errMsg: "RecordNotFoundError",
      errDlt: "group g404: [1004]RecordNotFoundError",
    });
  });
});

describe("getBlackList", () => {
  it("lists the newest first, then by the blocked userID, users that are gone included", async () => {
    await store.put({
      users: [{ userID: "u1" }, { userID: "b", nickname: "B", faceURL: "b.jpg", ex: "x" }],
      blacks: [
        { ownerUserID: "u1", blackUserID: "c", createTime: 5_000 },
        { ownerUserID: "u1", blackUserID: "b", createTime: 5_000 },
        { ownerUserID: "u1", blackUserID: "a", createTime: 1_999, addSource: 2, ex: "e", operatorUserID: "o" },
        { ownerUserID: "u2", blackUserID: "b", createTime: 9_000 },
      ],
    });
    expect(data(await getBlackList(store, { userID: "u1", pagination }))).toEqual({
      total: 3,
      blacks: [
        {
          ownerUserID: "u1",
          createTime: 5,
          blackUserInfo: { userID: "b", nickname: "B", faceURL: "b.jpg", ex: "x" },
          addSource: 0,
          operatorUserID: "",
          ex: "",
        },
        {
          ownerUserID: "u1",
          createTime: 5,
          blackUserInfo: { userID: "c", nickname: "", faceURL: "", ex: "" },
          addSource: 0,
          operatorUserID: "",
          ex: "",
        },
        {
          ownerUserID: "u1",
          createTime: 1,
          blackUserInfo: { userID: "a", nickname: "", faceURL: "", ex: "" },
          addSource: 2,
          operatorUserID: "o",
          ex: "e",
        },
      ],
    });
  });
});

describe("getJoinedGroupList", () => {
  it("lists the latest joined first, then by groupID, and counts the members as they are now", async () => {
    await store.put({
      users: [{ userID: "u1" }],
      groups: [{ groupID: "b", groupName: "B", status: 2 }, { groupID: "a" }],
      groupMembers: [
        { groupID: "b", userID: "u1", joinTime: 7, roleLevel: 20 },
        { groupID: "a", userID: "u1", joinTime: 7, roleLevel: 100 },
        { groupID: "gone", userID: "u1", joinTime: 8 },
        { groupID: "b", userID: "u2", joinTime: 6, roleLevel: 100 },
        { groupID: "b", userID: "u3", joinTime: 5, roleLevel: 60 },
      ],
    });
    await store.remove({ groupMembers: [{ groupID: "b", userID: "u3" }] });
    const { total, groups } = data(await getJoinedGroupList(store, { fromUserID: "u1", pagination }));
    expect(total).toBe(3);
    expect(
      groups.map(({ groupID, groupName, status, memberCount, ownerUserID }) => ({
        groupID,
        groupName,
        status,
        memberCount,
        ownerUserID,
      })),
    ).toEqual([
      { groupID: "gone", groupName: "", status: 0, memberCount: 1, ownerUserID: "" },
      { groupID: "a", groupName: "", status: 0, memberCount: 1, ownerUserID: "u1" },
      { groupID: "b", groupName: "B", status: 2, memberCount: 2, ownerUserID: "u2" },
    ]);
  });
});

describe("getReceivedGroupApplicationList", () => {
  beforeEach(() =>
    store.put({
      users: [{ userID: "boss" }, { userID: "ann", nickname: "Ann" }],
      groups: [{ groupID: "owned" }, { groupID: "administered" }, { groupID: "joined" }, { groupID: "other" }],
      groupMembers: [
        { groupID: "owned", userID: "boss", roleLevel: 100 },
        { groupID: "administered", userID: "boss", roleLevel: 60 },
        { groupID: "joined", userID: "boss", roleLevel: 20 },
      ],
      groupRequests: [
        { groupID: "owned", userID: "ann", reqTime: 3, handleResult: 0 },
        { groupID: "owned", userID: "bob", reqTime: 3, handleResult: 1 },
        { groupID: "administered", userID: "ann", reqTime: 3, handleResult: -1 },
        { groupID: "administered", userID: "zed", reqTime: 4, handleResult: 0 },
        { groupID: "joined", userID: "ann", reqTime: 9 },
        { groupID: "other", userID: "ann", reqTime: 9 },
      ],
    }),
  );

  const requests = async (input: object) => {
    const answer = await getReceivedGroupApplicationList(store, { fromUserID: "boss", pagination, ...input });
    const { total, groupRequests } = data(answer);
    expect(groupRequests).toHaveLength(total);
    return groupRequests.map(({ groupInfo, userInfo }) => `${groupInfo.groupID}/${userInfo.userID}`);
  };

  it("lists handled and unhandled requests for owned and administered groups, the latest first", async () => {
    expect(await requests({})).toEqual(["administered/zed", "administered/ann", "owned/ann", "owned/bob"]);
  });

  it.each([
    [{ groupIDs: ["owned", "other"] }, ["owned/ann", "owned/bob"]],
    [{ handleResults: [0] }, ["administered/zed", "owned/ann"]],
    [{ handleResults: [1, -1], groupIDs: ["administered"] }, ["administered/ann"]],
    [{ handleResults: [], groupIDs: null }, ["administered/zed", "administered/ann", "owned/ann", "owned/bob"]],
  ])("restricts to %j", async (input, expected) => {
    expect(await requests(input)).toEqual(expected);
  });

  it("follows a change of role at once", async () => {
    await store.put({ groupMembers: [{ groupID: "owned", userID: "boss", roleLevel: 20 }] });
    expect(await requests({})).toEqual(["administered/zed", "administered/ann"]);
  });
});

describe("searchNotificationAccount", () => {
  it("finds accounts of level 3 and above by userID or nickname", async () => {
    await store.put({
      users: [
        { userID: "n1", nickname: "系统通知", faceURL: "n.jpg", appMangerLevel: 3 },
        { userID: "n2", nickname: "Robot", appMangerLevel: 4 },
        { userID: "admin", nickname: "Robot admin", appMangerLevel: 2 },
        { userID: "u1", nickname: "通" },
      ],
    });
    const found = async (input: object) => {
      const answer = data(await searchNotificationAccount(store, { pagination, ...input }));
      expect(answer.notificationAccounts).toHaveLength(answer.total);
      return answer.notificationAccounts;
    };
    const news = { userID: "n1", faceURL: "n.jpg", nickName: "系统通知" };
    const robot = { userID: "n2", faceURL: "", nickName: "Robot" };
    expect(await found({})).toEqual([news, robot]);
    expect(await found({ keyword: "通" })).toEqual([news]);
    expect(await found({ keyword: "ROBOT" })).toEqual([robot]);
    expect(await found({ keyword: "N", appManagerLevel: 4 })).toEqual([robot]);
    expect(await found({ appManagerLevel: 3 })).toEqual([news]);
  });
});

import { beforeEach, expect, it } from "vitest";
import {
  getBlackList,
  getGroupMemberList,
  getJoinedGroupList,
  getReceivedGroupApplicationList,
  searchNotificationAccount,
} from "../../src/index.js";
import type { BundledStore } from "../../src/stores/drivers/sqlite.js";
import { memoryStore } from "../helpers/stores.js";

// What the operations ask of a store, and answer from its pages. The store cases test the pages themselves.

const pagination = { pageNumber: 1, showNumber: 10 };

let store: BundledStore;
beforeEach(async () => {
  store = memoryStore();
  await store.put({
    users: [
      { userID: "owner", nickname: "Ann" },
      { userID: "admin" },
      { userID: "member" },
      { userID: "news", nickname: "News", faceURL: "news.png", appMangerLevel: 3 },
      { userID: "robot", nickname: "Robot", appMangerLevel: 4 },
    ],
    groups: [{ groupID: "g1" }, { groupID: "g2" }, { groupID: "empty" }],
    groupMembers: [
      { groupID: "g1", userID: "owner", roleLevel: 100, joinTime: 1 },
      { groupID: "g1", userID: "admin", roleLevel: 60, joinTime: 2 },
      { groupID: "g1", userID: "member", roleLevel: 20, joinTime: 3 },
      { groupID: "g2", userID: "owner", roleLevel: 100, joinTime: 4 },
    ],
    groupRequests: [
      { groupID: "g1", userID: "news", reqTime: 1, handleResult: 0 },
      { groupID: "g1", userID: "robot", reqTime: 2, handleResult: 1 },
      { groupID: "g2", userID: "robot", reqTime: 3, handleResult: -1 },
    ],
  });
});

it.each([
  [{}, ["owner", "admin", "member"]],
  [{ keyword: null, filter: null }, ["owner", "admin", "member"]],
  [{ keyword: "" }, ["owner", "admin", "member"]],
  [{ keyword: "ann" }, ["owner"]],
  [{ keyword: "ann " }, []],
  [{ filter: 0 }, ["owner", "admin", "member"]],
  [{ filter: 1 }, ["owner"]],
  [{ filter: 2 }, ["admin"]],
  [{ filter: 3 }, ["member"]],
  [{ filter: 4 }, ["admin", "member"]],
  [{ filter: 5 }, ["owner", "admin"]],
  [{ filter: 5, keyword: "AD" }, ["admin"]],
] as const)("members: %j", async (input, userIDs) => {
  const answer = await getGroupMemberList(store, { groupID: "g1", pagination, ...input });
  expect(answer).toMatchObject({ errCode: 0, data: { total: userIDs.length } });
  expect("data" in answer && answer.data.members.map(({ userID }) => userID)).toEqual(userIDs);
});

it.each([
  [1, ["owner", "admin"]],
  [2, ["member"]],
  [3, []],
  [2_147_483_647, []],
])("page %i of two members each has the whole total", async (pageNumber, userIDs) => {
  const answer = await getGroupMemberList(store, { groupID: "g1", pagination: { pageNumber, showNumber: 2 } });
  expect(answer).toMatchObject({ data: { total: 3, members: userIDs.map((userID) => ({ userID })) } });
});

it("a list without entries is empty, and one of nobody is not there", async () => {
  const empty = { errCode: 0, errMsg: "", errDlt: "" };
  const missing = (name: string) => ({
    errCode: 1004,
    errMsg: "RecordNotFoundError",
    errDlt: `${name}: [1004]RecordNotFoundError`,
  });
  const [members, blacks] = [
    { total: 0, members: [] },
    { total: 0, blacks: [] },
  ];
  expect(await getGroupMemberList(store, { groupID: "empty", pagination })).toEqual({ ...empty, data: members });
  expect(await getBlackList(store, { userID: "news", pagination })).toEqual({ ...empty, data: blacks });
  expect(await getGroupMemberList(store, { groupID: "g404", pagination })).toEqual(missing("group g404"));
  expect(await getBlackList(store, { userID: "u404", pagination })).toEqual(missing("user u404"));
  expect(await getJoinedGroupList(store, { fromUserID: "u404", pagination })).toEqual(missing("user u404"));
  expect(await getReceivedGroupApplicationList(store, { fromUserID: "u404", pagination })).toEqual(
    missing("user u404"),
  );
});

it.each([
  [{}, ["g2/robot", "g1/robot", "g1/news"]],
  [{ groupIDs: [], handleResults: [] }, ["g2/robot", "g1/robot", "g1/news"]],
  [{ groupIDs: null, handleResults: null }, ["g2/robot", "g1/robot", "g1/news"]],
  [{ groupIDs: ["g1", "empty"] }, ["g1/robot", "g1/news"]],
  [{ handleResults: [0, -1] as (0 | -1)[] }, ["g2/robot", "g1/news"]],
  [{ groupIDs: ["g1"], handleResults: [1] as 1[] }, ["g1/robot"]],
])("received requests: %j", async (input, requests) => {
  const answer = await getReceivedGroupApplicationList(store, { fromUserID: "owner", pagination, ...input });
  expect(answer).toMatchObject({ data: { total: requests.length } });
  expect(
    "data" in answer &&
      answer.data.groupRequests.map(({ groupInfo, userInfo }) => `${groupInfo.groupID}/${userInfo.userID}`),
  ).toEqual(requests);
});

const news = { userID: "news", faceURL: "news.png", nickName: "News" };
const robot = { userID: "robot", faceURL: "", nickName: "Robot" };

it.each([
  [{}, [news, robot]],
  [{ keyword: null, appManagerLevel: null }, [news, robot]],
  [{ keyword: "ROB" }, [robot]],
  [{ keyword: " " }, []],
  [{ appManagerLevel: 3 as const }, [news]],
  [{ keyword: "n", appManagerLevel: 4 as const }, []],
])("notification accounts: %j", async (input, notificationAccounts) => {
  expect(await searchNotificationAccount(store, { pagination, ...input })).toEqual({
    errCode: 0,
    errMsg: "",
    errDlt: "",
    data: { total: notificationAccounts.length, notificationAccounts },
  });
});

import { describe, expect, expectTypeOf, it } from "vitest";
import { createAdminClient } from "../../../adapters/client.js";
import type { Envelope, GroupMember } from "../../../src/index.js";
import { serveRecords, startServer, startServerOf, token } from "../../helpers/client/servers.js";
import { httpWorld } from "../../helpers/http/request.js";

const pagination = { pageNumber: 1, showNumber: 10 };

const group = {
  groupID: "g1",
  groupName: "Team",
  notification: "",
  introduction: "",
  faceURL: "",
  ownerUserID: "u1",
  createTime: 0,
  memberCount: 1,
  ex: "",
  status: 0,
  creatorUserID: "",
  groupType: 0,
  needVerification: 0,
  lookMemberInfo: 0,
  applyMemberFriend: 0,
  notificationUpdateTime: 0,
  notificationUserID: "",
};

const bob = { userID: "u2", nickname: "Bob", faceURL: "", ex: "" };

const success = (data: unknown) => ({ errCode: 0, errMsg: "", errDlt: "", data });

it("calls all six functions of a real server", async () => {
  const client = createAdminClient({ url: await serveRecords(httpWorld), token });
  const members = await client.getGroupMemberList({ groupID: "g1", pagination });
  expect(members).toStrictEqual(
    success({
      total: 1,
      members: [
        {
          groupID: "g1",
          userID: "u1",
          roleLevel: 100,
          joinTime: 5,
          nickname: "Ann",
          faceURL: "",
          appMangerLevel: 0,
          joinSource: 0,
          operatorUserID: "",
          ex: "",
          muteEndTime: 0,
          inviterUserID: "",
        },
      ],
    }),
  );
  if (members.errCode === 0) expectTypeOf(members.data.members).toEqualTypeOf<GroupMember[]>();
  expect(await client.getBlackList({ userID: "u1", pagination })).toStrictEqual(
    success({
      blacks: [{ ownerUserID: "u1", createTime: 1, blackUserInfo: bob, addSource: 0, operatorUserID: "u1", ex: "" }],
      total: 1,
    }),
  );
  expect(await client.getJoinedGroupList({ fromUserID: "u1", pagination })).toStrictEqual(
    success({ total: 1, groups: [group] }),
  );
  expect(await client.getReceivedGroupApplicationList({ fromUserID: "u1", pagination })).toStrictEqual(
    success({
      total: 1,
      groupRequests: [
        {
          userInfo: bob,
          groupInfo: group,
          handleResult: 0,
          reqMsg: "Hi",
          handleMsg: "",
          reqTime: 7,
          handleUserID: "",
          handleTime: 0,
          ex: "",
          joinSource: 0,
          inviterUserID: "",
        },
      ],
    }),
  );
  expect(await client.searchNotificationAccount({ pagination })).toStrictEqual(
    success({ total: 1, notificationAccounts: [{ userID: "n1", faceURL: "news.png", nickName: "News" }] }),
  );
  const set = await client.setConversations({
    userIDs: ["u1"],
    conversation: { conversationID: "si_u1_u2", conversationType: 1, userID: "u2", isPinned: true },
  });
  expectTypeOf(set).toEqualTypeOf<Envelope<null>>();
  expect(set).toStrictEqual(success(null));
});

it("resolves to the failures that a server answers, whatever their HTTP status", async () => {
  const url = await serveRecords(httpWorld, { limits: { bodyBytes: 1000 } });
  const client = createAdminClient({ url, token });
  expect(await client.getBlackList({ userID: "nobody", pagination })).toStrictEqual({
    errCode: 1004,
    errMsg: "RecordNotFoundError",
    errDlt: "user nobody: [1004]RecordNotFoundError",
  });
  const stranger = createAdminClient({ url, token: "unknown" });
  expect(await stranger.searchNotificationAccount({ pagination })).toStrictEqual({
    errCode: 1507,
    errMsg: "TokenNotExistError",
    errDlt: "1507 TokenNotExistError",
  });
  const lost = createAdminClient({ url: `${url}/nowhere`, token });
  expect(await lost.searchNotificationAccount({ pagination })).toStrictEqual({
    errCode: 1001,
    errMsg: "ArgsError",
    errDlt: "1001 ArgsError: path must be that of an operation",
  });
  expect(await client.searchNotificationAccount({ keyword: "x".repeat(1000), pagination })).toStrictEqual({
    errCode: 1001,
    errMsg: "ArgsError",
    errDlt: "1001 ArgsError: body must have at most 1000 bytes",
  });
});

it("sends what JSON can hold as it is, half of a surrogate pair among it", async () => {
  const bodies: string[] = [];
  const url = await startServer(async (request, response) => {
    bodies.push(Buffer.concat(await request.toArray()).toString());
    response.end('{"errCode":0,"errMsg":"","errDlt":""}');
  });
  const { setConversations } = createAdminClient({ url, token });
  await setConversations({
    userIDs: ["管理"],
    conversation: { conversationID: "\ud800", conversationType: 3, groupID: "g", ex: "" },
  });
  expect(bodies).toEqual([
    '{"userIDs":["管理"],"conversation":{"conversationID":"\\ud800","conversationType":3,"groupID":"g","ex":""}}',
  ]);
});

describe("answers as the OpenIM server gives them", () => {
  it.each([
    ["getGroupMemberList", "members"],
    ["getBlackList", "blacks"],
    ["getJoinedGroupList", "groups"],
    ["getReceivedGroupApplicationList", "groupRequests"],
    ["searchNotificationAccount", "notificationAccounts"],
  ] as const)("gives an empty list where %s is answered null", async (name, list) => {
    const url = await startServerOf(`{"errCode":0,"errMsg":"","errDlt":"","data":{"total":0,"${list}":null}}`);
    const answer = await createAdminClient({ url, token })[name]({ pagination } as never);
    expect(answer).toStrictEqual(success({ total: 0, [list]: [] }));
  });

  it("gives null as the data of setConversations where it is absent", async () => {
    const url = await startServerOf('{"errCode":0,"errMsg":"","errDlt":""}');
    expect(await createAdminClient({ url, token }).setConversations({} as never)).toStrictEqual(success(null));
  });

  it("gives an empty profile where an applicant is gone", async () => {
    const requests = '[{"userInfo":null,"reqMsg":"Hi"},{"userInfo":{"userID":"u2"},"reqMsg":"Ho"}]';
    const url = await startServerOf(
      `{"errCode":0,"errMsg":"","errDlt":"","data":{"total":2,"groupRequests":${requests}}}`,
    );
    const client = createAdminClient({ url, token });
    expect(await client.getReceivedGroupApplicationList({ fromUserID: "u1", pagination })).toStrictEqual(
      success({
        total: 2,
        groupRequests: [
          { userInfo: { userID: "", nickname: "", faceURL: "", ex: "" }, reqMsg: "Hi" },
          { userInfo: { userID: "u2" }, reqMsg: "Ho" },
        ],
      }),
    );
  });

  it("resolves to failures that im-admin does not know", async () => {
    const failure = { errCode: 1201, errMsg: "GroupIDNotFound", errDlt: "group g9: [1201]GroupIDNotFound" };
    const url = await startServerOf(JSON.stringify(failure));
    const answer = await createAdminClient({ url, token }).getJoinedGroupList({ fromUserID: "u1", pagination });
    expect(answer).toStrictEqual(failure);
  });
});

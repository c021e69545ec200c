import { describe, expect, expectTypeOf, it } from "vitest";
import { createAdminClient } from "../../../adapters/client.js";
import type { Envelope, GroupMember } from "../../../src/index.js";
import { serveRecords, startServer, startServerOf, token } from "../../helpers/client/servers.js";
import { argsError, failureText, membersText, notFound, texts } from "../../helpers/http/request.js";
import { successCases } from "../../helpers/http/successCases.js";

const pagination = { pageNumber: 1, showNumber: 10 };
const success = (data: unknown) => ({ errCode: 0, errMsg: "", errDlt: "", data });

/** What the server answers, as the tests of requests have it. */
function answerOf(name: string): unknown {
  return JSON.parse(successCases[name]?.text ?? "");
}

it("calls all six functions of a real server", async () => {
  const client = createAdminClient({ url: await serveRecords(), token });
  const members = await client.getGroupMemberList({ groupID: "g1", pagination });
  expect(members).toStrictEqual(JSON.parse(membersText));
  if (members.errCode === 0) expectTypeOf(members.data.members).toEqualTypeOf<GroupMember[]>();
  expect(await client.getBlackList({ userID: "u1", pagination })).toStrictEqual(
    answerOf("a blacklist is listed, with times in seconds"),
  );
  expect(await client.getJoinedGroupList({ fromUserID: "u1", pagination })).toStrictEqual(
    answerOf("joined groups are listed"),
  );
  expect(await client.getReceivedGroupApplicationList({ fromUserID: "u1", pagination })).toStrictEqual(
    answerOf("join requests are listed"),
  );
  expect(await client.searchNotificationAccount({ pagination })).toStrictEqual(
    answerOf("notification accounts are listed"),
  );
  const set = await client.setConversations({
    userIDs: ["u1"],
    conversation: { conversationID: "si_u1_u2", conversationType: 1, userID: "u2", isPinned: true },
  });
  expectTypeOf(set).toEqualTypeOf<Envelope<null>>();
  expect(set).toStrictEqual(success(null));
});

it("resolves to the failures that a server answers, whatever their HTTP status", async () => {
  const url = await serveRecords(undefined, { limits: { bodyBytes: 1000 } });
  const search = (options: object, keyword = "") =>
    createAdminClient({ url, token, ...options }).searchNotificationAccount({ keyword, pagination });
  const client = createAdminClient({ url, token });
  expect(await client.getBlackList({ userID: "nobody", pagination })).toStrictEqual(
    JSON.parse(notFound("user nobody")),
  );
  expect(await search({ token: "unknown" })).toStrictEqual(JSON.parse(failureText(1507, "TokenNotExistError")));
  expect(await search({ url: `${url}/nowhere` })).toStrictEqual(JSON.parse(texts.unknownPath));
  expect(await search({}, "x".repeat(1000))).toStrictEqual(JSON.parse(argsError("body must have at most 1000 bytes")));
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

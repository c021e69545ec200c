import createClient from "openapi-fetch";
import { dataOf } from "./dataOf.js";
import type { paths } from "./interface.js";
import { allMembers } from "./members.js";

const [, , baseUrl = "", laterUrl = "", token = "", otherToken = "", conversationID = ""] = process.argv;
const clientFor = (baseUrl: string, token: string) =>
  createClient<paths>({ baseUrl, headers: { token, operationID: "openapi-fetch" } });
const client = clientFor(baseUrl, token);
const pagination = { pageNumber: 1, showNumber: 10 };

const members = await allMembers(client, "2559217223");
print("members", members.length, members.at(-1)?.joinTime);
const owners = await client.POST("/group/get_group_member_list", {
  body: { groupID: "2559217223", keyword: null, filter: 1, pagination },
});
if (owners.data?.errCode === 0) print("owners", owners.data.data.total, owners.data.data.members[0]?.nickname);
const blacks = await client.POST("/friend/get_black_list", { body: { userID: "1000000007", pagination } });
if (blacks.data?.errCode === 0) {
  const [black] = blacks.data.data.blacks;
  print("blacks", blacks.data.data.total, black?.createTime, black?.blackUserInfo.nickname);
}
const groups = await client.POST("/group/get_joined_group_list", {
  body: { fromUserID: "1000000007", pagination },
});
if (groups.data?.errCode === 0) print("groups", groups.data.data.total, groups.data.data.groups[0]?.groupName);
const requests = await client.POST("/group/get_recv_group_applicationList", {
  body: { fromUserID: "1000000007", handleResults: [-1], pagination },
});
if (requests.data?.errCode === 0) {
  const [request] = requests.data.data.groupRequests;
  print("requests", requests.data.data.total, request?.handleTime, request?.handleMsg);
}
const accounts = await client.POST("/user/search_notification_account", { body: { pagination } });
if (accounts.data?.errCode === 0) {
  print("accounts", accounts.data.data.total, accounts.data.data.notificationAccounts[0]?.nickName);
}
const set = await client.POST("/conversation/set_conversations", {
  body: {
    userIDs: ["1000000007", "1003600005"],
    conversation: {
      conversationID,
      conversationType: 1,
      userID: "1001800006",
      ex: null,
      isPinned: true,
      minSeq: 9007199254740991,
    },
  },
});
print("set", set.data?.errCode);

const wrong = await client.POST("/user/search_notification_account", {
  body: { pagination: { pageNumber: 0, showNumber: 10 } },
});
print(wrong.data?.errCode, wrong.data?.errDlt);
const noAdmin = await clientFor(baseUrl, otherToken).POST("/user/search_notification_account", {
  body: { pagination },
});
print(noAdmin.data?.errCode, noAdmin.data?.errDlt);
try {
  dataOf(await client.POST("/friend/get_black_list", { body: { userID: "u404", pagination } }));
} catch (error) {
  const { errCode, message } = error as Error & { errCode?: number };
  print(errCode, message);
}
const dismissed = await client.POST("/conversation/set_conversations", {
  body: {
    userIDs: ["1000000007"],
    conversation: { conversationID, conversationType: 3, groupID: "3222223142", isPinned: true },
  },
});
print(dismissed.data?.errCode, dismissed.data?.errDlt);
const malformed = await clientFor(baseUrl, "no.jwt").POST("/user/search_notification_account", {
  body: { pagination },
});
print(malformed.data?.errCode, malformed.data?.errDlt);
const long = await client.POST("/conversation/set_conversations", {
  body: {
    userIDs: ["1000000007"],
    conversation: { conversationID, conversationType: 1, userID: "1001800006", ex: "x".repeat(2_000_000) },
  },
});
print("HTTP", long.response.status, long.error?.errDlt);

const later = clientFor(laterUrl, token);
const field = await later.POST("/friend/get_black_list", { body: { userID: "u", pagination } });
if (field.data?.errCode === 0) print("later", field.data.data.blacks[0]?.createTime);
const code = await later.POST("/group/get_joined_group_list", { body: { fromUserID: "u", pagination } });
print("later", code.data?.errCode, code.data?.errDlt);

function print(...values: unknown[]): void {
  process.stdout.write(`${values.join(" ")}\n`);
}

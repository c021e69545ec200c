import { cases, type HttpCase, membersBody, membersText, paths, texts } from "./request.js";

const page = '"pagination":{"pageNumber":1,"showNumber":10}';
const group =
  '{"groupID":"g1","groupName":"Team","notification":"","introduction":"","faceURL":"","ownerUserID":"u1",' +
  '"createTime":0,"memberCount":1,"ex":"","status":0,"creatorUserID":"","groupType":0,"needVerification":0,' +
  '"lookMemberInfo":0,"applyMemberFriend":0,"notificationUpdateTime":0,"notificationUserID":""}';

/** What each operation answers, with the order of its keys. */
export const successCases: Record<string, HttpCase> = {
  "members are listed": { request: {}, text: membersText },
  "a blacklist is listed, with times in seconds": {
    request: { path: paths.blacks, body: `{"userID":"u1",${page}}` },
    text:
      '{"errCode":0,"errMsg":"","errDlt":"","data":{"blacks":[{"ownerUserID":"u1","createTime":1,"blackUserInfo":' +
      '{"userID":"u2","nickname":"Bob","faceURL":"","ex":""},"addSource":0,"operatorUserID":"u1","ex":""}],"total":1}}',
  },
  "joined groups are listed": {
    request: { path: paths.joined, body: `{"fromUserID":"u1",${page}}` },
    text: `{"errCode":0,"errMsg":"","errDlt":"","data":{"total":1,"groups":[${group}]}}`,
  },
  "join requests are listed": {
    request: { path: paths.requests, body: `{"fromUserID":"u1",${page}}` },
    text:
      '{"errCode":0,"errMsg":"","errDlt":"","data":{"total":1,"groupRequests":[{"userInfo":{"userID":"u2",' +
      `"nickname":"Bob","faceURL":"","ex":""},"groupInfo":${group},"handleResult":0,"reqMsg":"Hi","handleMsg":"",` +
      '"reqTime":7,"handleUserID":"","handleTime":0,"ex":"","joinSource":0,"inviterUserID":""}]}}',
  },
  "notification accounts are listed": {
    request: { path: paths.accounts, body: `{${page}}` },
    text:
      '{"errCode":0,"errMsg":"","errDlt":"","data":{"total":1,"notificationAccounts":' +
      '[{"userID":"n1","faceURL":"news.png","nickName":"News"}]}}',
  },
  "a conversation is set, with null as data": {
    request: {
      path: paths.conversations,
      body: '{"userIDs":["u1"],"conversation":{"conversationID":"si_u1_u2","conversationType":1,"userID":"u2","isPinned":true}}',
    },
    text: texts.done,
    headers: { "content-type": "application/json", "access-control-allow-origin": null, vary: null },
  },
  ...cases({
    "no members are an empty list": [{ body: `{"groupID":"empty",${page}}` }, empty("members")],
    "no blacklist is an empty list": [
      { path: paths.blacks, body: `{"userID":"u2",${page}}` },
      '{"errCode":0,"errMsg":"","errDlt":"","data":{"blacks":[],"total":0}}',
    ],
    "no groups are an empty list": [{ path: paths.joined, body: `{"fromUserID":"u2",${page}}` }, empty("groups")],
    "no join requests are an empty list": [
      { path: paths.requests, body: `{"fromUserID":"u2",${page}}` },
      empty("groupRequests"),
    ],
    "no accounts are an empty list": [
      { path: paths.accounts, body: `{"keyword":"nobody",${page}}` },
      empty("notificationAccounts"),
    ],
    "a page past the end is empty, with the true total": [
      { body: '{"groupID":"g1","pagination":{"pageNumber":2147483647,"showNumber":1000}}' },
      '{"errCode":0,"errMsg":"","errDlt":"","data":{"total":1,"members":[]}}',
    ],
    "a streamed request is answered": [{ body: [...membersBody] }, membersText],
    "the query string is ignored": [{ path: `${paths.members}?token=x&groupID=g404` }, membersText],
    "header names may have any case": [
      { headers: { operationID: null, OPERATIONid: "op-1", "X-Other": "ignored" } },
      membersText,
    ],
    "any operationID will do": [{ headers: { operationID: `"' OR 1=1 -- \xff` } }, membersText],
  }),
};

function empty(list: string): string {
  return `{"errCode":0,"errMsg":"","errDlt":"","data":{"total":0,"${list}":[]}}`;
}

for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=utf-16", "///"]) {
  successCases[`the content type ${type} is no obstacle`] = {
    request: { headers: { "content-type": type } },
    text: membersText,
  };
}

import { cases, type HttpCase, membersText, paths, texts } from "./request.js";

const page = '"pagination":{"pageNumber":1,"showNumber":10}';
const group =
  '{"groupID":"g1","groupName":"Team","notification":"","introduction":"","faceURL":"","ownerUserID":"u1",' +
  '"createTime":0,"memberCount":1,"ex":"","status":0,"creatorUserID":"","groupType":0,"needVerification":0,' +
  '"lookMemberInfo":0,"applyMemberFriend":0,"notificationUpdateTime":0,"notificationUserID":""}';
const success = (data: string) => `{"errCode":0,"errMsg":"","errDlt":"","data":${data}}`;

/** What each operation answers, with the order of its keys. */
export const successCases: Record<string, HttpCase> = cases({
  "members are listed": [{}, membersText],
  "a blacklist is listed, with times in seconds": [
    { path: paths.blacks, body: `{"userID":"u1",${page}}` },
    success(
      '{"blacks":[{"ownerUserID":"u1","createTime":1,"blackUserInfo":{"userID":"u2","nickname":"Bob","faceURL":"",' +
        '"ex":""},"addSource":0,"operatorUserID":"u1","ex":""}],"total":1}',
    ),
  ],
  "joined groups are listed": [
    { path: paths.joined, body: `{"fromUserID":"u1",${page}}` },
    success(`{"total":1,"groups":[${group}]}`),
  ],
  "join requests are listed": [
    { path: paths.requests, body: `{"fromUserID":"u1",${page}}` },
    success(
      '{"total":1,"groupRequests":[{"userInfo":{"userID":"u2","nickname":"Bob","faceURL":"","ex":""},"groupInfo":' +
        `${group},"handleResult":0,"reqMsg":"Hi","handleMsg":"","reqTime":7,"handleUserID":"","handleTime":0,"ex":"",` +
        '"joinSource":0,"inviterUserID":""}]}',
    ),
  ],
  "notification accounts are listed": [
    { path: paths.accounts, body: `{${page}}` },
    success('{"total":1,"notificationAccounts":[{"userID":"n1","faceURL":"news.png","nickName":"News"}]}'),
  ],
  "a conversation is set, with null as data": [
    {
      path: paths.conversations,
      body: '{"userIDs":["u1"],"conversation":{"conversationID":"si_u1_u2","conversationType":1,"userID":"u2","isPinned":true}}',
    },
    texts.done,
    { headers: { "access-control-allow-origin": null } },
  ],
  "no members are an empty list": [{ body: `{"groupID":"empty",${page}}` }, success('{"total":0,"members":[]}')],
  "no blacklist is an empty list": [
    { path: paths.blacks, body: `{"userID":"u2",${page}}` },
    success('{"blacks":[],"total":0}'),
  ],
  "no groups are an empty list": [
    { path: paths.joined, body: `{"fromUserID":"u2",${page}}` },
    success('{"total":0,"groups":[]}'),
  ],
  "no join requests are an empty list": [
    { path: paths.requests, body: `{"fromUserID":"u2",${page}}` },
    success('{"total":0,"groupRequests":[]}'),
  ],
  "no accounts are an empty list": [
    { path: paths.accounts, body: `{"keyword":"nobody",${page}}` },
    success('{"total":0,"notificationAccounts":[]}'),
  ],
  "a page past the end is empty, with the true total": [
    { body: '{"groupID":"g1","pagination":{"pageNumber":2147483647,"showNumber":1000}}' },
    success('{"total":1,"members":[]}'),
  ],
});

import { type HttpCase, membersText, paths, tokens } from "./request.js";

const page = '"pagination":{"pageNumber":1,"showNumber":10}';

/** Each row of the table of errors. */
export const errorCases: Record<string, HttpCase> = {
  "bad input is 1001 and names the field": {
    request: { body: '{"groupID":"g1","pagination":{"pageNumber":0,"showNumber":10}}' },
    text: '{"errCode":1001,"errMsg":"ArgsError","errDlt":"1001 ArgsError: pagination.pageNumber must be an integer >= 1"}',
  },
  "a limit that is passed is 1001 and states the limit": {
    request: { body: '{"groupID":"g1","pagination":{"pageNumber":1,"showNumber":1001}}' },
    text: '{"errCode":1001,"errMsg":"ArgsError","errDlt":"1001 ArgsError: pagination.showNumber must be an integer from 1 to 1000"}',
  },
  "a missing operationID is 1001": {
    request: { headers: { operationID: null } },
    text: '{"errCode":1001,"errMsg":"ArgsError","errDlt":"1001 ArgsError: header must have operationID"}',
  },
  "a blank operationID is a missing one": {
    request: { headers: { operationID: " " } },
    text: '{"errCode":1001,"errMsg":"ArgsError","errDlt":"1001 ArgsError: header must have operationID"}',
  },
  "an operationID of 256 characters is taken": {
    request: { headers: { operationID: "o".repeat(256) } },
    text: membersText,
  },
  "an operationID of 257 characters is 1001": {
    request: { headers: { operationID: "o".repeat(257) } },
    text: '{"errCode":1001,"errMsg":"ArgsError","errDlt":"1001 ArgsError: header must have operationID of at most 256 characters"}',
  },
  "a missing token is 1001": {
    request: { headers: { token: null } },
    text: '{"errCode":1001,"errMsg":"ArgsError","errDlt":"1001 ArgsError: header must have token"}',
  },
  "an empty token is a missing one": {
    request: { headers: { token: "" } },
    text: '{"errCode":1001,"errMsg":"ArgsError","errDlt":"1001 ArgsError: header must have token"}',
  },
  "a valid token of no administrator is 1002": {
    request: { headers: { token: tokens.ofAnybody } },
    text: '{"errCode":1002,"errMsg":"NoPermissionError","errDlt":"1002 NoPermissionError: the caller is no administrator"}',
  },
  "the members of an unknown group are 1004": {
    request: { body: `{"groupID":"g404",${page}}` },
    text: '{"errCode":1004,"errMsg":"RecordNotFoundError","errDlt":"group g404: [1004]RecordNotFoundError"}',
  },
  "the blacklist of an unknown user is 1004": {
    request: { path: paths.blacks, body: `{"userID":"u404",${page}}` },
    text: '{"errCode":1004,"errMsg":"RecordNotFoundError","errDlt":"user u404: [1004]RecordNotFoundError"}',
  },
  "the groups of an unknown user are 1004": {
    request: { path: paths.joined, body: `{"fromUserID":"u404",${page}}` },
    text: '{"errCode":1004,"errMsg":"RecordNotFoundError","errDlt":"user u404: [1004]RecordNotFoundError"}',
  },
  "the join requests of an unknown user are 1004": {
    request: { path: paths.requests, body: `{"fromUserID":"u404",${page}}` },
    text: '{"errCode":1004,"errMsg":"RecordNotFoundError","errDlt":"user u404: [1004]RecordNotFoundError"}',
  },
  "unknown users and an unknown peer are 1004 together": {
    request: conversation('["a","u1","b"]', '"conversationType":1,"userID":"c"'),
    text: '{"errCode":1004,"errMsg":"RecordNotFoundError","errDlt":"users a, b and 1 more: [1004]RecordNotFoundError"}',
  },
  "a conversation in an unknown group is 1004": {
    request: conversation('["u1"]', '"conversationType":3,"groupID":"g404"'),
    text: '{"errCode":1004,"errMsg":"RecordNotFoundError","errDlt":"group g404: [1004]RecordNotFoundError"}',
  },
  "a conversation in a dismissed group is 1204": {
    request: conversation('["u1"]', '"conversationType":3,"groupID":"gone"'),
    text: '{"errCode":1204,"errMsg":"DismissedAlreadyError","errDlt":"1204 DismissedAlreadyError: group gone"}',
  },
  "an expired token is 1501": {
    request: { headers: { token: tokens.expired } },
    text: '{"errCode":1501,"errMsg":"TokenExpiredError","errDlt":"1501 TokenExpiredError"}',
  },
  "a token that is no JWT is 1503": {
    request: { headers: { token: "no-jwt" } },
    text: '{"errCode":1503,"errMsg":"TokenMalformedError","errDlt":"1503 TokenMalformedError"}',
  },
  "a token that is not valid yet is 1504": {
    request: { headers: { token: tokens.notYetValid } },
    text: '{"errCode":1504,"errMsg":"TokenNotValidYetError","errDlt":"1504 TokenNotValidYetError"}',
  },
  "a token signed with another secret is 1505": {
    request: { headers: { token: tokens.ofAnotherSecret } },
    text: '{"errCode":1505,"errMsg":"TokenUnknownError","errDlt":"1505 TokenUnknownError"}',
  },
  "a revoked token is 1506": {
    request: { headers: { token: tokens.revoked } },
    text: '{"errCode":1506,"errMsg":"TokenKickedError","errDlt":"1506 TokenKickedError"}',
  },
  "a token that is not in the list is 1507": {
    request: { headers: { token: "other" } },
    authenticator: "fixedTokens",
    text: '{"errCode":1507,"errMsg":"TokenNotExistError","errDlt":"1507 TokenNotExistError"}',
  },
  "a store that fails is a bare 500": {
    request: {},
    brokenStore: true,
    text: '{"errCode":500,"errMsg":"ServerInternalError","errDlt":"500 ServerInternalError"}',
  },
  "an authenticator that finds nobody and says nothing lets nobody in": {
    request: {},
    authenticator: "nobody",
    text: '{"errCode":500,"errMsg":"ServerInternalError","errDlt":"500 ServerInternalError"}',
  },
  'a group with "token" in its ID is not named': {
    request: { body: `{"groupID":"my-Token-group",${page}}` },
    text: '{"errCode":1004,"errMsg":"RecordNotFoundError","errDlt":"1 group: [1004]RecordNotFoundError"}',
  },
  'users with "token" in their ID are not named': {
    request: conversation('["token","u404"]', '"conversationType":3,"groupID":"g1"'),
    text: '{"errCode":1004,"errMsg":"RecordNotFoundError","errDlt":"2 users: [1004]RecordNotFoundError"}',
  },
};

/** Requests that are wrong in several ways, with the first of them as the answer. */
export const orderCases: Record<string, HttpCase> = {
  "the path comes before the method and all else": {
    request: {
      method: "PUT",
      path: "/nowhere",
      headers: { operationID: null, token: null, "content-length": "9999999" },
    },
    status: 404,
    text: '{"errCode":1001,"errMsg":"ArgsError","errDlt":"1001 ArgsError: path must be that of an operation"}',
  },
  "the method comes before the body's size": {
    request: { method: "PUT", headers: { operationID: null, token: null, "content-length": "9999999" } },
    status: 405,
    text: '{"errCode":1001,"errMsg":"ArgsError","errDlt":"1001 ArgsError: method must be POST"}',
  },
  "the body's size comes before the headers": {
    request: { headers: { operationID: null, token: null, "content-length": "9999999" }, body: "{" },
    status: 413,
    text: '{"errCode":1001,"errMsg":"ArgsError","errDlt":"1001 ArgsError: body must have at most 1048576 bytes"}',
  },
  "the operationID comes before the token": {
    request: { headers: { operationID: null, token: null }, body: "{" },
    text: '{"errCode":1001,"errMsg":"ArgsError","errDlt":"1001 ArgsError: header must have operationID"}',
  },
  "a missing token comes before the JSON": {
    request: { headers: { token: null }, body: "{" },
    text: '{"errCode":1001,"errMsg":"ArgsError","errDlt":"1001 ArgsError: header must have token"}',
  },
  "a bad token comes before the JSON": {
    request: { headers: { token: "no-jwt" }, body: "{" },
    text: '{"errCode":1503,"errMsg":"TokenMalformedError","errDlt":"1503 TokenMalformedError"}',
  },
  "a bad token comes before the size of a streamed body": {
    request: { headers: { token: "no-jwt" }, body: ["x".repeat(1_048_576), "x"] },
    text: '{"errCode":1503,"errMsg":"TokenMalformedError","errDlt":"1503 TokenMalformedError"}',
  },
  "the rank comes before the JSON": {
    request: { headers: { token: tokens.ofAnybody }, body: "{" },
    text: '{"errCode":1002,"errMsg":"NoPermissionError","errDlt":"1002 NoPermissionError: the caller is no administrator"}',
  },
  "the first wrong field comes first": {
    request: { body: '{"pagination":{"showNumber":0},"groupID":7}' },
    text: '{"errCode":1001,"errMsg":"ArgsError","errDlt":"1001 ArgsError: groupID must be a string of 1 to 64 characters without control characters"}',
  },
  "the fields come before the existence": {
    request: { body: '{"groupID":"g404","pagination":{"pageNumber":1,"showNumber":0}}' },
    text: '{"errCode":1001,"errMsg":"ArgsError","errDlt":"1001 ArgsError: pagination.showNumber must be an integer from 1 to 1000"}',
  },
};

function conversation(userIDs: string, fields: string): HttpCase["request"] {
  const body = `{"userIDs":${userIDs},"conversation":{"conversationID":"c1",${fields},"isPinned":true}}`;
  return { path: paths.conversations, body };
}

import {
  argsError,
  cases,
  failureText,
  type HttpCase,
  membersText,
  notFound,
  paths,
  texts,
  tokens,
} from "./request.js";

type Sent = HttpCase["request"];

const page = '"pagination":{"pageNumber":1,"showNumber":10}';
const withHeader = (name: string, value: string | null): Sent => ({ headers: { [name]: value } });
const nobody = { operationID: null, token: null };
const tooLong = { "content-length": "9999999" };

/** Each row of the table of errors. */
export const errorCases: Record<string, HttpCase> = {
  ...cases({
    "bad input is 1001 and names the field": [
      { body: '{"groupID":"g1","pagination":{"pageNumber":0,"showNumber":10}}' },
      argsError("pagination.pageNumber must be an integer >= 1"),
    ],
    "a limit that is passed is 1001 and states the limit": [
      { body: '{"groupID":"g1","pagination":{"pageNumber":1,"showNumber":1001}}' },
      argsError("pagination.showNumber must be an integer from 1 to 1000"),
    ],
    "a missing operationID is 1001": [withHeader("operationID", null), argsError("header must have operationID")],
    "a blank operationID is a missing one": [withHeader("operationID", " "), argsError("header must have operationID")],
    "an operationID of 256 characters is taken": [withHeader("operationID", "o".repeat(256)), membersText],
    "an operationID of 257 characters is 1001": [
      withHeader("operationID", "o".repeat(257)),
      argsError("header must have operationID of at most 256 characters"),
    ],
    "a missing token is 1001": [withHeader("token", null), argsError("header must have token")],
    "a token that comes twice counts once": [withHeader("token", `${tokens.admin}, ${tokens.admin}`), membersText],
    "two tokens are no JWT": [
      withHeader("token", `${tokens.admin}, ${tokens.ofAnybody}`),
      failureText(1503, "TokenMalformedError"),
    ],
    "an empty token is a missing one": [withHeader("token", ""), argsError("header must have token")],
    "a valid token of no administrator is 1002": [withHeader("token", tokens.ofAnybody), texts.noAdministrator],
    "the members of an unknown group are 1004": [{ body: `{"groupID":"g404",${page}}` }, notFound("group g404")],
    "the blacklist of an unknown user is 1004": [
      { path: paths.blacks, body: `{"userID":"u404",${page}}` },
      notFound("user u404"),
    ],
    "the groups of an unknown user are 1004": [
      { path: paths.joined, body: `{"fromUserID":"u404",${page}}` },
      notFound("user u404"),
    ],
    "the join requests of an unknown user are 1004": [
      { path: paths.requests, body: `{"fromUserID":"u404",${page}}` },
      notFound("user u404"),
    ],
    "unknown users and an unknown peer are 1004 together": [
      conversation('["a","u1","b"]', '"conversationType":1,"userID":"c"'),
      notFound("users a, b, c"),
    ],
    "a conversation in an unknown group is 1004": [
      conversation('["u1"]', '"conversationType":3,"groupID":"g404"'),
      notFound("group g404"),
    ],
    "a conversation in a dismissed group is 1204": [
      conversation('["u1"]', '"conversationType":3,"groupID":"gone"'),
      failureText(1204, "DismissedAlreadyError", "group gone"),
    ],
    "an expired token is 1501": [withHeader("token", tokens.expired), failureText(1501, "TokenExpiredError")],
    "a token that is no JWT is 1503": [withHeader("token", "no-jwt"), failureText(1503, "TokenMalformedError")],
    "a token that is not valid yet is 1504": [
      withHeader("token", tokens.notYetValid),
      failureText(1504, "TokenNotValidYetError"),
    ],
    "a token signed with another secret is 1505": [
      withHeader("token", tokens.ofAnotherSecret),
      failureText(1505, "TokenUnknownError"),
    ],
    "a revoked token is 1506": [withHeader("token", tokens.revoked), failureText(1506, "TokenKickedError")],
    'a group with "token" in its ID is not named': [
      { body: `{"groupID":"my-Token-group",${page}}` },
      notFound("1 group"),
    ],
    'users with "token" in their ID are not named': [
      conversation('["token","u404"]', '"conversationType":3,"groupID":"g1"'),
      notFound("users u404 and 1 more"),
    ],
  }),
  "a token that is not in the list is 1507": {
    request: withHeader("token", "other"),
    authenticator: "fixedTokens",
    text: failureText(1507, "TokenNotExistError"),
  },
  "a store that fails is a bare 500": { request: {}, brokenStore: true, text: texts.internalError },
  "an authenticator that finds nobody and says nothing lets nobody in": {
    request: {},
    authenticator: "nobody",
    text: texts.internalError,
  },
};

/** Requests that are wrong in several ways, with the first of them as the answer. */
export const orderCases: Record<string, HttpCase> = {
  "the path comes before the method and all else": {
    request: { method: "PUT", path: "/nowhere", headers: { ...nobody, ...tooLong } },
    status: 404,
    text: texts.unknownPath,
  },
  "the method comes before the body's size": {
    request: { method: "PUT", headers: { ...nobody, ...tooLong } },
    status: 405,
    text: texts.wrongMethod,
  },
  "the body's size comes before the headers": {
    request: { headers: { ...nobody, ...tooLong }, body: "{" },
    status: 413,
    text: texts.tooLong,
  },
  ...cases({
    "the operationID comes before the token": [
      { headers: nobody, body: "{" },
      argsError("header must have operationID"),
    ],
    "a missing token comes before the JSON": [
      { headers: { token: null }, body: "{" },
      argsError("header must have token"),
    ],
    "a bad token comes before the JSON": [
      { headers: { token: "no-jwt" }, body: "{" },
      failureText(1503, "TokenMalformedError"),
    ],
    "a bad token comes before the size of a streamed body": [
      { headers: { token: "no-jwt" }, body: ["x".repeat(1_048_576), "x"] },
      failureText(1503, "TokenMalformedError"),
    ],
    "the rank comes before the JSON": [{ headers: { token: tokens.ofAnybody }, body: "{" }, texts.noAdministrator],
    "the first wrong field comes first": [{ body: '{"pagination":{"showNumber":0},"groupID":7}' }, texts.noGroupID],
    "the fields come before the existence": [
      { body: '{"groupID":"g404","pagination":{"pageNumber":1,"showNumber":0}}' },
      argsError("pagination.showNumber must be an integer from 1 to 1000"),
    ],
  }),
};

function conversation(userIDs: string, fields: string): Sent {
  const body = `{"userIDs":${userIDs},"conversation":{"conversationID":"c1",${fields},"isPinned":true}}`;
  return { path: paths.conversations, body };
}

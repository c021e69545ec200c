import { fixedTokenAuthenticator } from "../../../adapters/auth.js";
import type { Store } from "../../../src/index.js";
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
const operationID = (value: string | null): Sent => ({ headers: { operationID: value } });
const token = (value: string | null): Sent => ({ headers: { token: value } });
const conversation = (userIDs: string, fields: string): Sent => ({
  path: paths.conversations,
  body: `{"userIDs":${userIDs},"conversation":{"conversationID":"c1",${fields},"isPinned":true}}`,
});
const ofUser = (path: string, name: string): Sent => ({ path, body: `{"${name}":"u404",${page}}` });

const noOperationID = argsError("header must have operationID");
const noToken = argsError("header must have token");
const noJwt = failureText(1503, "TokenMalformedError");

/** A store whose methods fail. */
const brokenStore = new Proxy({} as Store, {
  get: () => () => Promise.reject(new Error("SqliteError: the disk of /var/lib/im.db is full")),
});

/** Each row of the table of errors. */
export const errorCases: Record<string, HttpCase> = cases({
  "bad input is 1001 and names the field": [
    { body: '{"groupID":"g1","pagination":{"pageNumber":0,"showNumber":10}}' },
    argsError("pagination.pageNumber must be an integer >= 1"),
  ],
  "a limit that is passed is 1001 and states the limit": [
    { body: '{"groupID":"g1","pagination":{"pageNumber":1,"showNumber":1001}}' },
    argsError("pagination.showNumber must be an integer from 1 to 1000"),
  ],
  "a missing operationID is 1001": [operationID(null), noOperationID],
  "a blank operationID is a missing one": [operationID(" "), noOperationID],
  "an operationID of 256 characters is taken": [operationID("o".repeat(256)), membersText],
  "an operationID of 257 characters is 1001": [
    operationID("o".repeat(257)),
    argsError("header must have operationID of at most 256 characters"),
  ],
  "a missing token is 1001": [token(null), noToken],
  "an empty token is a missing one": [token(""), noToken],
  "a token that comes twice counts once": [token(`${tokens.admin}, ${tokens.admin}`), membersText],
  "two tokens are no JWT": [token(`${tokens.admin}, ${tokens.ofAnybody}`), noJwt],
  "a valid token of no administrator is 1002": [token(tokens.ofAnybody), texts.noAdministrator],
  "the members of an unknown group are 1004": [{ body: `{"groupID":"g404",${page}}` }, notFound("group g404")],
  "the blacklist of an unknown user is 1004": [ofUser(paths.blacks, "userID"), notFound("user u404")],
  "the groups of an unknown user are 1004": [ofUser(paths.joined, "fromUserID"), notFound("user u404")],
  "the join requests of an unknown user are 1004": [ofUser(paths.requests, "fromUserID"), notFound("user u404")],
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
  'a group with "token" in its ID is not named': [
    { body: `{"groupID":"my-Token-group",${page}}` },
    notFound("1 group"),
  ],
  'users with "token" in their ID are not named': [
    conversation('["token","u404"]', '"conversationType":3,"groupID":"g1"'),
    notFound("users u404 and 1 more"),
  ],
  "an expired token is 1501": [token(tokens.expired), failureText(1501, "TokenExpiredError")],
  "a token that is no JWT is 1503": [token("no-jwt"), noJwt],
  "a token whose expiry is in milliseconds is 1503, which says so": [
    token(tokens.inMilliseconds),
    failureText(
      1503,
      "TokenMalformedError",
      "exp lies beyond the year 5000, as a time in milliseconds does: give it in seconds",
    ),
  ],
  "a token that is not valid yet is 1504": [token(tokens.notYetValid), failureText(1504, "TokenNotValidYetError")],
  "a token signed with another secret is 1505": [token(tokens.ofAnotherSecret), texts.otherSecret],
  "a revoked token is 1506": [
    {},
    failureText(1506, "TokenKickedError"),
    { options: { authenticate: () => ({ failure: "TokenKickedError" }) } },
  ],
  "a token that is not in the list is 1507": [
    token("other"),
    failureText(1507, "TokenNotExistError"),
    { options: { authenticate: fixedTokenAuthenticator([{ token: "known", adminUserID: "imAdmin" }]) } },
  ],
  "a store that fails is a bare 500": [{}, texts.internalError, { options: { store: brokenStore } }],
  "an authenticator that finds nobody and says nothing lets nobody in": [
    {},
    texts.internalError,
    { options: { authenticate: () => ({ adminUserID: "" }) } },
  ],
});

const nobody = { operationID: null, token: null };
const tooLong = { "content-length": "9999999" };

/** Requests that are wrong in several ways, with the first of them as the answer. */
export const orderCases: Record<string, HttpCase> = cases({
  "the path comes before the method and all else": [
    { method: "PUT", path: "/nowhere", headers: { ...nobody, ...tooLong } },
    texts.unknownPath,
    { status: 404 },
  ],
  "the method comes before the body's size": [
    { method: "PUT", headers: { ...nobody, ...tooLong } },
    texts.wrongMethod,
    { status: 405 },
  ],
  "the body's size comes before the headers": [
    { headers: { ...nobody, ...tooLong }, body: "{" },
    texts.tooLong,
    { status: 413 },
  ],
  "the operationID comes before the token": [{ headers: nobody, body: "{" }, noOperationID],
  "a missing token comes before the JSON": [{ ...token(null), body: "{" }, noToken],
  "a bad token comes before the JSON": [{ ...token("no-jwt"), body: "{" }, noJwt],
  "a bad token comes before the size of a streamed body": [
    { ...token("no-jwt"), body: ["x".repeat(1_048_576), "x"] },
    noJwt,
  ],
  "the rank comes before the JSON": [{ ...token(tokens.ofAnybody), body: "{" }, texts.noAdministrator],
  "the first wrong field comes first": [{ body: '{"pagination":{"showNumber":0},"groupID":7}' }, texts.noGroupID],
  "the fields come before the existence": [
    { body: '{"groupID":"g404","pagination":{"pageNumber":1,"showNumber":0}}' },
    argsError("pagination.showNumber must be an integer from 1 to 1000"),
  ],
});

import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type JwtAuthenticatorOptions, jwtAuthenticator } from "../../../adapters/auth.js";
import { createFetchHandler, type ObserverOfRequest } from "../../../adapters/fetch.js";
import type { Observer, Store } from "../../../src/index.js";
import { recorder, storeOf, textFrom } from "../../helpers/http/hosts.js";
import {
  adminUserID,
  type HttpRequest,
  membersBody,
  membersText,
  paths,
  secret,
  texts,
  tokens,
} from "../../helpers/http/request.js";

type Sent = Partial<HttpRequest>;

/** A handler with an observer, and a client of it. */
async function opened(observer: Observer | ObserverOfRequest, more: Partial<JwtAuthenticatorOptions> = {}) {
  const store = await storeOf();
  const handler = createFetchHandler({
    store,
    authenticate: jwtAuthenticator({ secrets: [secret], adminUserIDs: [adminUserID], ...more }),
    limits: { bodyBytes: 1000 },
    observer,
    adminToken: { secret, adminUserIDs: [adminUserID] },
  });
  const send = (sent: Sent = {}) => textFrom(handler, { ...sent, headers: { token: tokens.admin, ...sent.headers } });
  return { store, send };
}

const asked = { operation: "getGroupMemberList", operationID: "op-1", durationMs: expect.any(Number) };
const byAdmin = { ...asked, adminUserID };
const getToken = { ...asked, operation: "getAdminToken" };
const wrongSecret = (more = "") => ({
  path: "/auth/get_admin_token",
  body: `{"secret":"wrong","userID":"${adminUserID}"${more}}`,
});
const typo = membersBody.replace("{", '{"keywrod":"a",');
const twoTypos = '{"groupId":"g1","pagination":{"pageNumber":1,"showNumbr":1}}';
const long = "o".repeat(257);

describe("onCall is told of a request once", () => {
  it.each<[string, Sent, object]>([
    ["a success", {}, { ...byAdmin, errCode: 0 }],
    ["a missing record", { body: membersBody.replace("g1", "g404") }, { ...byAdmin, errCode: 1004 }],
    ["bad input", { body: "{}" }, { ...byAdmin, errCode: 1001 }],
    ["a typo", { body: typo }, { ...byAdmin, errCode: 0, ignored: ["keywrod"] }],
    [
      "a typo in the name of a required field",
      { body: twoTypos },
      { ...byAdmin, errCode: 1001, ignored: ["groupId", "pagination.showNumbr"] },
    ],
    ["an unknown field beside a secret", wrongSecret(',"x":1'), { ...getToken, errCode: 1002, ignored: ["x"] }],
    ["malformed JSON", { body: "{" }, { ...byAdmin, errCode: 1001 }],
    ["an expired token", { headers: { token: tokens.expired } }, { ...asked, errCode: 1501 }],
    [
      "a token with times in milliseconds",
      { headers: { token: tokens.inMilliseconds } },
      {
        ...asked,
        errCode: 1503,
        reason: "exp lies beyond the year 5000, as a time in milliseconds does: give it in seconds",
      },
    ],
    ["a token of anybody", { headers: { token: tokens.ofAnybody } }, { ...asked, errCode: 1002 }],
    ["a missing token", { headers: { token: "" } }, { ...asked, errCode: 1001 }],
    ["a missing operationID", { headers: { operationID: "" } }, { ...asked, operationID: "", errCode: 1001 }],
    ["a body over the limit", { body: "x".repeat(1001) }, { ...byAdmin, errCode: 1001 }],
    ["a long operationID", { headers: { operationID: long } }, { ...asked, operationID: long.slice(1), errCode: 1001 }],
    ["a wrong secret", wrongSecret(), { ...getToken, errCode: 1002 }],
  ])("%s", async (_name, sent, report) => {
    const { calls, errors, observer } = recorder();
    const { send } = await opened(observer);
    await send(sent);
    expect(calls).toStrictEqual([report]);
    expect(errors).toStrictEqual([]);
  });

  it("and not of what reaches no operation", async () => {
    const { calls, observer } = recorder();
    const { send } = await opened(observer);
    await send({ path: "/nowhere" });
    await send({ method: "PUT" });
    expect(calls).toStrictEqual([]);
  });

  it("with the time that it took in milliseconds", async () => {
    const { calls, observer } = recorder();
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const isRevoked = () => {
      vi.advanceTimersByTime(50);
      return false;
    };
    const { send } = await opened(observer, { isRevoked });
    await send();
    expect(calls).toMatchObject([{ durationMs: 50 }]);
  });
});

it("onError is told why a revocation hook fails, with the operationID", async () => {
  const { calls, errors, observer } = recorder();
  const error = new Error("the list of revoked tokens cannot be read");
  const { send } = await opened(observer, { isRevoked: () => Promise.reject(error) });
  expect(await send({ headers: { operationID: "op-9" } })).toBe(texts.internalError);
  expect(errors).toStrictEqual([{ operation: "getGroupMemberList", operationID: "op-9", error }]);
  expect(calls).toStrictEqual([{ ...asked, operationID: "op-9", errCode: 500 }]);
});

it("onConversationsSet is told the users whose rows really changed", async () => {
  const { sets, observer } = recorder();
  const { send } = await opened(observer);
  const set = (userIDs: string[], fields: object) => {
    const conversation = { conversationID: "sg_g1", conversationType: 3, groupID: "g1", ...fields };
    return send({ path: paths.conversations, body: JSON.stringify({ userIDs, conversation }) });
  };
  await set(["u1"], { isPinned: true, ex: null });
  await set(["u1"], { isPinned: true });
  await set(["u2", "u1", "u2"], { isPinned: true });
  await set(["u1", "u404"], { isPinned: false });
  await set(["u1"], {});
  const about = { conversationID: "sg_g1", conversationType: 3, userID: "", groupID: "g1" };
  const report = { operationID: "op-1", adminUserID, ...about, fields: { isPinned: true } };
  expect(sets).toStrictEqual([
    { ...report, userIDs: ["u1"] },
    { ...report, userIDs: ["u2"] },
  ]);
});

function fail(): never {
  throw new Error("observer");
}

it.each<[string, () => unknown]>([
  ["throws", fail],
  ["rejects", () => Promise.reject(new Error("observer"))],
  ["never settles", () => new Promise(() => {})],
])("an observer that %s changes nothing", async (_name, callback) => {
  const observer = { onCall: callback, onError: callback, onConversationsSet: callback };
  const { send } = await opened(observer, { isRevoked: (token) => token === tokens.revoked && fail() });
  expect(await send()).toBe(membersText);
  expect(await send({ headers: { token: tokens.revoked } })).toBe(texts.internalError);
  const body = '{"userIDs":["u1"],"conversation":{"conversationID":"c","conversationType":3,"groupID":"g1","ex":"x"}}';
  expect(await send({ path: paths.conversations, body })).toBe(texts.done);
});

it("may be a function of the request, so that each tenant has its own", async () => {
  const tenants = new Map(["one", "two"].map((name) => [name, recorder()]));
  const { send } = await opened(({ header }) => tenants.get(header("tenant") ?? "")?.observer as Observer);
  expect(await send({ headers: { tenant: "one" } })).toBe(membersText);
  expect(await send({ headers: { tenant: "two" }, body: "{}" })).toContain('"errCode":1001');
  // Nobody's observer is no reason to refuse a request.
  expect(await send({ headers: { tenant: "constructor" } })).toBe(membersText);
  const codes = [...tenants.values()].map(({ calls }) => calls.map(({ errCode }) => errCode));
  expect(codes).toEqual([[0], [1001]]);
});

it("is no more than the store is told: which call, and who asks", async () => {
  const { store, send } = await opened({});
  const list = vi.spyOn(store, "listGroupMembers");
  expect(await send()).toBe(membersText);
  expect(list.mock.calls).toMatchObject([[{}, { operationID: "op-1", adminUserID }]]);
});

it("neither a token nor a secret is ever logged or reported", async () => {
  const written: unknown[] = [];
  const record = (chunk: unknown) => written.push(String(chunk)) > 0;
  for (const stream of [process.stdout, process.stderr]) {
    const spy = vi.spyOn(stream, "write").mockImplementation(record);
    onTestFinished(() => spy.mockRestore());
  }
  for (const method of ["log", "info", "warn", "error", "debug"] as const) {
    const spy = vi.spyOn(console, method).mockImplementation((...all) => void written.push(...all));
    onTestFinished(() => spy.mockRestore());
  }
  const { calls, errors, sets, observer } = recorder();
  const { store, send } = await opened(observer);
  const answers = [];
  for (const token of [...Object.values(tokens), `${tokens.admin}x`, "no-jwt"])
    answers.push(await send({ headers: { token } }));
  for (const body of [`{"secret":"${secret}","userID":"u1"}`, `{"secret":"${secret}`, `{"secret":["${secret}"]}`]) {
    answers.push(await send({ path: "/auth/get_admin_token", body }));
  }
  await store.close();
  answers.push(await send());

  expect(calls).toHaveLength(answers.length);
  const seen = JSON.stringify([written, calls, errors.map(String), sets, answers]);
  for (const hidden of [secret, ...Object.values(tokens), "no-jwt"]) expect(seen).not.toContain(hidden);
});

it("tells what an answer lacks, since it cannot be read", async () => {
  const unreadable = [{ record: "users", key: ["u5"], field: "nickname", reason: "SQLSTATE 22P02" }];
  const store: Store = { ...(await storeOf()), listGroupMembers: async () => ({ total: 0, items: [], unreadable }) };
  const onUnreadable = vi.fn();
  const handler = (observer: Observer) =>
    createFetchHandler({
      store,
      authenticate: jwtAuthenticator({ secrets: [secret], adminUserIDs: [adminUserID] }),
      observer,
    });
  const sent = { body: membersBody, headers: { token: tokens.admin } };
  const answer = await textFrom(handler({ onUnreadable }), sent);
  expect(onUnreadable.mock.calls).toEqual([[{ operation: "getGroupMemberList", operationID: "op-1", unreadable }]]);
  expect(JSON.stringify(answer)).not.toMatch(/unreadable/);
  const printed = vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => printed.mockRestore());
  await textFrom(handler({}), sent);
  expect(JSON.parse(printed.mock.calls[0]?.[0])).toEqual({
    message: "im-admin: fields cannot be read",
    operation: "getGroupMemberList",
    operationID: "op-1",
    unreadable,
  });
});

import type { IncomingMessage } from "node:http";
import { expect, it, vi } from "vitest";
import type { ServeOptions, UpstreamOptions } from "../../../../adapters/node.js";
import { openApiDocument } from "../../../../adapters/openapi/index.js";
import type { Store } from "../../../../src/index.js";
import { passTime, recorder, stopTimers, storeOf, until } from "../../../helpers/http/hosts.js";
import {
  argsError,
  type HttpCase,
  membersBody,
  membersText,
  paths,
  requestOf,
  secret,
  tokens,
} from "../../../helpers/http/request.js";
import { sendToPort } from "../../../helpers/http/send.js";
import { successCases } from "../../../helpers/http/successCases.js";
import { httpUpstream, servedBeside } from "../../../helpers/http/upstreams.js";

const fromUpstream = { status: 418, text: "from the upstream" };
const operation = "getGroupMemberList";
const saysNothing = { message: "the upstream does not say whether a token is an administrator's" };

/**
 * im-admin before an upstream that always answers the same, and a function that sends it requests.
 *
 * @param answerOf what the upstream says of a token
 */
async function beside(options: Partial<ServeOptions> = {}, answerOf = () => '{"errCode":0}') {
  const reached: string[] = [];
  const bodies: string[] = [];
  const asked: string[] = [];
  const url = await httpUpstream(
    async (request: IncomingMessage, response) => {
      reached.push(`${request.method} ${request.url}`);
      bodies.push(Buffer.concat(await request.toArray()).toString());
      response.writeHead(418, { "x-upstream": "yes", "content-type": "text/odd" }).end("from the upstream");
    },
    (token) => {
      asked.push(token);
      return answerOf();
    },
  );
  const { calls, errors, observer } = recorder();
  const { port } = await servedBeside(url, { observer, ...options });
  const send = (request: HttpCase["request"] = {}) => sendToPort(port)(requestOf({ request }));
  return { send, reached, bodies, asked, url, calls, errors };
}

it("answers an administrator's lists itself, with pages of any origin reading them, as with the upstream", async () => {
  const { send, reached } = await beside();
  for (const { request, text } of Object.values(successCases)) {
    if (request.path === paths.conversations) continue;
    for (const path of [request.path, `${request.path ?? paths.members}/?page=1`]) {
      const answer = await send({ ...request, ...(path !== undefined && { path }) });
      expect(answer).toMatchObject({ status: 200, text });
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    }
  }
  expect(reached).toStrictEqual([]);
});

it("refuses itself a page of too many bytes, which the upstream would read", async () => {
  const groupMembers = ["u1", "u2"].map((userID) => ({ groupID: "g", userID }));
  const store = await storeOf({ groups: [{ groupID: "g" }], groupMembers });
  const { send, reached } = await beside({ store, limits: { pageBytes: 300 } });
  const body = JSON.stringify({ groupID: "g", pagination: { pageNumber: 1, showNumber: 100 } });
  const { text } = await send({ body });
  expect(text).toBe(
    '{"errCode":1001,"errMsg":"ArgsError","errDlt":"1001 ArgsError: pagination.showNumber must be at most 1: more have over 300 bytes"}',
  );
  expect(reached).toStrictEqual([]);
});

const token = (value: string | null) => ({ headers: { token: value } });

it.each<[string, HttpCase["request"], path?: string, body?: string]>([
  ["a user's token", token(tokens.ofAnybody)],
  ["an expired token", token(tokens.expired)],
  ["what is no token", token("?")],
  ["no operationID", { headers: { operationID: null } }],
  ["a query, slashes and encoded letters", { ...token("?"), path: "/group/get%5fgroup_member_list//?a=1" }],
  ["get_admin_token", { path: "/auth/get_admin_token", headers: { token: null } }, "/auth/get_admin_token"],
  ["set_conversations", { path: paths.conversations }, paths.conversations],
  // Nothing of a body is read without a token.
  ["a list without a token", token(null), paths.members, ""],
])("asks the upstream once, without a question, for %s", async (_title, request, path, body) => {
  const { send, reached, bodies, asked, errors } = await beside();
  const answer = await send(request);
  expect(answer).toMatchObject(fromUpstream);
  expect(answer.headers.get("content-type")).toBe("text/odd");
  expect(answer.headers.get("x-upstream")).toBeNull();
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  expect(reached).toStrictEqual([`POST ${path ?? paths.members}`]);
  expect(bodies).toStrictEqual([body ?? membersBody]);
  expect([asked, errors]).toStrictEqual([[], []]);
});

it.each<[string, HttpCase["request"], status: number]>([
  ["a preflight", { method: "OPTIONS", headers: { origin: "https://x.example" } }, 204],
  ["another method", { method: "GET" }, 405],
  ["another path", { path: "/user/get_users" }, 404],
  ["another method of /healthz", { path: "/healthz" }, 404],
  ["a path below /console", { method: "GET", path: "/console" }, 404],
  ["a path that cannot be decoded", { path: "/%ff" }, 404],
  ["a target that is no path", { method: "OPTIONS", path: "*" }, 204],
])("answers %s itself", async (_title, request, status) => {
  const { send, reached, asked, url } = await beside();
  const answer = await send(request);
  expect(answer.status).toBe(status);
  if (status === 404) {
    expect(answer.text).toBe(argsError(`path must be that of an operation: call OpenIM for others, at ${url}`));
  }
  expect([reached, asked]).toStrictEqual([[], []]);
});

it.each<[string, string, number]>([
  ["no JSON", "no JSON", 1001],
  ["more items than im-admin gives", membersBody.replace("10", "2000"), 1001],
  ["a group that im-admin does not know", membersBody.replace("g1", "g404"), 1004],
  ["names of fields in other case", membersBody.replace("groupID", "GroupID"), 1001],
  ["an optional field in other case, which im-admin would ignore", membersBody.replace("{", '{"KeyWord":"x",'), 0],
  ["the longest body", membersBody + " ".repeat(1_048_576 - membersBody.length), 0],
])("asks the upstream for a list with %s where that is no answer of errCode 0", async (_title, body, errCode) => {
  const { send, reached, bodies, calls, errors } = await beside();
  const isOurs = body.endsWith(" ");
  expect(await send({ body })).toMatchObject(isOurs ? { status: 200, text: membersText } : fromUpstream);
  expect(reached).toStrictEqual(isOurs ? [] : [`POST ${paths.members}`]);
  expect(bodies).toStrictEqual(isOurs ? [] : [body]);
  expect(calls).toMatchObject([{ operation, operationID: "op-1", errCode }]);
  expect(errors).toStrictEqual([]);
});

const tooLong = (bytes: number) => ({ status: 413, text: argsError(`body must have at most ${bytes} bytes`) });

it.each<[string, HttpCase["request"], bytes: number]>([
  ["an administrator's list", {}, 1_048_576],
  ["a user's list", token(tokens.ofAnybody), 524_288],
  ["an administrator's setting", { path: paths.conversations }, 1_048_576],
  ["a question for a token", { path: "/auth/get_admin_token" }, 524_288],
])("refuses %s with a body over the limit, and relays one that is as long", async (_title, request, bytes) => {
  const { send, reached, bodies } = await beside();
  const body = "x".repeat(bytes);
  expect(await send({ ...request, body: `${body}x` })).toMatchObject(tooLong(bytes));
  expect(await send({ ...request, body: [`${body}x`] })).toMatchObject(tooLong(bytes));
  expect(reached).toStrictEqual([]);
  expect(await send({ ...request, body })).toMatchObject(fromUpstream);
  expect(await send({ ...request, body: ["x", body.slice(1)] })).toMatchObject(fromUpstream);
  expect(bodies.map(({ length }) => length)).toStrictEqual([bytes, bytes]);
});

const broken = new Error("no such table");
const never = vi.fn(() => new Promise<never>(() => {}));
const storeThat = async (listGroupMembers: Store["listGroupMembers"]) => ({
  store: Object.assign(await storeOf(), { listGroupMembers }),
});

it.each<[string, () => Promise<Partial<ServeOptions>>, codes: number[], message: string]>([
  ["the store fails", () => storeThat(() => Promise.reject(broken)), [500], "no such table"],
  [
    "the store does not answer in time",
    () => storeThat(never),
    [500],
    "the call was given up after the 10000 ms that callTimeoutMs allows",
  ],
  ["nobody can tell who sends it", async () => ({ authenticate: () => Promise.reject(broken) }), [], "no such table"],
  [
    "nobody tells in time who sends it",
    async () => ({ authenticate: never }),
    [],
    "authenticate took longer than 10000 ms",
  ],
])("lets the upstream answer a list where %s, and tells the observer", async (_title, options, codes, message) => {
  const { send, bodies, calls, errors } = await beside(await options());
  never.mockClear();
  stopTimers();
  const sent = send();
  if (message.includes("10000")) {
    await until(() => never.mock.calls.length > 0);
    await passTime(10_000);
  }
  expect(await sent).toMatchObject(fromUpstream);
  expect(bodies).toStrictEqual([membersBody]);
  expect(calls.map(({ errCode }) => errCode)).toStrictEqual(codes);
  expect(errors).toStrictEqual([{ operation, operationID: "op-1", error: new Error(message) }]);
});

it("asks the upstream once in 30 seconds whether a token is an administrator's", async () => {
  let errCode = 0;
  const { send, asked } = await beside({}, () => `{"errCode":${errCode}}`);
  let now = Math.ceil(performance.now());
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
  try {
    expect((await send()).text).toBe(membersText);
    errCode = 1507;
    now += 29_999;
    expect((await send()).text).toBe(membersText);
    expect(asked).toStrictEqual([tokens.admin]);
    now += 1;
    expect(await send()).toMatchObject(fromUpstream);
    errCode = 0;
    expect(await send()).toMatchObject(fromUpstream);
    expect(asked).toStrictEqual([tokens.admin, tokens.admin]);
    now += 30_000;
    expect((await send()).text).toBe(membersText);
  } finally {
    clock.mockRestore();
  }
});

it.each([1002, 1501, 1505, 1506, 1507])("relays a list where the upstream refuses the token by %i", async (errCode) => {
  const { send, asked, errors } = await beside({}, () => `{"errCode":${errCode}}`);
  for (const _time of [1, 2]) expect(await send()).toMatchObject(fromUpstream);
  expect(asked).toStrictEqual([tokens.admin]);
  expect(errors).toStrictEqual([]);
});

it.each(["<html>", '{"errCode":500}', "null", `{"errCode":0,"errDlt":"${"x".repeat(65_536)}"}`])(
  "relays a list, and asks again, where the upstream says of the token %.20j",
  async (said) => {
    const { send, asked, errors } = await beside({}, () => said);
    for (const _time of [1, 2]) expect(await send()).toMatchObject(fromUpstream);
    expect(asked).toStrictEqual([tokens.admin, tokens.admin]);
    expect(errors).toMatchObject(Array(2).fill({ operationID: "op-1", error: saysNothing }));
    expect(JSON.stringify(errors)).not.toContain(tokens.admin);
  },
);

it("keeps /healthz and /openapi.json, which describes the seven paths", async () => {
  const { send, reached } = await beside();
  expect(await send({ method: "GET", path: "/healthz" })).toMatchObject({ status: 200, text: '{"status":"ok"}' });
  const document = { path: "/openapi.json" };
  const { text } = await send({ ...document, method: "GET" });
  expect(JSON.parse(text)).toEqual(
    openApiDocument({
      upstream: true,
      adminToken: true,
      servers: [{ url: ".", description: "Where this document comes from." }],
    }),
  );
  expect(Object.keys(JSON.parse(text).paths).sort()).toStrictEqual(
    [...Object.values(paths), "/auth/get_admin_token"].sort(),
  );
  expect(await send({ ...document, method: "HEAD" })).toMatchObject({ status: 200, text: "" });
  expect(reached).toStrictEqual([]);
  const without = await beside({ openApi: false });
  expect(await without.send({ ...document, method: "GET" })).toMatchObject({ status: 404 });
});

it("answers only the origins that it was given", async () => {
  const { send } = await beside({ cors: ["https://a.example"] });
  for (const token of [tokens.admin, "?"]) {
    const allowed = async (origin: string) =>
      (await send({ headers: { token, origin } })).headers.get("access-control-allow-origin");
    expect(await allowed("https://a.example")).toBe("https://a.example");
    expect(await allowed("https://b.example")).toBeNull();
  }
});

it("stands below a base path, and asks for the upstream's own path below the path of its address", async () => {
  const reached: (string | undefined)[] = [];
  const url = await httpUpstream((request, response) => {
    reached.push(request.url);
    response.end(request.url?.endsWith("account_check") ? '{"errCode":0}' : "{}");
  });
  const { port } = await servedBeside(`${url}/api/`, { basePath: "/admin" });
  const send = (path: string, body?: string) =>
    sendToPort(port)(requestOf({ request: { path: `/admin${path}`, ...(body && { body }) } }));
  expect((await send(paths.members)).text).toBe(membersText);
  expect((await send(paths.members, "no JSON")).text).toBe("{}");
  expect((await send(paths.conversations)).text).toBe("{}");
  expect(reached).toStrictEqual(["/api/user/account_check", `/api${paths.members}`, `/api${paths.conversations}`]);
});

const noServer =
  'upstream.url must be the URL of a server, such as "http://openim:10002", without a query or a password';
const url = "http://openim";

it.each<[unknown, string, Partial<ServeOptions>?]>([
  ["http://openim:10002", 'upstream must be an object such as { url: "http://openim:10002" }'],
  [{ url: "openim:10002" }, noServer],
  [{ url: "http://openim?x" }, noServer],
  [{ url: "http://openim#x" }, noServer],
  [{ url: "http://name:password@openim" }, noServer],
  [{ url: "ftp://openim" }, noServer],
  [{ url: "" }, noServer],
  [{}, noServer],
  [{ url, timeoutMs: 0 }, "upstream.timeoutMs must be an integer from 1 to 2147483647"],
  [{ url, fetch: "x" }, "upstream.fetch must be a function"],
  [{ url, timeout: 1 }, 'upstream does not know "timeout"; it takes url, fetch, timeoutMs, relay'],
  [
    { url },
    "adminToken must be left out beside an upstream, which accepts only tokens that it gave out itself",
    { adminToken: { secret, adminUserIDs: ["imAdmin"] } },
  ],
])("refuses the upstream %j", async (upstream, message, options) => {
  const given = { upstream: upstream as UpstreamOptions, ...options };
  await expect(servedBeside(url, given)).rejects.toThrow(new TypeError(message));
});

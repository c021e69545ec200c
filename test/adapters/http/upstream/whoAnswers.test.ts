import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { expect, it, vi } from "vitest";
import type { ServeOptions } from "../../../../adapters/node.js";
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
  texts,
  tokens,
} from "../../../helpers/http/request.js";
import { sendToPort } from "../../../helpers/http/send.js";
import { close, exchange, openSocket, receive, requestBytes } from "../../../helpers/http/sockets.js";
import { successCases } from "../../../helpers/http/successCases.js";
import {
  besideBytes,
  hostBeside,
  httpUpstream,
  ok,
  rawUpstream,
  servedBeside,
} from "../../../helpers/http/upstreams.js";

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
  const upstream = await httpUpstream(
    async (request: IncomingMessage, response) => {
      reached.push(`${request.method} ${request.url}`);
      bodies.push(Buffer.concat(await request.toArray()).toString());
      response.writeHead(418, { "x-upstream": "yes" }).end("from the upstream");
    },
    (token) => {
      asked.push(token);
      return answerOf();
    },
  );
  const { calls, errors, observer } = recorder();
  const { port } = await servedBeside(upstream, { observer, ...options });
  const send = (request: HttpCase["request"] = {}) => sendToPort(port)(requestOf({ request }));
  return { send, reached, bodies, asked, upstream, calls, errors };
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

const token = (value: string | null) => ({ headers: { token: value } });

it.each<[string, HttpCase["request"]]>([
  ["a user's token", token(tokens.ofAnybody)],
  ["an expired token", token(tokens.expired)],
  ["what is no token", token("?")],
  ["no token", token(null)],
  ["no operationID", { headers: { operationID: null } }],
  ["a preflight", { method: "OPTIONS", headers: { origin: "https://x.example" } }],
  ["another method", { method: "GET" }],
  ["another path", { path: "/user/get_users" }],
  ["get_admin_token", { path: "/auth/get_admin_token" }],
  ["set_conversations", { path: paths.conversations }],
  ["another method of /healthz", { path: "/healthz" }],
  ["a path below /console", { method: "GET", path: "/console" }],
  ["a target that is no path", { method: "OPTIONS", path: "*" }],
])("passes on %s, and asks the upstream nothing", async (_title, request) => {
  const { send, reached, asked, errors } = await beside();
  const answer = await send(request);
  expect(answer).toMatchObject(fromUpstream);
  expect(answer.headers.get("x-upstream")).toBe("yes");
  expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  expect(reached).toStrictEqual([`${request.method ?? "POST"} ${request.path ?? paths.members}`]);
  expect([asked, errors]).toStrictEqual([[], []]);
});

it.each<[string, string, number]>([
  ["no JSON", "no JSON", 1001],
  ["more items than im-admin gives", membersBody.replace("10", "2000"), 1001],
  ["a group that im-admin does not know", membersBody.replace("g1", "g404"), 1004],
  ["names of fields in other case", membersBody.replace("groupID", "GroupID"), 1001],
  ["an optional field in other case, which im-admin would ignore", membersBody.replace("{", '{"KeyWord":"x",'), 0],
  ["a body that is longer than im-admin reads", membersBody + " ".repeat(3_000_000), 1001],
])("gives the upstream a list with %s, and tells the observer", async (_title, body, errCode) => {
  const { send, reached, bodies, calls, errors } = await beside();
  expect(await send({ body })).toMatchObject(fromUpstream);
  expect(reached).toStrictEqual([`POST ${paths.members}`]);
  expect(bodies).toStrictEqual([body]);
  expect(calls).toMatchObject([{ operation, operationID: "op-1", errCode }]);
  expect(errors).toStrictEqual([]);
});

const administrator = ["operationID: op-1", `token: ${tokens.admin}`];
const chunked = "Transfer-Encoding: chunked";

it("keeps a body of many chunks as one, since each would take memory of its own", async () => {
  const { exchange, received } = await besideBytes((text, socket) => text.endsWith("0\r\n\r\n") && socket.write(ok));
  const chunks = "1\r\n?\r\n".repeat(40);
  await exchange(`${requestBytes(`POST ${paths.members}`, [close, ...administrator, chunked])}${chunks}0\r\n\r\n`);
  expect(received.at(-1)).toMatch(/\r\n\r\n28\r\n\?{40}\r\n0\r\n\r\n$/);
});

it("waits for more than a minute for an answer to a long body that it has kept", async () => {
  const { port, received, connections } = await besideBytes();
  stopTimers();
  const socket = await openSocket(port);
  const answer = receive(socket);
  socket.write(requestBytes(`POST ${paths.members}`, [close, ...administrator], `${"x".repeat(100_000)}.`));
  await until(() => received.at(-1)?.endsWith("x.") ?? false);
  await passTime(60_000);
  connections.at(-1)?.write(ok);
  expect((await answer).endsWith("\r\n\r\nok")).toBe(true);
});

it("takes a switch to another protocol for no answer about a token", async () => {
  const { errors, observer } = recorder();
  const upstream = await rawUpstream(ok, (socket) =>
    socket.write("HTTP/1.1 101 x\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"),
  );
  const { port } = await servedBeside(upstream.url, { observer, callTimeoutMs: false });
  const answer = await exchange(port, requestBytes(`POST ${paths.members}`, [close, ...administrator], "{}"));
  expect(answer.endsWith("\r\n\r\nok")).toBe(true);
  expect(errors).toMatchObject([{ error: saysNothing }]);
});

it("gives the upstream a body as it came: in chunks, with what follows them", async () => {
  const { port, received } = await besideBytes((text, socket) => text.endsWith("sum\r\n\r\n") && socket.end(ok));
  const head = [...administrator, chunked];
  const body = "4\r\n{}{}\r\n0\r\nX-Sum: sum\r\n\r\n";
  const socket = await openSocket(port);
  const interim = once(socket, "data");
  socket.write(requestBytes(`POST ${paths.members}`, [close, "Expect: 100-continue", ...head]));
  expect(String(await interim)).toBe("HTTP/1.1 100 Continue\r\n\r\n");
  const answer = receive(socket);
  socket.write(body);
  expect((await answer).endsWith("\r\n\r\nok")).toBe(true);
  const passed = [...head, "X-Forwarded-For: 127.0.0.1", "Connection: keep-alive"];
  expect(received.at(-1)?.endsWith(requestBytes(`POST ${paths.members}`, passed) + body)).toBe(true);
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
  stopTimers();
  expect((await Promise.all([send(), send()])).map(({ text }) => text)).toStrictEqual([membersText, membersText]);
  errCode = 1507;
  expect((await send()).text).toBe(membersText);
  expect(asked).toStrictEqual([tokens.admin]);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await send()).toMatchObject(fromUpstream);
  errCode = 0;
  expect(await send()).toMatchObject(fromUpstream);
  expect(asked).toStrictEqual([tokens.admin, tokens.admin]);
  await vi.advanceTimersByTimeAsync(30_000);
  expect((await send()).text).toBe(membersText);
});

it.each([1002, 1501, 1505, 1506, 1507])(
  "passes on a list where the upstream refuses the token by %i",
  async (errCode) => {
    const { send, asked, errors } = await beside({}, () => `{"errCode":${errCode}}`);
    for (const _time of [1, 2]) expect(await send()).toMatchObject(fromUpstream);
    expect(asked).toStrictEqual([tokens.admin]);
    expect(errors).toStrictEqual([]);
  },
);

it.each(["<html>", '{"errCode":500}', "null", `{"errCode":0,"errDlt":"${"x".repeat(65_536)}"}`])(
  "passes on a list, and asks again, where the upstream says of the token %.20j",
  async (said) => {
    const { send, asked, errors } = await beside({}, () => said);
    for (const _time of [1, 2]) expect(await send()).toMatchObject(fromUpstream);
    expect(asked).toStrictEqual([tokens.admin, tokens.admin]);
    expect(errors).toMatchObject(Array(2).fill({ operationID: "op-1", error: saysNothing }));
    expect(JSON.stringify(errors)).not.toContain(tokens.admin);
  },
);

it("keeps /healthz and /openapi.json, and gives /openapi.json away where that is turned off", async () => {
  const { send, reached } = await beside();
  expect(await send({ method: "GET", path: "/healthz" })).toMatchObject({ status: 200, text: '{"status":"ok"}' });
  const document = { path: "/openapi.json" };
  const { text } = await send({ ...document, method: "GET" });
  expect(JSON.parse(text)).toEqual(openApiDocument({ upstream: true }));
  expect(await send({ ...document, method: "HEAD" })).toMatchObject({ status: 200, text: "" });
  expect(reached).toStrictEqual([]);
  const without = await beside({ openApi: false });
  expect(await without.send({ ...document, method: "GET" })).toMatchObject(fromUpstream);
});

it("answers only the origins that it was given", async () => {
  const { send } = await beside({ cors: ["https://a.example"] });
  const allowed = async (origin: string) =>
    (await send({ headers: { origin } })).headers.get("access-control-allow-origin");
  expect(await allowed("https://a.example")).toBe("https://a.example");
  expect(await allowed("https://b.example")).toBeNull();
});

it("refuses a WebSocket, and takes other upgrades for the requests that they are", async () => {
  const { send, reached } = await beside();
  const upgrade = { connection: "Upgrade", upgrade: "websocket" };
  expect(await send({ method: "GET", path: "/ws", headers: upgrade })).toMatchObject({
    status: 501,
    text: argsError("a WebSocket is not passed on: connect to the message gateway at its own port"),
  });
  expect(reached).toStrictEqual([]);
  const http2 = { connection: "Upgrade, HTTP2-Settings", upgrade: "h2c", "http2-settings": "AA" };
  expect(await send({ method: "GET", path: "/x", headers: http2 })).toMatchObject(fromUpstream);
  expect((await send({ headers: http2 })).text).toBe(membersText);
});

it("does the same as a listener of a host, and refuses a body that the host has read", async () => {
  const { upstream } = await beside();
  const { port, errors } = await hostBeside(upstream, async (listener, request, response) => {
    if (request.url === "/read") await request.toArray();
    listener(request, response);
  });
  const send = (path: string) => sendToPort(port)(requestOf({ request: { path } }));
  expect((await send(paths.members)).text).toBe(membersText);
  expect(await send("/x")).toMatchObject(fromUpstream);
  expect(await send("/read")).toMatchObject({ status: 500, text: texts.internalError });
  const message = "the request's body was read before im-admin could read it: mount im-admin before what reads bodies";
  expect(errors).toMatchObject([{ operation: "upstream", error: { message } }]);
});

const noServer = 'upstream must be the URL of a server, such as "http://openim:10002", without a path or a password';
const url = "http://openim";

it.each<[NonNullable<ServeOptions["upstream"]>, string, Partial<ServeOptions>?]>([
  ["openim:10002", noServer],
  ["http://openim:10002/api", noServer],
  ["http://openim?x", noServer],
  ["http://name:password@openim", noServer],
  ["ftp://openim", noServer],
  ["", noServer],
  [{ url, timeoutMs: 0 }, "upstream.timeoutMs must be an integer from 1 to 2147483647"],
  [{ url, timeout: 1 } as never, 'upstream does not know "timeout"; it takes url, timeoutMs'],
  [
    url,
    "adminToken must be left out beside an upstream, which accepts only tokens that it gave out itself",
    { adminToken: { secret, adminUserIDs: ["imAdmin"] } },
  ],
])("refuses the upstream %j", async (upstream, message, options) => {
  await expect(servedBeside(upstream, options)).rejects.toThrow(new TypeError(message));
});

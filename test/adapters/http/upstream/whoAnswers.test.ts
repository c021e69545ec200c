import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { expect, it, vi } from "vitest";
import type { ServeOptions } from "../../../../adapters/node.js";
import { createNodeListener } from "../../../../adapters/node.js";
import { openApiDocument } from "../../../../adapters/openapi/index.js";
import type { Store } from "../../../../src/index.js";
import { sendOverHttp } from "../../../helpers/http/adapters.js";
import { anybody, listening, passTime, recorder, stopTimers, storeOf, until } from "../../../helpers/http/hosts.js";
import {
  argsError,
  type HttpRequest,
  membersBody,
  membersText,
  paths,
  secret,
  tokens,
} from "../../../helpers/http/request.js";
import { exchange, openSocket, receive } from "../../../helpers/http/sockets.js";
import { httpUpstream, rawUpstream, servedBeside } from "../../../helpers/http/upstreams.js";

const fromUpstream = { status: 418, text: "from the upstream" };

/** im-admin before an upstream that always answers the same, and a function that sends it requests. */
async function beside(options: Partial<ServeOptions> = {}, answerOf?: (token: string) => string) {
  const reached: string[] = [];
  const bodies: Buffer[] = [];
  const asked: string[] = [];
  const upstream = await httpUpstream(
    async (request: IncomingMessage, response) => {
      reached.push(`${request.method} ${request.url}`);
      bodies.push(Buffer.concat(await request.toArray()));
      response.writeHead(418, { "x-upstream": "yes" }).end("from the upstream");
    },
    (token) => {
      asked.push(token);
      return answerOf?.(token) ?? '{"errCode":0}';
    },
  );
  const { port } = await servedBeside(upstream, options);
  const send = (request: Partial<HttpRequest> = {}) =>
    sendOverHttp(port, {
      method: "POST",
      path: paths.members,
      ...((request.method ?? "POST") === "POST" && { body: membersBody }),
      ...request,
      headers: { operationID: "op-1", token: tokens.admin, ...request.headers },
    });
  return { send, port, reached, bodies, asked, upstream };
}

const pagination = '"pagination":{"pageNumber":1,"showNumber":10}';

it.each([
  [paths.members, membersBody, membersText],
  [`${paths.members}/?page=1`, membersBody, membersText],
  [
    paths.blacks,
    `{"userID":"u2",${pagination}}`,
    '{"errCode":0,"errMsg":"","errDlt":"","data":{"blacks":[],"total":0}}',
  ],
  [
    paths.joined,
    `{"fromUserID":"u2",${pagination}}`,
    '{"errCode":0,"errMsg":"","errDlt":"","data":{"total":0,"groups":[]}}',
  ],
  [
    paths.requests,
    `{"fromUserID":"u2",${pagination}}`,
    '{"errCode":0,"errMsg":"","errDlt":"","data":{"total":0,"groupRequests":[]}}',
  ],
  [
    paths.accounts,
    `{${pagination}}`,
    '{"errCode":0,"errMsg":"","errDlt":"","data":{"total":1,"notificationAccounts":[{"userID":"n1","faceURL":"news.png","nickName":"News"}]}}',
  ],
])("answers an administrator's list itself: %s", async (path, body, text) => {
  const { send, reached } = await beside();
  const answer = await send({ path, body });
  expect(answer).toMatchObject({ status: 200, text });
  // As pages that call the upstream expect.
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  expect(reached).toStrictEqual([]);
});

it.each<[string, Partial<HttpRequest>]>([
  ["a user's token", { headers: { token: tokens.ofAnybody } }],
  ["an expired token", { headers: { token: tokens.expired } }],
  ["what is no token", { headers: { token: "?" } }],
  ["no token", { headers: { token: "" } }],
  ["a preflight", { method: "OPTIONS", headers: { origin: "https://x.example" } }],
  ["another method", { method: "GET" }],
  ["another path", { path: "/user/get_users" }],
  ["get_admin_token", { path: "/auth/get_admin_token" }],
  ["set_conversations", { path: paths.conversations }],
  ["another method of /healthz", { method: "POST", path: "/healthz" }],
  ["a path below /console", { method: "GET", path: "/console" }],
  ["a target that is no path", { method: "OPTIONS", path: "*" }],
])("passes on %s", async (_title, request) => {
  const { send, reached } = await beside();
  const answer = await send(request);
  expect(answer).toMatchObject(fromUpstream);
  expect(answer.headers.get("x-upstream")).toBe("yes");
  expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  expect(reached).toStrictEqual([`${request.method ?? "POST"} ${request.path ?? paths.members}`]);
});

it.each<[string, string, number]>([
  ["no JSON", "no JSON", 1001],
  ["more items than im-admin gives", membersBody.replace("10", "2000"), 1001],
  ["a group that im-admin does not know", membersBody.replace("g1", "g404"), 1004],
  ["names of fields in other case", membersBody.replace("groupID", "GroupID"), 1001],
  ["an optional field in other case, which im-admin would ignore", membersBody.replace("{", '{"KeyWord":"x",'), 0],
  ["a body that is longer than im-admin reads", membersBody + " ".repeat(3_000_000), 1001],
])("gives the upstream a list with %s, and tells the observer", async (_title, body, errCode) => {
  const { calls, errors, observer } = recorder();
  const { send, reached, bodies } = await beside({ observer });
  expect(await send({ body })).toMatchObject(fromUpstream);
  expect(reached).toStrictEqual([`POST ${paths.members}`]);
  expect(bodies.map(String)).toStrictEqual([body]);
  expect(calls).toMatchObject([{ operation: "getGroupMemberList", operationID: "op-1", errCode }]);
  expect(errors).toStrictEqual([]);
});

/** An upstream of bytes that takes the token for an administrator's. */
function knowing(answer: (received: string, socket: Socket) => void) {
  return rawUpstream((received, socket) => {
    if (!received.endsWith('{"checkUserIDs":["imAdmin"]}')) return answer(received, socket);
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n{"errCode":0}');
  });
}

const listHead = `POST ${paths.members} HTTP/1.1\r\nHost: x\r\nConnection: close\r\noperationID: op-1\r\ntoken: ${tokens.admin}\r\n`;
const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

it("keeps a body of many chunks as one, since each would take memory of its own", async () => {
  const upstream = await knowing((received, socket) => received.endsWith("0\r\n\r\n") && socket.write(ok));
  const { port } = await servedBeside(upstream.url);
  const chunks = "1\r\n?\r\n".repeat(40);
  await exchange(port, `${listHead}Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`);
  expect(upstream.received.at(-1)).toMatch(/\r\n\r\n28\r\n\?{40}\r\n0\r\n\r\n$/);
});

it("waits for more than a minute for an answer to a long body that it has kept", async () => {
  const upstream = await knowing(() => {});
  const { port } = await servedBeside(upstream.url);
  const body = `${"x".repeat(100_000)}.`;
  stopTimers();
  const socket = await openSocket(port);
  const answer = receive(socket);
  socket.write(`${listHead}Content-Length: ${body.length}\r\n\r\n${body}`);
  await until(() => upstream.received.at(-1)?.endsWith("x.") ?? false);
  await passTime(60_000);
  upstream.connections.at(-1)?.write(ok);
  expect((await answer).endsWith("\r\n\r\nok")).toBe(true);
});

it("takes a switch to another protocol for no answer about a token", async () => {
  const { errors, observer } = recorder();
  const upstream = await rawUpstream((received, socket) => {
    const isAsked = received.includes("account_check");
    socket.write(isAsked ? "HTTP/1.1 101 x\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n" : ok);
  });
  const { port } = await servedBeside(upstream.url, { observer, callTimeoutMs: false });
  const answer = await exchange(port, `${listHead}Content-Length: 2\r\n\r\n{}`);
  expect(answer.endsWith("\r\n\r\nok")).toBe(true);
  const message = "the upstream does not say whether a token is an administrator's";
  expect(errors).toMatchObject([{ error: { message } }]);
});

it("asks the upstream nothing where a request has no operationID, and passes it on", async () => {
  const { errors, observer } = recorder();
  const { send, asked } = await beside({ observer });
  expect(await send({ headers: { operationID: "" } })).toMatchObject(fromUpstream);
  expect(asked).toStrictEqual([]);
  expect(errors).toStrictEqual([]);
});

it("gives the upstream a body as it came: in chunks, with what follows them", async () => {
  const upstream = await rawUpstream((received, socket) => {
    const answer = received.includes("account_check") ? '{"errCode":0}' : "ok";
    if (/\}$|sum\r\n\r\n$/.test(received))
      socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${answer.length}\r\n\r\n${answer}`);
  });
  const { port } = await servedBeside(upstream.url);
  const head = `POST ${paths.members} HTTP/1.1\r\nHost: x\r\noperationID: op-1\r\ntoken: ${tokens.admin}\r\n`;
  const body = "4\r\n{}{}\r\n0\r\nX-Sum: sum\r\n\r\n";
  const sent = `${head}Connection: close\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const socket = await openSocket(port);
  const interim = once(socket, "data");
  socket.write(sent);
  expect(String(await interim)).toBe("HTTP/1.1 100 Continue\r\n\r\n");
  const answer = receive(socket);
  socket.write(body);
  expect((await answer).endsWith("\r\n\r\nok")).toBe(true);
  expect(upstream.received.at(-1)).toBe(
    `${head}Transfer-Encoding: chunked\r\nX-Forwarded-For: 127.0.0.1\r\nConnection: keep-alive\r\n\r\n${body}`,
  );
});

it("lets the upstream answer where the store fails, and tells the observer", async () => {
  const { calls, errors, observer } = recorder();
  const broken = new Error("no such table");
  const store: Store = Object.assign(await storeOf(), { listGroupMembers: () => Promise.reject(broken) });
  const { send, bodies } = await beside({ store, observer });
  expect(await send()).toMatchObject(fromUpstream);
  expect(bodies.map(String)).toStrictEqual([membersBody]);
  expect(calls).toMatchObject([{ operation: "getGroupMemberList", errCode: 500 }]);
  expect(errors).toStrictEqual([{ operation: "getGroupMemberList", operationID: "op-1", error: broken }]);
});

it("lets the upstream answer where the store does not answer in time, and tells the observer", async () => {
  const { calls, errors, observer } = recorder();
  let isCalled = false;
  const listGroupMembers = () => {
    isCalled = true;
    return new Promise<never>(() => {});
  };
  const store: Store = Object.assign(await storeOf(), { listGroupMembers });
  const { send, bodies } = await beside({ store, observer });
  stopTimers();
  const sent = send();
  await until(() => isCalled);
  await passTime(10_000);
  expect(await sent).toMatchObject(fromUpstream);
  expect(bodies.map(String)).toStrictEqual([membersBody]);
  expect(calls).toMatchObject([{ operation: "getGroupMemberList", errCode: 500 }]);
  const message = "the call was given up after the 10000 ms that callTimeoutMs allows";
  expect(errors).toMatchObject([{ operation: "getGroupMemberList", error: { message } }]);
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

it.each([[1002], [1501], [1505], [1506], [1507]])(
  "passes on a list where the upstream refuses the token by %i",
  async (errCode) => {
    const { errors, observer } = recorder();
    const { send, asked } = await beside({ observer }, () => `{"errCode":${errCode}}`);
    expect(await send()).toMatchObject(fromUpstream);
    expect(await send()).toMatchObject(fromUpstream);
    expect(asked).toStrictEqual([tokens.admin]);
    expect(errors).toStrictEqual([]);
  },
);

it.each(["<html>", '{"errCode":500}', "null", `{"errCode":0,"errDlt":"${"x".repeat(65_536)}"}`])(
  "passes on a list, and asks again, where the upstream says of the token %.20j",
  async (said) => {
    const { errors, observer } = recorder();
    const { send, asked } = await beside({ observer }, () => said);
    expect(await send()).toMatchObject(fromUpstream);
    expect(await send()).toMatchObject(fromUpstream);
    expect(asked).toStrictEqual([tokens.admin, tokens.admin]);
    const message = "the upstream does not say whether a token is an administrator's";
    expect(errors).toMatchObject([{ operationID: "op-1", error: { message } }, { error: { message } }]);
    expect(JSON.stringify(errors)).not.toContain(tokens.admin);
  },
);

it.each(["ofAnybody", "expired", "malformed"] as const)(
  "asks the upstream nothing about a token that is %s",
  async (name) => {
    const { send, asked } = await beside();
    expect(await send({ headers: { token: { ...tokens, malformed: "?" }[name] } })).toMatchObject(fromUpstream);
    expect(asked).toStrictEqual([]);
  },
);

it("keeps /healthz and /openapi.json, and gives /openapi.json away where that is turned off", async () => {
  const { send, reached } = await beside();
  expect(await send({ method: "GET", path: "/healthz" })).toMatchObject({ status: 200, text: '{"status":"ok"}' });
  const described = openApiDocument({ upstream: true });
  expect(JSON.parse((await send({ method: "GET", path: "/openapi.json" })).text)).toEqual(described);
  expect(await send({ method: "HEAD", path: "/openapi.json" })).toMatchObject({ status: 200, text: "" });
  expect(reached).toStrictEqual([]);
  const without = await beside({ openApi: false });
  expect(await without.send({ method: "GET", path: "/openapi.json" })).toMatchObject(fromUpstream);
});

it("refuses to give out tokens, which the upstream would not accept", async () => {
  await expect(beside({ adminToken: { secret, adminUserIDs: ["imAdmin"] } })).rejects.toThrow(
    "adminToken must be left out beside an upstream, which accepts only tokens that it gave out itself",
  );
});

it("answers only the origins that it was given, and the upstream its own", async () => {
  const { send } = await beside({ cors: ["https://a.example"] });
  const origin = async (request: Partial<HttpRequest>) =>
    (await send(request)).headers.get("access-control-allow-origin");
  expect(await origin({ headers: { origin: "https://a.example" } })).toBe("https://a.example");
  expect(await origin({ headers: { origin: "https://b.example" } })).toBeNull();
});

it("asks the upstream where it cannot find out who sends a request, and tells why", async () => {
  const { errors, observer } = recorder();
  const broken = new Error("the session store is gone");
  const authenticate = () => Promise.reject(broken);
  const { send } = await beside({ authenticate, observer });
  expect(await send()).toMatchObject(fromUpstream);
  expect(errors).toStrictEqual([{ operation: "getGroupMemberList", operationID: "op-1", error: broken }]);
});

it("does not wait for ever until it knows who sends a request", async () => {
  const { errors, observer } = recorder();
  const authenticate = () => new Promise<never>(() => {});
  const { send } = await beside({ authenticate, observer, callTimeoutMs: 1 });
  expect(await send()).toMatchObject(fromUpstream);
  expect(errors).toMatchObject([{ error: { message: "authenticate took longer than 1 ms" } }]);
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

it("does the same as a listener of a host, and refuses what a host must not do", async () => {
  const { upstream } = await beside();
  const { errors, observer } = recorder();
  const listener = createNodeListener({ store: await storeOf(), authenticate: anybody, upstream, observer });
  const port = await listening(async (request, response) => {
    if (request.url === "/read") await request.toArray();
    listener(request, response);
  });
  const send = (path: string) =>
    sendOverHttp(port, { method: "POST", path, headers: { operationID: "op-1" }, body: membersBody });
  expect((await send(paths.members)).text).toBe(membersText);
  expect(await send("/x")).toMatchObject(fromUpstream);
  expect((await send("/read")).status).toBe(500);
  expect(errors).toMatchObject([
    {
      operation: "upstream",
      error: {
        message: "the request's body was read before im-admin could read it: mount im-admin before what reads bodies",
      },
    },
  ]);
});

it.each([
  ["openim:10002"],
  ["http://openim:10002/api"],
  ["http://openim?x"],
  ["http://name:password@openim"],
  ["ftp://openim"],
  [""],
])("refuses the upstream %j", async (upstream) => {
  await expect(servedBeside(upstream)).rejects.toThrow(
    'upstream must be the URL of a server, such as "http://openim:10002", without a path or a password',
  );
});

it("refuses a time that no timer can wait, and unknown options", async () => {
  const url = "http://openim";
  await expect(servedBeside({ url, timeoutMs: 0 })).rejects.toThrow(
    "upstream.timeoutMs must be an integer from 1 to 2147483647",
  );
  await expect(servedBeside({ url, timeout: 1 } as never)).rejects.toThrow(TypeError);
});

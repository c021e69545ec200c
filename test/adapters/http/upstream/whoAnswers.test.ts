import type { IncomingMessage } from "node:http";
import { expect, it } from "vitest";
import type { ServeOptions } from "../../../../adapters/node.js";
import { createNodeListener } from "../../../../adapters/node.js";
import { sendOverHttp } from "../../../helpers/http/adapters.js";
import { anybody, listening, recorder, storeOf } from "../../../helpers/http/hosts.js";
import {
  argsError,
  type HttpRequest,
  membersBody,
  membersText,
  paths,
  secret,
  tokens,
} from "../../../helpers/http/request.js";
import { httpUpstream, servedBeside } from "../../../helpers/http/upstreams.js";

const fromUpstream = { status: 418, text: "from the upstream" };

/** im-admin before an upstream that always answers the same, and a function that sends it requests. */
async function beside(options: Partial<ServeOptions> = {}) {
  const reached: string[] = [];
  const upstream = await httpUpstream((request: IncomingMessage, response) => {
    reached.push(`${request.method} ${request.url}`);
    request.resume().on("end", () => response.writeHead(418, { "x-upstream": "yes" }).end("from the upstream"));
  });
  const { port } = await servedBeside(upstream, options);
  const send = (request: Partial<HttpRequest> = {}) =>
    sendOverHttp(port, {
      method: "POST",
      path: paths.members,
      ...((request.method ?? "POST") === "POST" && { body: membersBody }),
      ...request,
      headers: { operationID: "op-1", token: tokens.admin, ...request.headers },
    });
  return { send, reached, upstream };
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
  [paths.members, "no JSON", argsError("body must be a JSON object in UTF-8")],
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

it("keeps /healthz and /openapi.json, and gives /openapi.json away where that is turned off", async () => {
  const { send, reached } = await beside();
  expect(await send({ method: "GET", path: "/healthz" })).toMatchObject({ status: 200, text: '{"status":"ok"}' });
  expect((await send({ method: "GET", path: "/openapi.json" })).text).toMatch(/^\{"openapi":"3\.1\.0"/);
  expect(reached).toStrictEqual([]);
  const without = await beside({ openApi: false });
  expect(await without.send({ method: "GET", path: "/openapi.json" })).toMatchObject(fromUpstream);
});

it("gives out tokens itself where it has been told to", async () => {
  const { send, reached } = await beside({ adminToken: { secret, adminUserIDs: ["imAdmin"] } });
  const answer = await send({ path: "/auth/get_admin_token", body: `{"secret":"${secret}","userID":"imAdmin"}` });
  expect(JSON.parse(answer.text)).toMatchObject({ errCode: 0, data: { expireTimeSeconds: 7_776_000 } });
  expect(reached).toStrictEqual([]);
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

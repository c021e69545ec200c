import { once } from "node:events";
import { request as httpRequest } from "node:http";
import pino from "pino";
import { expect, it } from "vitest";
import { requestLog } from "../../../adapters/cli/requestLog.js";
import { createNodeListener, type NodeListener } from "../../../adapters/node.js";
import type { Store } from "../../../src/index.js";
import type { Observer } from "../../../src/observer.js";
import { listening } from "../../helpers/http/hosts.js";
import { close, exchange, requestBytes } from "../../helpers/http/sockets.js";
import { memoryStore } from "../../helpers/stores.js";

/** A server whose requests are logged, with a way to wait for lines of its log. */
async function loggedServer(makeListener: (observer: Observer) => NodeListener, level = "debug") {
  const lines: Record<string, unknown>[] = [];
  const log = requestLog(pino({ level, base: null }, { write: (line) => void lines.push(JSON.parse(line)) }));
  const port = await listening(log.listen(makeListener(log.observer)));
  const logged = async (count: number) => {
    await expect.poll(() => lines.length, { interval: 5 }).toBeGreaterThanOrEqual(count);
    return lines;
  };
  return { url: `http://127.0.0.1:${port}`, port, logged };
}

/** A server of the six operations. Its store answers one list in another way. */
function loggedService(listBlacks?: Store["listBlacks"]) {
  const store = { ...memoryStore(), ...(listBlacks && { listBlacks }) };
  const authenticate = async (token: string) =>
    token === "good" ? { adminUserID: "admin1" } : ({ failure: "TokenNotExistError" } as const);
  return loggedServer((observer) => createNodeListener({ store, authenticate, observer }));
}

const method = "POST";
const body = JSON.stringify({ userID: "u", keyword: "hidden", pagination: { pageNumber: 1, showNumber: 1 } });
const blacks = "/friend/get_black_list";
const headersOf = (operationID: string, token = "good") => ({ operationID, token });

it("logs a request and its call in one line, without their content", async () => {
  const { url, logged } = await loggedService();
  const send = async (path: string, init: RequestInit) => (await fetch(url + path, { method, ...init })).text();
  const path = "/user/search_notification_account";
  await send(`${path}?key=hidden`, { headers: headersOf("op1"), body });
  await send(path, { headers: headersOf("op2", "hidden"), body });
  await send(path, { method: "GET" });
  await send("/nowhere", { headers: { operationID: "op4" }, body });
  await send(path, { headers: headersOf("op5"), body: "hidden".repeat(200_000) });
  const lines = await logged(5);
  const number = expect.any(Number);
  const answered = { level: 30, time: number, durationMs: number, bytes: number, msg: "request", method, path };
  const called = { ...answered, status: 200, operation: "searchNotificationAccount" };
  expect(lines).toEqual([
    { ...called, operationID: "op1", errCode: 0, adminUserID: "admin1", ignored: ["userID"] },
    { ...called, operationID: "op2", errCode: 1507 },
    { ...answered, method: "GET", status: 405, operationID: "" },
    { ...answered, path: "/nowhere", status: 404, operationID: "op4" },
    expect.objectContaining({ method, path, status: 413, operationID: "op5", msg: "request" }),
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/hidden|good/);
});

it("logs each call with its own request when requests run at the same time", async () => {
  const waiting: ((page: { total: number; items: [] }) => void)[] = [];
  const { url, logged } = await loggedService(() => new Promise((resolve) => waiting.push(resolve)));
  const answers = ["op1", "op2", "op3"].map((operationID) =>
    fetch(url + blacks, { method, headers: headersOf(operationID), body }),
  );
  await expect.poll(() => waiting).toHaveLength(3);
  for (const answer of waiting.reverse()) answer({ total: 0, items: [] });
  await Promise.all(answers);
  const lines = await logged(3);
  expect(lines.map(({ operationID }) => operationID).sort()).toEqual(["op1", "op2", "op3"]);
  for (const found of lines) expect(found).toMatchObject({ operation: "getBlackList", errCode: 0, status: 200 });
});

it("logs the cause of an unforeseen failure in the same line", async () => {
  const { url, logged } = await loggedService(() => Promise.reject(new Error("the disk is gone")));
  await fetch(url + blacks, { method, headers: headersOf("op1"), body });
  const [found] = await logged(1);
  expect(found).toMatchObject({ level: 50, status: 200, errCode: 500, err: { message: "the disk is gone" } });
});

it("loses no failure of a call whose client has gone", async () => {
  const begun: ((error: Error) => void)[] = [];
  const { port, logged } = await loggedService((_query, call) => {
    // Nobody else waits for it.
    call?.begun?.();
    return new Promise((_, reject) => begun.push(reject));
  });
  const request = httpRequest({ port, method, path: blacks, headers: headersOf("op1") });
  request.on("error", () => {}).end(body);
  await expect.poll(() => begun).toHaveLength(1);
  request.destroy();
  await logged(1);
  begun[0]?.(new Error("the disk is gone"));
  expect(await logged(3)).toMatchObject([
    { operationID: "op1", msg: "the connection was cut before the answer" },
    { operationID: "op1", msg: "unforeseen failure", level: 50, err: { message: "the disk is gone" } },
    { operationID: "op1", msg: "call", errCode: 500 },
  ]);
});

it.each([
  ["debug", ["/healthz", "/healthz", "/other"]],
  ["info", ["/healthz", "/other"]],
])("logs failed checks of health always, and others at the level %s", async (level, paths) => {
  let status = 200;
  const { url, logged } = await loggedServer(() => (_, response) => void response.writeHead(status).end(), level);
  await fetch(`${url}/healthz`);
  status = 503;
  await fetch(`${url}/healthz`);
  await fetch(`${url}/other`);
  const lines = await logged(paths.length);
  expect(lines.map(({ path }) => path)).toEqual(paths);
  expect(lines.map(({ path, status }) => [path, status])).toContainEqual(["/healthz", 503]);
});

it("says that a connection was cut before the answer", async () => {
  const { port, logged } = await loggedServer(() => (_, response) => {
    response.write("half of ");
  });
  const request = httpRequest({ port, method: "POST", path: "/slow?x=1", headers: { operationID: "op1" } });
  request.on("error", () => {}).end();
  const [response] = await once(request, "response");
  response.on("error", () => {});
  request.destroy();
  const [time, durationMs] = [expect.any(Number), expect.any(Number)];
  const msg = "the connection was cut before the answer";
  expect(await logged(1)).toEqual([{ level: 30, time, method, path: "/slow", durationMs, operationID: "op1", msg }]);
});

it("counts the bytes of each answer on a connection, also of pipelined requests", async () => {
  const { port, logged } = await loggedServer(() => (request, response) => {
    response.sendDate = false;
    response.end(request.url);
  });
  const answers = await exchange(port, requestBytes("GET /a") + requestBytes("GET /longer", [close]));
  const second = answers.lastIndexOf("HTTP/1.1");
  expect((await logged(2)).map(({ path, bytes }) => [path, bytes])).toEqual([
    ["/a", second],
    ["/longer", answers.length - second],
  ]);
});

it("shortens texts that a client chooses, and logs no password", async () => {
  const { port, logged } = await loggedServer(() => (_, response) => void response.end());
  const send = (target: string, operationID: string) =>
    exchange(port, requestBytes(`GET ${target}`, [`operationID: ${operationID}`, close]));
  await send(`/${"p".repeat(5000)}`, "o".repeat(5000));
  await send("http://user:password@example.org/path?query#rest", "op2");
  await send("*", "op3");
  expect((await logged(3)).map(({ path, operationID }) => [path, operationID])).toEqual([
    [`/${"p".repeat(1023)}`, "o".repeat(256)],
    ["/path", "op2"],
    ["*", "op3"],
  ]);
});

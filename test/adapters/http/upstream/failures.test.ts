import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { passTime, recorder, stopTimers, until } from "../../../helpers/http/hosts.js";
import { failureText, tokens } from "../../../helpers/http/request.js";
import { sendOverHttp } from "../../../helpers/http/send.js";
import {
  close,
  exchange,
  freePort,
  openSocket,
  receive,
  requestBytes,
  startLine,
} from "../../../helpers/http/sockets.js";
import { besideBytes, servedBeside } from "../../../helpers/http/upstreams.js";

const internal = (what: string) => failureText(500, "ServerInternalError", what);
const cut = "the upstream closed the connection before its answer was whole";
const noHttp = "the upstream's answer is no HTTP";
const switched = "the upstream switched to another protocol";
const ofAnybody = ["operationID: op-1", `token: ${tokens.ofAnybody}`];
const request = requestBytes("POST /x", [close, ...ofAnybody], "abc");

/** Whether im-admin answers all the same what needs no upstream. */
async function expectAlive(port: number) {
  expect((await sendOverHttp(port, { method: "GET", path: "/healthz", headers: {} })).text).toBe('{"status":"ok"}');
}

it.each([
  ["hangs up", "", cut, "ECONNRESET"],
  ["speaks SSH", "SSH-2.0-x\r\n", noHttp, "HPE_INVALID_CONSTANT"],
  [
    "gives two lengths",
    "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    noHttp,
    "HPE_UNEXPECTED_CONTENT_LENGTH",
  ],
  ["gives a status that there is not", "HTTP/1.1 099 No\r\n\r\n", noHttp, undefined],
  [
    "switches to what nobody asked for",
    "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n",
    switched,
    undefined,
  ],
  ["switches without a word to what", "HTTP/1.1 101 Switching Protocols\r\n\r\n", switched, undefined],
  ["gives a reason that is no text", "HTTP/1.1 200 a\x01b\r\nContent-Length: 0\r\n\r\n", noHttp, undefined],
  [
    "sends headers without end",
    `HTTP/1.1 200 OK\r\n${"X-A: 1234567890\r\n".repeat(6000)}\r\n`,
    noHttp,
    "HPE_HEADER_OVERFLOW",
  ],
])("answers 502 for an upstream that %s, and tells the observer", async (_title, answer, what, code) => {
  const { exchange, errors, port } = await besideBytes(answer);
  expect(startLine(await exchange(request))).toStrictEqual({ status: 502, body: internal(what) });
  const message = code === undefined ? what : `${what} (${code})`;
  expect(errors).toMatchObject([{ operation: "upstream", operationID: "op-1", error: { message } }]);
  expect(JSON.stringify(errors)).not.toContain(tokens.ofAnybody);
  await expectAlive(port);
});

it.each([
  ["is not there", "the upstream cannot be reached", " (ECONNREFUSED)", {}],
  ["leads back to itself", "the upstream leads back to im-admin", "", { isItself: true }],
])("answers 502 for an upstream that %s, with pages of any origin reading it", async (_title, what, code, options) => {
  const { errors, observer } = recorder();
  const free = await freePort();
  const own = "isItself" in options ? { port: free } : {};
  const { port } = await servedBeside(`http://127.0.0.1:${free}`, { observer, ...own });
  const headers = { operationID: "op-1", token: tokens.ofAnybody };
  const answer = await sendOverHttp(port, { method: "POST", path: "/x", headers, body: "abc" });
  expect(answer).toMatchObject({ status: 502, text: internal(what) });
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  expect(answer.headers.get("content-type")).toBe("application/json");
  expect(errors).toMatchObject([{ error: { message: what + code } }]);
  await expectAlive(port);
});

it("does not have a client send a body for an upstream that gives no answer", async () => {
  const { exchange } = await besideBytes("");
  const asking = requestBytes("POST /x", [...ofAnybody, "Expect: 100-continue", "Content-Length: 3"]);
  expect(startLine(await exchange(asking)).status).toBe(502);
});

it("answers 504 for an upstream that stays silent", async () => {
  const { port, all, errors } = await besideBytes(undefined, { timeoutMs: 20_000 });
  const socket = await openSocket(port);
  const answer = receive(socket);
  stopTimers();
  socket.write(request);
  await until(() => all().endsWith("abc"));
  await passTime(19_999);
  expect(errors).toStrictEqual([]);
  await passTime(1);
  const message = "the upstream did not answer in time";
  expect(startLine(await answer)).toStrictEqual({ status: 504, body: internal(message) });
  expect(errors).toMatchObject([{ error: { message } }]);
});

it("answers 504 for an upstream to which no connection can be made in time", async () => {
  const { errors, observer } = recorder();
  // A stopped process accepts no connection, and where its short queue is full, the system answers no further one.
  const listen = 'require("net").createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1 }, function () {';
  const child = spawn(process.execPath, ["--eval", `${listen} console.log(this.address().port) })`]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const full = Number(String((await once(child.stdout, "data"))[0]));
  child.kill("SIGSTOP");
  const queue = Array.from({ length: 4 }, () => connect(full, "127.0.0.1").on("error", () => {}));
  onTestFinished(() => {
    for (const socket of queue) socket.destroy();
  });
  await until(() => queue.filter(({ connecting }) => !connecting).length >= 2);

  const { port } = await servedBeside(`http://127.0.0.1:${full}`, { observer });
  const socket = await openSocket(port);
  const answer = receive(socket);
  stopTimers();
  socket.write(request);
  await passTime(10_000);
  const message = "the upstream could not be reached in time";
  expect(startLine(await answer)).toStrictEqual({ status: 504, body: internal(message) });
  expect(errors).toMatchObject([{ error: { message } }]);
});

it("waits for a client that goes on sending, and for an upstream that goes on answering", async () => {
  const { port, all, connections } = await besideBytes(
    (received, socket) => received.endsWith("c") && socket.write("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n"),
    { timeoutMs: 20_000 },
  );
  const socket = await openSocket(port);
  const answer = receive(socket);
  stopTimers();
  socket.write(requestBytes("POST /x", [close, "Content-Length: 3"]));
  for (const letter of ["a", "b", "c"]) {
    socket.write(letter);
    await until(() => all().endsWith(letter));
    await passTime(15_000);
  }
  for (const letter of ["x", "y", "z"]) {
    connections[0]?.write(letter);
    await passTime(15_000);
  }
  expect(startLine(await answer)).toStrictEqual({ status: 200, body: "xyz" });
});

it.each([
  ["a length", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"],
  ["chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"],
])("cuts the client off where the upstream ends in the middle of its answer, with %s", async (_title, answer) => {
  const { port, errors } = await besideBytes(answer);
  const text = await exchange(port, requestBytes("POST /x", ofAnybody, "abc"));
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(text).not.toMatch(/0\r\n\r\n$/);
  expect(text).toContain("abc");
  expect(errors).toMatchObject([{ operation: "upstream", error: { message: expect.stringContaining(cut) } }]);
  await expectAlive(port);
});

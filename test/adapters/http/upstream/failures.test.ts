import { expect, it } from "vitest";
import { passTime, recorder, stopTimers, until } from "../../../helpers/http/hosts.js";
import { failureText, paths, requestOf, tokens } from "../../../helpers/http/request.js";
import { sendOverHttp } from "../../../helpers/http/send.js";
import {
  close,
  closed,
  exchange,
  freePort,
  openSocket,
  receive,
  requestBytes,
  startLine,
} from "../../../helpers/http/sockets.js";
import { besideBytes, ok, rawUpstream, servedBeside } from "../../../helpers/http/upstreams.js";

const internal = (what: string) => failureText(500, "ServerInternalError", what);
const noAnswer = "the upstream gave no answer";
const tooLate = "the upstream did not answer in time";
const ofAnybody = ["operationID: op-1", `token: ${tokens.ofAnybody}`];
const line = `POST ${paths.members}`;
const request = requestBytes(line, [close, ...ofAnybody], "abc");

/** Whether im-admin answers all the same what needs no upstream. */
async function expectAlive(port: number) {
  expect((await sendOverHttp(port, { method: "GET", path: "/healthz", headers: {} })).text).toBe('{"status":"ok"}');
}

it.each([
  ["hangs up", ""],
  ["speaks SSH", "SSH-2.0-x\r\n"],
  ["gives two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"],
  ["gives a status that there is not", "HTTP/1.1 099 No\r\n\r\n"],
  [
    "switches to what nobody asked for",
    "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n",
  ],
  ["sends headers without end", `HTTP/1.1 200 OK\r\n${"X-A: 1234567890\r\n".repeat(6000)}\r\n`],
])("answers 502 for an upstream that %s, sends it nothing twice, and tells the observer", async (_title, answer) => {
  const { exchange, errors, received, port } = await besideBytes(answer);
  expect(startLine(await exchange(request))).toStrictEqual({ status: 502, body: internal(noAnswer) });
  expect(received).toHaveLength(1);
  const message = expect.stringMatching(new RegExp(`^${noAnswer} \\(.+\\)$`));
  expect(errors).toMatchObject([{ operation: "upstream", operationID: "op-1", error: { message } }]);
  expect(JSON.stringify(errors)).not.toContain(tokens.ofAnybody);
  await expectAlive(port);
});

it.each([
  ["a user's list", { token: tokens.ofAnybody }],
  ["an administrator's list", { token: tokens.admin }],
])("answers 502 at once where the upstream is not there, for %s", async (_title, { token }) => {
  const { errors, observer } = recorder();
  const { port } = await servedBeside(`http://127.0.0.1:${await freePort()}`, { observer });
  const answer = await sendOverHttp(port, requestOf({ request: { headers: { token } } }));
  expect(answer).toMatchObject({ status: 502, text: internal(noAnswer) });
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  expect(answer.headers.get("content-type")).toBe("application/json");
  expect(errors).toMatchObject([{ operation: "upstream", error: { message: `${noAnswer} (ECONNREFUSED)` } }]);
  await expectAlive(port);
});

it("answers 508 where the upstream leads back", async () => {
  const { errors, observer } = recorder();
  const port = await freePort();
  await servedBeside(`http://127.0.0.1:${port}`, { observer, port });
  const what = "the upstream leads back to im-admin";
  for (const path of [paths.members, paths.conversations]) {
    const answer = await sendOverHttp(port, requestOf({ request: { path } }));
    expect(answer).toMatchObject({ status: 508, text: internal(what) });
  }
  expect(errors.filter(({ error }) => (error as Error).message === what)).toHaveLength(2);
  await expectAlive(port);
});

it("answers 508 where two of us name each other", async () => {
  const ports = [await freePort(), await freePort()] as const;
  await servedBeside(`http://127.0.0.1:${ports[1]}`, { port: ports[0] });
  await servedBeside(`http://127.0.0.1:${ports[0]}`, { port: ports[1] });
  const request = requestOf({ request: { path: paths.conversations } });
  const what = "the upstream leads back to im-admin";
  expect(await sendOverHttp(ports[0], request)).toMatchObject({ status: 508, text: internal(what) });
});

it.each([
  ["a user's request", ofAnybody, "abc"],
  ["the question about an administrator's token", ["operationID: op-1", `token: ${tokens.admin}`], "{}"],
])("answers 504 for an upstream that stays silent at %s", async (_title, headers, body) => {
  const { observer, errors } = recorder();
  const upstream = await rawUpstream(undefined, () => {});
  const { port } = await servedBeside({ url: upstream.url, timeoutMs: 200 }, { observer });
  const answer = startLine(await exchange(port, requestBytes(line, [close, ...headers], body)));
  expect(answer).toStrictEqual({ status: 504, body: internal(tooLate) });
  expect(errors).toMatchObject([{ operation: "upstream", error: { message: tooLate } }]);
  await expectAlive(port);
});

it("takes one deadline for the question and the request", async () => {
  let answerQuestion = () => {};
  const upstream = await rawUpstream(undefined, (socket) => {
    answerQuestion = () => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\n{"errCode":1507}');
  });
  const { port } = await servedBeside(upstream.url);
  const socket = await openSocket(port);
  const answer = receive(socket);
  stopTimers();
  socket.write(requestBytes(line, [close, "operationID: op-1", `token: ${tokens.admin}`], "{}"));
  await until(() => upstream.all().includes("checkUserIDs"));
  await passTime(14_999);
  answerQuestion();
  await until(() => upstream.all().includes(paths.members));
  await passTime(1);
  expect(startLine(await answer)).toStrictEqual({ status: 504, body: internal(tooLate) });
});

it("answers 408 for a body that does not come whole", async () => {
  const { port, received } = await besideBytes(ok, { timeoutMs: 200 });
  const socket = await openSocket(port);
  const answer = receive(socket);
  socket.write(requestBytes(line, [...ofAnybody, close, "Content-Length: 9"]));
  expect(startLine(await answer)).toStrictEqual({
    status: 408,
    body: failureText(1001, "ArgsError", "body must arrive whole within 200 ms"),
  });
  expect(received).toStrictEqual([]);
});

it.each([
  ["a length", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"],
  ["chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"],
])("cuts the client off where the upstream ends in the middle of its answer, with %s", async (_title, answer) => {
  const { port, errors } = await besideBytes(answer);
  const text = await exchange(port, request);
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(text).not.toMatch(/0\r\n\r\n$/);
  expect(errors).toMatchObject([{ operation: "upstream", error: { message: expect.stringContaining(noAnswer) } }]);
  await expectAlive(port);
});

const begun = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n";

it("cuts the client off, and leaves the upstream, where that stands still within its answer", async () => {
  const { port, errors, connections } = await besideBytes((_received, socket) => socket.write(begun), {
    timeoutMs: 200,
  });
  expect(await exchange(port, request)).not.toMatch(/0\r\n\r\n$/);
  expect(errors).toMatchObject([{ operation: "upstream", error: { message: tooLate } }]);
  await Promise.all(connections.map(closed));
});

it.each([
  ["before the answer", undefined],
  ["within the answer", begun],
])("leaves the upstream where the client goes %s, and tells nobody of a failure", async (_title, given) => {
  const { port, errors, connections, all } = await besideBytes((_received, socket) => given && socket.write(given));
  const socket = await openSocket(port);
  let text = "";
  socket.on("data", (chunk) => (text += chunk));
  socket.write(request);
  await until(() => all().endsWith("abc") && (given === undefined || text.includes("abc")));
  socket.destroy();
  await Promise.all(connections.map(closed));
  await expectAlive(port);
  expect(errors).toStrictEqual([]);
});

it("leaves the upstream where the client goes whose answer waits behind another one", async () => {
  const long = `HTTP/1.1 200 OK\r\nContent-Length: 20000000\r\n\r\n${"x".repeat(5_000_000)}`;
  // The first request gets no answer.
  const { port, connections } = await besideBytes((received, socket) => received.endsWith("2nd") && socket.write(long));
  const socket = await openSocket(port);
  socket.write(requestBytes(line, ofAnybody, "1st") + requestBytes(line, ofAnybody, "2nd"));
  await until(() => connections.some(({ bytesWritten }) => bytesWritten > 100_000));
  socket.resetAndDestroy();
  await Promise.all(connections.map(closed));
  await expectAlive(port);
});

it("says how long an answer is, so that a client of HTTP/1.0 does not take a part for the whole", async () => {
  const { exchange } = await besideBytes("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc");
  expect(await exchange(request.replace("HTTP/1.1", "HTTP/1.0"))).toMatch(/^content-length: 10\r$/im);
});

it("makes the request anew: nothing of its framing, and of its headers what OpenIM reads", async () => {
  const { port, received } = await besideBytes((text, socket) => text.endsWith("abc") && socket.write(ok));
  const headers = [
    ...ofAnybody,
    `token: ${tokens.ofAnybody}`,
    "Content-Type: text/odd",
    "Content-Encoding: odd",
    "User-Agent: a tool",
    "X-Forwarded-For: 192.0.2.1",
    "Cookie: secret",
    "X-Odd: 1",
    "Via: 1.1 a",
    "Transfer-Encoding: chunked",
    "Trailer: X-Sum",
    "Connection: close, X-Odd",
  ];
  const body = "1\r\na\r\n2\r\nbc\r\n0\r\nX-Sum: sum\r\n\r\n";
  const answer = await exchange(port, `${requestBytes(`${line}?a=b`, headers)}${body}`);
  expect(answer.endsWith("\r\n\r\nok")).toBe(true);
  const [head = "", sent] = (received[0] ?? "").split("\r\n\r\n");
  const [first, ...lines] = head.split("\r\n");
  expect([first, sent]).toStrictEqual([`${line} HTTP/1.1`, "abc"]);
  const names = lines.map((header) => header.toLowerCase().split(":")[0]);
  expect([...names].sort()).toStrictEqual(
    [
      ..."accept accept-encoding accept-language connection content-encoding content-length content-type host".split(
        " ",
      ),
      ..."operationid sec-fetch-mode token user-agent via x-forwarded-for".split(" "),
    ].sort(),
  );
  const valueIn = (name: string) => lines.find((header) => header.toLowerCase().startsWith(`${name}:`))?.split(": ")[1];
  expect(valueIn("x-forwarded-for")).toBe("192.0.2.1, 127.0.0.1");
  expect(valueIn("via")).toMatch(/^1\.1 a, 1\.1 im-admin-127\.0\.0\.1-\d+$/);
  expect([valueIn("user-agent"), valueIn("content-type"), valueIn("accept-encoding")]).toStrictEqual([
    "a tool",
    "text/odd",
    "identity",
  ]);
});

it("gives back a redirect, and follows none", async () => {
  const redirect = "HTTP/1.1 307 x\r\nLocation: http://127.0.0.1:1/x\r\nContent-Length: 0\r\n\r\n";
  const { exchange } = await besideBytes(redirect);
  const answer = await exchange(request);
  expect(startLine(answer).status).toBe(307);
  expect(answer).toMatch(/^location: http:\/\/127\.0\.0\.1:1\/x\r$/im);
});

it("sends a large answer on as its client reads it, and holds little of it", async () => {
  const part = "x".repeat(65_536);
  let isTaken = 0;
  const { port } = await besideBytes((_received, socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${part.length * 600}\r\n\r\n`);
    const go = () => {
      while (isTaken < 600) {
        isTaken += 1;
        if (!socket.write(part)) return void socket.once("drain", go);
      }
    };
    go();
  });
  const socket = await openSocket(port);
  socket.write(request);
  await new Promise((resolve) => socket.once("readable", resolve));
  let before = -1;
  // The buffers of the connections fill up, and then the upstream waits.
  while (before !== isTaken) {
    before = isTaken;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  expect(isTaken).toBeLessThan(400);
  expect((await receive(socket)).length).toBeGreaterThan(part.length * 600);
});

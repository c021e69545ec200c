import { once } from "node:events";
import { expect, it } from "vitest";
import { sendOverHttp } from "../../../helpers/http/adapters.js";
import { passTime, stopTimers, until } from "../../../helpers/http/hosts.js";
import { membersBody, membersText, paths, tokens } from "../../../helpers/http/request.js";
import { closed, exchange, openSocket } from "../../../helpers/http/sockets.js";
import { rawUpstream, servedBeside } from "../../../helpers/http/upstreams.js";

const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
/** The answer to the question whether a token is an administrator's. */
const administrators = 'HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n{"errCode":0}';

/** The answer to a client that sends these bytes, and the bytes that reach the upstream. It answers when they end so. */
async function passed(sent: string, last: string, answer: string) {
  const upstream = await rawUpstream((received, socket) => {
    if (received.endsWith(last)) socket.write(Buffer.from(answer, "latin1"));
  });
  const { port } = await servedBeside(upstream.url);
  const socket = await openSocket(port);
  socket.setEncoding("latin1").write(Buffer.from(sent, "latin1"));
  let back = "";
  socket.on("data", (text: string) => {
    back += text;
  });
  await closed(socket);
  return { received: upstream.received.join(""), back };
}

const end = "\r\n\r\n";
/** The last header that the client sends: its connection ends after the answer. */
const last = `Connection: close${end}`;
const forwarded = "X-Forwarded-For: 127.0.0.1\r\nConnection: keep-alive\r\n\r\n";

it.each([
  [
    "headers in their order and case, repeated ones and bytes beyond ASCII",
    `GET /a HTTP/1.1\r\nHost: chat.example\r\noperationID: 1\r\nX-A: 1\r\nx-a: 2\r\nContent-Type: \xe9\r\nContent-Type: b\r\n${last}`,
    `GET /a HTTP/1.1\r\nHost: chat.example\r\noperationID: 1\r\nX-A: 1\r\nx-a: 2\r\nContent-Type: \xe9\r\nContent-Type: b\r\n${forwarded}`,
  ],
  [
    "a target as it stands",
    `GET //a/../b//?x=%zz&y=\\ HTTP/1.1\r\nHost: x\r\n${last}`,
    `GET //a/../b//?x=%zz&y=\\ HTTP/1.1\r\nHost: x\r\n${forwarded}`,
  ],
  [
    "a target with a scheme",
    `GET http://other.example/a HTTP/1.1\r\nHost: x\r\n${last}`,
    `GET http://other.example/a HTTP/1.1\r\nHost: x\r\n${forwarded}`,
  ],
  [
    "no header of the connection, nor one that it names",
    `GET /a HTTP/1.1\r\nHost: x\r\nKeep-Alive: 9\r\nX-Hop: 1\r\nTE: gzip\r\nConnection: close, x-hop, Host${end}`,
    `GET /a HTTP/1.1\r\nHost: x\r\n${forwarded}`,
  ],
  [
    "the client's address after those before it",
    `GET /a HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 1.2.3.4\r\nx-forwarded-for: ::1,5.6.7.8\r\n${last}`,
    "GET /a HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 1.2.3.4, ::1, 5.6.7.8, 127.0.0.1\r\nConnection: keep-alive\r\n\r\n",
  ],
  [
    "a POST without a body",
    `POST /a HTTP/1.1\r\nHost: x\r\n${last}`,
    `POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n${forwarded}`,
  ],
  [
    "a body with its length, of a GET too",
    `GET /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n${last}\x00\xff.`,
    `GET /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n${forwarded}\x00\xff.`,
  ],
  [
    "a length that the client calls a header of the connection",
    `POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nConnection: close, content-length${end}abc`,
    `POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n${forwarded}abc`,
  ],
  [
    "chunks and what follows them",
    `DELETE /a HTTP/1.1\r\nHost: x\r\nTE: trailers\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n${last}3\r\nabc\r\n0\r\nX-Sum: 7\r\n\r\n`,
    "DELETE /a HTTP/1.1\r\nHost: x\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\nTE: trailers\r\n" +
      `${forwarded}3\r\nabc\r\n0\r\nX-Sum: 7\r\n\r\n`,
  ],
  [
    "bytes beyond ASCII beside a question about the body, which is answered here",
    `POST /a HTTP/1.1\r\nHost: x\r\nX-A: \xe9\r\nExpect: 100-continue\r\nContent-Length: 3\r\n${last}abc`,
    `POST /a HTTP/1.1\r\nHost: x\r\nX-A: \xe9\r\nContent-Length: 3\r\n${forwarded}abc`,
  ],
  [
    "a request of HTTP/1.0, which names no host",
    "GET /a HTTP/1.0\r\nExpect: 100-continue\r\n\r\n",
    /^GET \/a HTTP\/1\.1\r\nHost: 127\.0\.0\.1:\d+\r\nX-Forwarded-For: 127\.0\.0\.1\r\nConnection: keep-alive\r\n\r\n$/,
  ],
])("passes on %s", async (_title, sent, expected) => {
  const body = sent.slice(sent.indexOf(end) + end.length);
  const { received, back } = await passed(sent, body || end, ok);
  if (typeof expected === "string") expect(received).toBe(expected);
  else expect(received).toMatch(expected);
  expect(back.endsWith("\r\n\r\nok")).toBe(true);
});

const get = `GET /a HTTP/1.1\r\nHost: x\r\n${last}`;
const closing = "Connection: close\r\n";

it.each([
  [
    "status, reason and headers in their order and case",
    get,
    "HTTP/1.1 299 Odd \xe9\r\nX-A: 1\r\nx-a: 2\r\nSet-Cookie: a\r\nSet-Cookie: b\r\nContent-Length: 2\r\nKeep-Alive: 5\r\n\r\n\x00\xff",
    `HTTP/1.1 299 Odd \xe9\r\nX-A: 1\r\nx-a: 2\r\nSet-Cookie: a\r\nSet-Cookie: b\r\nContent-Length: 2\r\n${closing}\r\n\x00\xff`,
  ],
  [
    "chunks and what follows them",
    get,
    "HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 7\r\n\r\n",
    `HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\n${closing}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 7\r\n\r\n`,
  ],
  [
    "chunks to a client of HTTP/1.0",
    "GET /a HTTP/1.0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 7\r\n\r\n",
    `HTTP/1.1 200 OK\r\n${closing}\r\nabc`,
  ],
  [
    "an answer without a body",
    get,
    "HTTP/1.1 304 \r\nContent-Length: 9\r\nETag: x\r\n\r\n",
    `HTTP/1.1 304 \r\nContent-Length: 9\r\nETag: x\r\n${closing}\r\n`,
  ],
  [
    "the length of what HEAD does not ask for",
    `HEAD /a HTTP/1.1\r\nHost: x\r\n${last}`,
    "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n",
    `HTTP/1.1 200 OK\r\nContent-Length: 9\r\n${closing}\r\n`,
  ],
  [
    "an answer after others that are none yet",
    get,
    `HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n${ok}`,
    `HTTP/1.1 200 OK\r\nContent-Length: 2\r\n${closing}\r\nok`,
  ],
  [
    "more headers than Node keeps by default",
    get,
    `HTTP/1.1 200 OK\r\n${"X-A: 1\r\n".repeat(1_500)}Content-Length: 2\r\n\r\nok`,
    `HTTP/1.1 200 OK\r\n${"X-A: 1\r\n".repeat(1_500)}Content-Length: 2\r\n${closing}\r\nok`,
  ],
])("gives back %s", async (_title, sent, answer, expected) => {
  expect((await passed(sent, end, answer)).back).toBe(expected);
});

it("gives back an answer that ends with its connection", async () => {
  const upstream = await rawUpstream((_received, socket) => socket.end("HTTP/1.1 200 OK\r\n\r\nabc"));
  const { port } = await servedBeside(upstream.url);
  expect(await exchange(port, get)).toBe(
    `HTTP/1.1 200 OK\r\n${closing}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`,
  );
});

it("passes each part on as it comes, in both directions, and keeps the connection to the upstream", async () => {
  const upstream = await rawUpstream((received, socket) => {
    if (received.endsWith("one")) socket.write("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n");
    if (received.endsWith("two")) socket.write("abc");
    if (received.endsWith("six")) socket.write("def");
  });
  const { port } = await servedBeside(upstream.url);
  const socket = await openSocket(port);
  socket.setEncoding("latin1");
  const next = async () => String(await once(socket, "data"));
  for (let time = 0; time < 2; time += 1) {
    socket.write("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\none");
    expect(await next()).toMatch(/^HTTP\/1\.1 200 OK\r\nContent-Length: 6\r\n.*\r\n\r\n$/s);
    socket.write("two");
    expect(await next()).toBe("abc");
    socket.write("six");
    expect(await next()).toBe("def");
  }
  expect(upstream.connections).toHaveLength(1);
  socket.destroy();
});

it.each([
  ["wants it", "HTTP/1.1 100 Continue\r\n\r\n", ""],
  ["does not say", "", ""],
  ["refuses it", "HTTP/1.1 413 No\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 413 No\r\nContent-Length: 0\r\n"],
])("asks whether to send a body, where the upstream %s", async (_title, first, refusal) => {
  const upstream = await rawUpstream((received, socket) => {
    if (received.endsWith(end)) socket.write(first);
    if (received.endsWith("abc")) socket.write(ok);
  });
  const { port } = await servedBeside(upstream.url);
  const socket = await openSocket(port);
  const firstData = once(socket, "data");
  if (first === "") stopTimers();
  socket.write("POST /a HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
  if (first === "") await passTime(1_000);
  const [answer] = await firstData;
  if (refusal !== "") expect(String(answer)).toMatch(refusal);
  else {
    expect(String(answer)).toBe("HTTP/1.1 100 Continue\r\n\r\n");
    socket.write("abc");
    expect(String(await once(socket, "data"))).toMatch(/^HTTP\/1\.1 200 OK.*\r\nok$/s);
  }
  expect(upstream.received[0]).toMatch(/^POST \/a HTTP\/1\.1\r\nHost: x\r\nExpect: 100-continue\r\n/);
  expect(upstream.received[0]?.endsWith("abc")).toBe(refusal === "");
  socket.destroy();
});

it.each([
  ["before its body", "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n"],
  ["in its body", "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc"],
  ["before its answer", "GET /a HTTP/1.1\r\nHost: x\r\n\r\n"],
])("leaves the upstream when the client goes %s", async (_title, sent) => {
  const upstream = await rawUpstream(() => {});
  const { port } = await servedBeside(upstream.url);
  const socket = await openSocket(port);
  socket.write(sent);
  await until(() => upstream.received.length === 1 && upstream.received[0] !== "");
  const [end] = upstream.connections.map(closed);
  socket.destroy();
  await end;
});

it("leaves the upstream when the client goes in its answer", async () => {
  const upstream = await rawUpstream((_received, socket) => {
    socket.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc");
  });
  const { port } = await servedBeside(upstream.url);
  const socket = await openSocket(port);
  socket.write("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
  await once(socket, "data");
  const [connection] = upstream.connections;
  socket.destroy();
  if (connection) await closed(connection);
});

it("leaves the upstream when the client goes in its body, although it has its answer", async () => {
  const early = "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n";
  const upstream = await rawUpstream((received, socket) => received.endsWith("abc") && socket.write(early));
  const { port } = await servedBeside(upstream.url);
  const socket = await openSocket(port);
  socket.write("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc");
  await once(socket, "data");
  const [connection] = upstream.connections;
  socket.destroy();
  if (connection) await closed(connection);
});

it("does not keep an upstream whose client did not send the body that was refused", async () => {
  const refusal = "HTTP/1.1 413 No\r\nContent-Length: 0\r\n\r\n";
  const upstream = await rawUpstream((received, socket) => received.endsWith(end) && socket.write(refusal));
  const { port } = await servedBeside(upstream.url);
  const socket = await openSocket(port);
  socket.write("POST /a HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
  await once(socket, "data");
  const [connection] = upstream.connections;
  if (connection) await closed(connection);
  socket.destroy();
});

it("gives back an answer that comes before the end of the body", async () => {
  const upstream = await rawUpstream((received, socket) => {
    if (received.endsWith("abc")) socket.end("HTTP/1.1 413 No\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno");
  });
  const { port } = await servedBeside(upstream.url);
  const socket = await openSocket(port);
  socket.write("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nabc");
  expect(String(await once(socket, "data"))).toMatch(/^HTTP\/1\.1 413 No\r\n.*\r\n\r\nno$/s);
  socket.destroy();
});

it("gives an early answer to a client that reads it when all of its body is out", async () => {
  let isAnswered = false;
  const upstream = await rawUpstream((received, socket) => {
    if (isAnswered || received.length < 10_000) return;
    isAnswered = true;
    socket.end("HTTP/1.1 413 No\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno");
  });
  const { port } = await servedBeside(upstream.url);
  const socket = await openSocket(port);
  const bytes = 33_554_432;
  socket.write(`POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\n`);
  await new Promise((resolve, reject) => {
    socket.once("close", () => reject(new Error("cut off while it sends")));
    socket.write(new Uint8Array(bytes), resolve);
  });
  expect(String(await once(socket, "data"))).toMatch(/^HTTP\/1\.1 413 No\r\n.*\r\n\r\nno$/s);
  socket.destroy();
});

it("lets ten requests that the upstream does not answer hold up nobody", async () => {
  const upstream = await rawUpstream((received, socket) => {
    if (received.includes("POST /user/account_check")) socket.write(administrators);
    else if (received.startsWith("GET /fast")) socket.write(ok);
  });
  const { port } = await servedBeside(upstream.url);
  const slow = await Promise.all(Array.from({ length: 10 }, () => openSocket(port)));
  for (const socket of slow) socket.write("POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc");
  await until(() => upstream.received.filter((received) => received.endsWith("abc")).length === 10);
  const headers = { operationID: "op-1", token: tokens.admin };
  const send = (method: string, path: string) =>
    sendOverHttp(port, { method, path, headers, ...(method === "POST" && { body: membersBody }) });
  expect((await send("GET", "/fast")).text).toBe("ok");
  expect((await send("POST", paths.members)).text).toBe(membersText);
  for (const socket of slow) socket.destroy();
});

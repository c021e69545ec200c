import { once } from "node:events";
import { expect, it } from "vitest";
import { passTime, stopTimers, until } from "../../../helpers/http/hosts.js";
import { membersText, requestOf } from "../../../helpers/http/request.js";
import { sendToPort } from "../../../helpers/http/send.js";
import { closed, openSocket, requestBytes } from "../../../helpers/http/sockets.js";
import { besideBytes, ok } from "../../../helpers/http/upstreams.js";

/** The answer to a client that sends these bytes, and the bytes that reach the upstream. It answers when they end so. */
async function passed(sent: string, last: string, answer: string) {
  const { port, all } = await besideBytes(
    (received, socket) => received.endsWith(last) && socket.write(Buffer.from(answer, "latin1")),
  );
  const socket = await openSocket(port);
  socket.setEncoding("latin1").write(Buffer.from(sent, "latin1"));
  let back = "";
  socket.on("data", (text: string) => {
    back += text;
  });
  await closed(socket);
  return { received: all(), back };
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
  const { exchange } = await besideBytes("HTTP/1.1 200 OK\r\n\r\nabc");
  expect(await exchange(get)).toBe(
    `HTTP/1.1 200 OK\r\n${closing}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`,
  );
});

/** im-admin beside an upstream of bytes, and a client that is connected to it, with what comes to the client next. */
async function connected(answer?: Parameters<typeof besideBytes>[0]) {
  const upstream = await besideBytes(answer);
  const socket = (await openSocket(upstream.port)).setEncoding("latin1");
  return { ...upstream, socket, next: async () => String((await once(socket, "data"))[0]) };
}

it("passes each part on as it comes, in both directions, and keeps the connection to the upstream", async () => {
  const { socket, next, connections } = await connected((received, upstream) => {
    if (received.endsWith("one")) upstream.write("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n");
    if (received.endsWith("two")) upstream.write("abc");
    if (received.endsWith("six")) upstream.write("def");
  });
  for (let time = 0; time < 2; time += 1) {
    socket.write(`${requestBytes("POST /a", ["Content-Length: 9"])}one`);
    expect(await next()).toMatch(/^HTTP\/1\.1 200 OK\r\nContent-Length: 6\r\n.*\r\n\r\n$/s);
    socket.write("two");
    expect(await next()).toBe("abc");
    socket.write("six");
    expect(await next()).toBe("def");
  }
  expect(connections).toHaveLength(1);
  socket.destroy();
});

const refusal = "HTTP/1.1 413 No\r\nContent-Length: 0\r\n\r\n";

it.each([
  ["wants it", "HTTP/1.1 100 Continue\r\n\r\n"],
  ["does not say", ""],
  ["refuses it", refusal],
])("asks whether to send a body, where the upstream %s", async (_title, first) => {
  const { socket, next, all, connections } = await connected((received, upstream) => {
    if (received.endsWith(end)) upstream.write(first);
    if (received.endsWith("abc")) upstream.write(ok);
  });
  const answer = next();
  if (first === "") stopTimers();
  socket.write(requestBytes("POST /a", ["Expect: 100-continue", "Content-Length: 3"]));
  if (first === "") await passTime(1_000);
  if (first === refusal) {
    expect(await answer).toMatch(/^HTTP\/1\.1 413 No\r\nContent-Length: 0\r\n/);
    // The client has not sent the body for which the upstream waits.
    await Promise.all(connections.map(closed));
  } else {
    expect(await answer).toBe("HTTP/1.1 100 Continue\r\n\r\n");
    socket.write("abc");
    expect(await next()).toMatch(/^HTTP\/1\.1 200 OK.*\r\nok$/s);
  }
  expect(all()).toMatch(/^POST \/a HTTP\/1\.1\r\nHost: x\r\nExpect: 100-continue\r\n/);
  expect(all().endsWith("abc")).toBe(first !== refusal);
  socket.destroy();
});

it.each([
  ["before its body", requestBytes("POST /a", ["Content-Length: 10"]), "", end],
  ["in its body", `${requestBytes("POST /a", ["Content-Length: 10"])}abc`, "", "abc"],
  ["before its answer", requestBytes("GET /a"), "", end],
  ["in its answer", requestBytes("GET /a"), "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", end],
  ["in its body, although it has its answer", `${requestBytes("POST /a", ["Content-Length: 10"])}abc`, refusal, "abc"],
])("leaves the upstream when the client goes %s", async (_title, sent, answer, last) => {
  const { socket, next, all, connections } = await connected(
    (received, upstream) => received.endsWith(last) && upstream.write(answer),
  );
  const answered = answer === "" ? until(() => all().endsWith(last)) : next();
  socket.write(sent);
  await answered;
  const left = Promise.all(connections.map(closed));
  socket.destroy();
  await left;
});

it("gives back an answer that comes before the end of the body", async () => {
  const { socket, next } = await connected("HTTP/1.1 413 No\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno");
  const bytes = 33_554_432;
  socket.write(requestBytes("POST /a", [`Content-Length: ${bytes}`]));
  const answer = next();
  // Its client reads it when all of the body is out.
  await new Promise((resolve, reject) => {
    socket.once("close", () => reject(new Error("cut off while it sends")));
    socket.write(new Uint8Array(bytes), resolve);
  });
  expect(await answer).toMatch(/^HTTP\/1\.1 413 No\r\n.*\r\n\r\nno$/s);
  socket.destroy();
});

it("lets ten requests that the upstream does not answer hold up nobody", async () => {
  const { port, received } = await besideBytes(
    (received, socket) => received.startsWith("GET /fast") && socket.write(ok),
  );
  const slow = await Promise.all(Array.from({ length: 10 }, () => openSocket(port)));
  for (const socket of slow) socket.write(`${requestBytes("POST /slow", ["Content-Length: 9"])}abc`);
  await until(() => received.filter((text) => text.endsWith("abc")).length === 10);
  const send = sendToPort(port);
  expect((await send(requestOf({ request: { method: "GET", path: "/fast" } }))).text).toBe("ok");
  expect((await send(requestOf({ request: {} }))).text).toBe(membersText);
  for (const socket of slow) socket.destroy();
});

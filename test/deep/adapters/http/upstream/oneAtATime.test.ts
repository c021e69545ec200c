import { once } from "node:events";
import { expect, it, onTestFinished, vi } from "vitest";
import { passTime, stopTimers, until } from "../../../../helpers/http/hosts.js";
import { membersText, requestOf } from "../../../../helpers/http/request.js";
import { sendOverHttp } from "../../../../helpers/http/send.js";
import { close, closed, exchange, openSocket, requestBytes } from "../../../../helpers/http/sockets.js";
import {
  administrators,
  besideBytes,
  httpUpstream,
  ok,
  rawUpstream,
  servedBeside,
} from "../../../../helpers/http/upstreams.js";

it("passes on one request of a connection at a time, in their order", async () => {
  let most = 0;
  let underWay = 0;
  const paths: (string | undefined)[] = [];
  const upstream = await httpUpstream((request, response) => {
    paths.push(request.url);
    most = Math.max(most, ++underWay);
    setImmediate(() => {
      underWay -= 1;
      response.end(request.url);
    });
  });
  const { port } = await servedBeside(upstream);
  const expected = Array.from({ length: 40 }, (_, index) => `/${index}`);
  const requests = expected.map((path) => requestBytes(`GET ${path}`)).join("");
  const answers = await exchange(port, requests + requestBytes("GET /last", [close]));
  expect(answers.match(/(?<=\r\n\r\n)\/\d+|\/last/g)).toStrictEqual([...expected, "/last"]);
  expect(paths).toStrictEqual([...expected, "/last"]);
  expect(most).toBe(1);
});

it("lets a client that sends 5,000 requests at once have one connection to the upstream, and hangs up", async () => {
  const { port, received } = await besideBytes(
    (received, socket) => received.startsWith("GET /fast") && socket.write(ok),
  );
  const socket = await openSocket(port);
  socket.write(requestBytes("GET /a"));
  await until(() => received.length === 1);
  socket.write(requestBytes("GET /a").repeat(5_000));
  await closed(socket);
  expect(received).toHaveLength(1);
  expect((await sendOverHttp(port, { method: "GET", path: "/fast", headers: {} })).text).toBe("ok");
});

it("has a thousand requests at the upstream, and lets further ones wait for their turn", async () => {
  const { url, all, connections } = await rawUpstream(undefined, (socket) =>
    socket.end(administrators.replace("\r\n", `\r\n${close}\r\n`)),
  );
  const { port } = await servedBeside(url);
  const sockets = await Promise.all(Array.from({ length: 1_010 }, () => openSocket(port)));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  const answers = sockets.map((socket) => once(socket, "data"));
  for (const socket of sockets) socket.write(requestBytes("GET /a"));
  const reached = () => all().split("GET /a").length - 1;
  await until(() => reached() === 1_000);
  // Lists do not wait, although the upstream is asked about the token.
  expect((await sendOverHttp(port, requestOf({ request: {} }))).text).toBe(membersText);
  const [first] = connections;
  first?.write(ok);
  await until(() => reached() === 1_001);
  for (const connection of connections) if (connection !== first) connection.write(ok);
  await until(() => reached() === 1_010);
  // One was for the question about the token.
  expect(connections).toHaveLength(1_001);
  for (const connection of connections) connection.write(ok);
  for (const answer of answers) expect(String(await answer)).toContain("200 OK");
});

it("leaves an upstream that takes nothing of a body for a minute, with a client that has gone", async () => {
  let isStalled = true;
  const { port, connections } = await besideBytes((_received, socket) => isStalled && socket.pause());
  const socket = await openSocket(port);
  stopTimers();
  socket.write(requestBytes("POST /a", ["Content-Length: 100000000"]));
  // More than the buffers of both connections hold.
  for (let sent = 0; sent < 64; sent += 1) socket.write(new Uint8Array(1_048_576));
  // One timer is for silence, the other one for an upstream that takes nothing.
  await until(() => vi.getTimerCount() === 2);
  socket.destroy();
  await passTime(60_000);
  isStalled = false;
  await Promise.all(connections.map(closed));
});

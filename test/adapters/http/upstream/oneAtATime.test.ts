import { once } from "node:events";
import { expect, it, onTestFinished, vi } from "vitest";
import { sendOverHttp } from "../../../helpers/http/adapters.js";
import { passTime, stopTimers, until } from "../../../helpers/http/hosts.js";
import { membersBody, membersText, paths, tokens } from "../../../helpers/http/request.js";
import { closed, exchange, openSocket } from "../../../helpers/http/sockets.js";
import { httpUpstream, rawUpstream, servedBeside } from "../../../helpers/http/upstreams.js";

const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

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
  const close = "GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  const answers = await exchange(
    port,
    expected.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join("") + close,
  );
  expect(answers.match(/(?<=\r\n\r\n)\/\d+|\/last/g)).toStrictEqual([...expected, "/last"]);
  expect(paths).toStrictEqual([...expected, "/last"]);
  expect(most).toBe(1);
});

it("lets a client that sends 5,000 requests at once have one connection to the upstream, and hangs up", async () => {
  const upstream = await rawUpstream((received, socket) => {
    if (received.startsWith("GET /fast")) socket.write(ok);
  });
  const { port } = await servedBeside(upstream.url);
  const socket = await openSocket(port);
  socket.write("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
  await until(() => upstream.received.length === 1);
  socket.write("GET /a HTTP/1.1\r\nHost: x\r\n\r\n".repeat(5_000));
  await closed(socket);
  expect(upstream.received).toHaveLength(1);
  expect((await sendOverHttp(port, { method: "GET", path: "/fast", headers: {} })).text).toBe("ok");
});

it("has a thousand requests at the upstream, and lets further ones wait for their turn", async () => {
  const upstream = await rawUpstream((received, socket) => {
    const answer = 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 13\r\n\r\n{"errCode":0}';
    if (received.endsWith('{"checkUserIDs":["imAdmin"]}')) socket.end(answer);
  });
  const { port } = await servedBeside(upstream.url);
  const sockets = await Promise.all(Array.from({ length: 1_010 }, () => openSocket(port)));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  const answers = sockets.map((socket) => once(socket, "data"));
  for (const socket of sockets) socket.write("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
  const reached = () => upstream.received.join("").split("GET /a").length - 1;
  await until(() => reached() === 1_000);
  // Lists do not wait, although the upstream is asked about the token.
  const headers = { operationID: "op-1", token: tokens.admin };
  const list = await sendOverHttp(port, { method: "POST", path: paths.members, headers, body: membersBody });
  expect(list.text).toBe(membersText);
  const [first] = upstream.connections;
  first?.write(ok);
  await until(() => reached() === 1_001);
  for (const connection of upstream.connections) if (connection !== first) connection.write(ok);
  await until(() => reached() === 1_010);
  // One was for the question about the token.
  expect(upstream.connections).toHaveLength(1_001);
  for (const connection of upstream.connections) connection.write(ok);
  for (const answer of answers) expect(String(await answer)).toContain("200 OK");
});

it("leaves an upstream that takes nothing of a body for a minute, with a client that has gone", async () => {
  let isStalled = true;
  const upstream = await rawUpstream((_received, socket) => isStalled && socket.pause());
  const { port } = await servedBeside(upstream.url);
  const socket = await openSocket(port);
  stopTimers();
  socket.write("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\n");
  // More than the buffers of both connections hold.
  for (let sent = 0; sent < 64; sent += 1) socket.write(new Uint8Array(1_048_576));
  // One timer is for silence, the other one for an upstream that takes nothing.
  await until(() => vi.getTimerCount() === 2);
  socket.destroy();
  await passTime(60_000);
  isStalled = false;
  const [connection] = upstream.connections;
  if (connection) await closed(connection);
});

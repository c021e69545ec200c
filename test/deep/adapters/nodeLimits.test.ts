import { once } from "node:events";
import { createServer } from "node:http";
import type { Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { tellClient } from "../../../adapters/http/clients.js";
import { Connections } from "../../../adapters/http/connections.js";
import { deferred } from "../../helpers/deferred.js";
import { portOf, recorder, served, token } from "../../helpers/http/hosts.js";
import { membersBody, membersText, paths, texts } from "../../helpers/http/request.js";
import { close, openSocket, receive, requestBytes, startLine } from "../../helpers/http/sockets.js";

/** A request for members whose body has so many bytes; only its head where a length alone is given. */
const post = (more: readonly string[], body?: string) =>
  requestBytes(`POST ${paths.members}`, ["operationID: op-1", `token: ${token}`, close, ...more], body);

/** Opens connections. They end with the test. */
async function openSockets(port: number, count: number, localAddress?: string): Promise<Socket[]> {
  const sockets: Socket[] = [];
  // A hundred at once, since the system has connections wait for only so many to be accepted. The server hangs up on those
  // that have sent nothing for ten seconds.
  while (sockets.length < count) {
    const next = Array.from({ length: Math.min(100, count - sockets.length) }, () => openSocket(port, localAddress));
    sockets.push(...(await Promise.all(next)));
  }
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  return sockets;
}

async function answerTo(socket: Socket, bytes: string) {
  socket.write(bytes);
  return startLine(await receive(socket));
}

it("serve has 2,000 connections open at once, and then closes the oldest idle one of the client with the most", async () => {
  const gate = deferred();
  const { port } = await served({
    callTimeoutMs: false,
    async authenticate() {
      await gate.promise;
      return { adminUserID: "imAdmin" };
    },
  });
  const good = post([], membersBody);
  const isOpen = (socket: Socket) => !socket.resume().destroyed;
  const [other] = await openSockets(port, 1, "127.0.0.2");
  const [working, sending] = await openSockets(port, 2);
  const worked = answerTo(working as Socket, good);
  (sending as Socket).write(good.slice(0, -1));
  const sockets = await openSockets(port, 1_997);
  expect([other, working, sending, ...sockets].every((socket) => isOpen(socket as Socket))).toBe(true);

  await openSockets(port, 5, "127.0.0.3");
  await expect.poll(() => sockets.filter(isOpen).length).toBe(1_993);
  expect(sockets.slice(0, 4).some(isOpen)).toBe(false);
  expect([other, working, sending].map((socket) => isOpen(socket as Socket))).toEqual([true, true, false]);
  const answered = answerTo(other as Socket, good);
  gate.fulfil();
  expect(await Promise.all([worked, answered])).toEqual(Array(2).fill({ status: 200, body: membersText }));
});

it("serve answers 20 requests that come at once on a connection, and hangs up on a client that sends more", async () => {
  let asked = 0;
  const gate = deferred();
  const { port } = await served({
    async authenticate() {
      asked += 1;
      await gate.promise;
      return { adminUserID: "imAdmin" };
    },
  });
  const request = (...more: string[]) =>
    requestBytes(`POST ${paths.members}`, ["operationID: op-1", `token: ${token}`, ...more], membersBody);
  const [few, many] = (await openSockets(port, 2)) as [Socket, Socket];
  few.write(request().repeat(19) + request(close));
  await expect.poll(() => asked).toBe(20);
  many.write(request().repeat(300));
  expect(await receive(many)).toBe("");
  // Those beyond the limit have cost nothing.
  expect(asked).toBe(40);
  const answers = receive(few);
  gate.fulfil();
  expect((await answers).split(membersText)).toHaveLength(21);
  expect(await answerTo((await openSockets(port, 1))[0] as Socket, request(close))).toMatchObject({ status: 200 });
});

it("serve holds 16 MiB of bodies of requests that have yet to be answered, and then cuts off who holds the most", async () => {
  const { errors, observer } = recorder();
  const { port } = await served({ observer, callTimeoutMs: false });
  const length = 1_048_576;
  const [other] = (await openSockets(port, 1, "127.0.0.2")) as [Socket];
  const slow = post([`Content-Length: ${length}`]);
  other.write(slow + "x".repeat(length - 1));
  const sockets = await openSockets(port, 18);
  // All but the last byte.
  for (const socket of sockets) socket.write(slow + "x".repeat(length - 1));
  const isCut = (socket: Socket) => socket.resume().destroyed;
  await expect.poll(() => sockets.filter(isCut).length).toBe(3);
  const kept = sockets.filter((socket) => !isCut(socket));
  const answers = [...kept, other].map(async (socket) => startLine(await receive(socket)));
  for (const socket of [...kept, other]) socket.write("x");
  for (const answer of answers) expect(await answer).toEqual({ status: 200, body: texts.notJson });
  expect(errors).toStrictEqual([]);

  // The memory is free again.
  const again = (await openSockets(port, 14)).map((socket) => answerTo(socket, post([], membersBody.padEnd(length))));
  for (const answer of again) expect(await answer).toEqual({ status: 200, body: membersText });
});

it.each([
  ["in one piece", [`Content-Length: 1048576`], "x".repeat(17)],
  ["in chunks", ["Transfer-Encoding: chunked"], "1\r\nx\r\n".repeat(300)],
])(
  "serve cuts off the oldest connection alone if the byte too many is its own, %s, and no call fails",
  async (_, head, body) => {
    const { errors, observer } = recorder();
    const { port } = await served({ observer, callTimeoutMs: false });
    const length = 1_048_576;
    const slow = post([`Content-Length: ${length}`]);
    const [oldest] = (await openSockets(port, 1)) as [Socket];
    oldest.write(post(head));
    const sockets = await openSockets(port, 16);
    for (const socket of sockets) await new Promise((resolve) => socket.write(slow + "x".repeat(length - 1), resolve));
    // The server, in this process, reads at least a 64 KiB piece of each in a turn of the event loop.
    for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    oldest.write(body);
    expect(await receive(oldest)).toBe("");
    const answers = sockets.map(async (socket) => startLine(await receive(socket)));
    for (const socket of sockets) socket.write("x");
    for (const answer of answers) expect(await answer).toEqual({ status: 200, body: texts.notJson });
    expect(errors).toStrictEqual([]);
  },
);

it("serve lets go of the bodies of requests that wait behind others, when their client goes", async () => {
  const gate = deferred();
  const { port } = await served({
    async authenticate() {
      await gate.promise;
      return { adminUserID: "imAdmin" };
    },
    callTimeoutMs: false,
  });
  const length = 1_000_000;
  for (let client = 0; client < 20; client += 1) {
    const [socket] = (await openSockets(port, 1)) as [Socket];
    const request = requestBytes(`POST ${paths.members}`, ["operationID: op-1", `token: ${token}`], "x".repeat(length));
    socket.write(request.repeat(5));
    if (client === 0) gate.fulfil();
    await new Promise((resolve) => setImmediate(resolve));
    socket.resetAndDestroy();
  }
  const last = (await openSockets(port, 14)).map((socket) => answerTo(socket, post([], membersBody.padEnd(length))));
  for (const answer of last) expect(await answer).toEqual({ status: 200, body: membersText });
});

it("gives up a connection whose client does not read its answer where the others of its address do not either", async () => {
  const server = createServer((request, response) => {
    connections.admit(request, response);
    response.end("x".repeat(20_000_000));
  });
  const connections = new Connections(server, 3);
  const port = await portOf(server.listen(0, "127.0.0.1"));
  const sockets = await openSockets(port, 3, "127.0.0.2");
  for (const socket of sockets) {
    socket.pause().write(requestBytes("GET /"));
    await once(server, "request");
  }
  const [other] = await openSockets(port, 1, "127.0.0.3");
  expect((await receive(sockets[0] as Socket)).length).toBeLessThan(20_000_000);
  (other as Socket).write(requestBytes("GET /"));
  await once(other as Socket, "data");
});

it("counts connections by the client that a proxy tells, and addresses of IPv6 by their first 64 bits", async () => {
  const server = createServer((request, response) => {
    tellClient(request, String(request.headers["x-forwarded-for"]));
    connections.admit(request, response);
    response.end("x");
  });
  const connections = new Connections(server, 5);
  const port = await portOf(server.listen(0, "127.0.0.1"));
  const sockets = await openSockets(port, 5);
  const clients = ["198.51.100.1", "2001:db8:0:1::1", "2001:db8:0:1:2::", "198.51.100.2", "2001:db8:0:1::3"];
  for (const [index, socket] of sockets.entries()) {
    socket.write(requestBytes("GET /", [`X-Forwarded-For: ${clients[index]}`]));
    await once(socket, "data");
  }
  const closed = () => sockets.map((socket) => socket.resume().destroyed);
  await openSockets(port, 1, "127.0.0.2");
  await expect.poll(closed).toEqual([false, true, false, false, false]);
  await openSockets(port, 1, "127.0.0.3");
  await expect.poll(closed).toEqual([false, true, true, false, false]);
});

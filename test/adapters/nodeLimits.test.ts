import { once } from "node:events";
import { createServer } from "node:http";
import type { Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { Connections } from "../../adapters/http/connections.js";
import { deferred } from "../helpers/deferred.js";
import { portOf, served, token } from "../helpers/http/hosts.js";
import { membersBody, membersText, paths, texts } from "../helpers/http/request.js";
import { close, openSocket, receive, requestBytes, startLine } from "../helpers/http/sockets.js";

/** A request for members whose body has so many bytes; only its head where a length alone is given. */
const post = (more: readonly string[], body?: string) =>
  requestBytes(`POST ${paths.members}`, ["operationID: op-1", `token: ${token}`, close, ...more], body);

/** Opens connections. They end with the test. */
async function openSockets(port: number, count: number, localAddress?: string): Promise<Socket[]> {
  const sockets: Socket[] = [];
  // One after the other, since the system has connections wait for only so many to be accepted.
  while (sockets.length < count) sockets.push(await openSocket(port, localAddress));
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

it("serve holds 64 MiB of bodies of requests that have yet to be answered, answers 500 past that, and goes on", async () => {
  const errors: unknown[] = [];
  const { port } = await served({ observer: { onError: ({ error }) => errors.push(error) }, callTimeoutMs: false });
  const length = 1_048_576;
  const sockets = await openSockets(port, 66);
  const answers = sockets.map(async (socket) => startLine(await receive(socket)));
  // All but the last byte.
  for (const socket of sockets) socket.write(post([`Content-Length: ${length}`]) + "x".repeat(length - 1));
  await expect.poll(() => errors.length).toBe(2);
  expect(errors).toEqual(
    Array(2).fill(new Error("requests that have yet to be answered hold more than 67108864 bytes of bodies")),
  );

  for (const socket of sockets) socket.write("x");
  const bodies = (await Promise.all(answers)).map(({ status, body }) => `${status} ${body}`).sort();
  expect(bodies).toEqual([...Array(64).fill(`200 ${texts.notJson}`), ...Array(2).fill(`200 ${texts.internalError}`)]);
  // The memory is free again.
  for (const socket of await openSockets(port, 3)) {
    const answer = await answerTo(socket, post([], membersBody.padEnd(length)));
    expect(answer).toEqual({ status: 200, body: membersText });
  }
  expect(errors).toHaveLength(2);
});

it("gives up a connection whose client does not read its answer where the others of its address do not either", async () => {
  const server = createServer((_request, response) => response.end("x".repeat(20_000_000)));
  new Connections(server, 3);
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

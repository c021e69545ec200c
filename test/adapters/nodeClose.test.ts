import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { serve } from "../../adapters/node.js";
import { httpWorld, membersBody, membersText, paths } from "../helpers/http/request.js";
import { closed, openSocket, receive, startLine } from "../helpers/http/sockets.js";
import { memoryStore } from "../helpers/stores.js";

const members = [
  `POST ${paths.members} HTTP/1.1`,
  "Host: x",
  "operationID: op-1",
  "token: t",
  `Content-Length: ${membersBody.length}`,
  "",
  membersBody,
].join("\r\n");

/** A server whose requests wait, once they have come, until they are let go. */
async function waitingServer() {
  const store = memoryStore();
  await store.put(httpWorld);
  let arrive = () => {};
  let letGo = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const authenticate = async () => {
    arrive();
    await gate;
    return { adminUserID: "imAdmin" };
  };
  const server = await serve({ store, authenticate, port: 0 });
  onTestFinished(() => server.close());
  return { store, server, arrived, letGo };
}

describe("close", () => {
  // Both in less than the 5 s after which everything is cut off.
  it("lets a request under way finish, and refuses new connections meanwhile", { timeout: 4_000 }, async () => {
    const { server, arrived, letGo } = await waitingServer();
    const socket = await openSocket(server.port);
    const answer = receive(socket);
    socket.write(members);
    await arrived;

    let ended = false;
    const end = () => {
      ended = true;
    };
    const bothEnded = Promise.all([server.close().then(end), server.close().then(end)]);
    await expect(openSocket(server.port)).rejects.toMatchObject({ code: "ECONNREFUSED" });
    expect(ended).toBe(false);
    letGo();
    expect(startLine(await answer)).toStrictEqual({ status: 200, body: membersText });
    await bothEnded;
  });

  it("loses no request of clients that go on sending until they are told to stop", async () => {
    const { server, letGo } = await waitingServer();
    letGo();
    const agent = new Agent({ keepAlive: true, maxSockets: 64 });
    onTestFinished(() => agent.destroy());
    const lost: unknown[] = [];
    const answered = new Set<number>();
    const send = () =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const headers = { operationID: "op-1", token: "t" };
        const options = { agent, port: server.port, method: "POST", path: paths.members, headers };
        request(options, resolve).on("error", reject).end(membersBody);
      });
    const loop = async (client: number) => {
      for (;;) {
        try {
          const response = await send();
          expect(Buffer.concat(await response.toArray()).toString()).toBe(membersText);
          answered.add(client);
          if (response.headers.connection === "close") return;
        } catch (error) {
          // Nothing was sent on a connection that was never made.
          if ((error as NodeJS.ErrnoException).code !== "ECONNREFUSED") lost.push(error);
          return;
        }
      }
    };
    const clients = Array.from({ length: 64 }, (_, client) => loop(client));
    // Each has a connection by then: one that only the operating system has accepted is lost with it.
    await expect.poll(() => answered.size, { timeout: 30_000 }).toBe(64);
    await Promise.all([server.close(), ...clients]);
    expect(lost).toStrictEqual([]);
  });

  it("does not wait for connections on which nothing is under way", { timeout: 4_000 }, async () => {
    const { server } = await waitingServer();
    const unused = await openSocket(server.port);
    const begun = await openSocket(server.port);
    begun.write("POST /gro");
    const kept = await openSocket(server.port);
    kept.write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    await once(kept, "data");
    const ended = Promise.all([unused, begun, kept].map(closed));
    await server.close();
    await ended;
  });

  it("gives up a request whose body does not come", async () => {
    const { server } = await waitingServer();
    const socket = await openSocket(server.port);
    socket.write(members.replace("\r\n\r\n", "\r\nExpect: 100-continue\r\n\r\n").slice(0, -1));
    await once(socket, "data");
    const ended = closed(socket);
    await server.close();
    await ended;
  });

  it("may be called twice, and leaves the store open", async () => {
    const { server, store } = await waitingServer();
    await server.close();
    await server.close();
    expect(await store.listNotificationAccounts({ keyword: "", offset: 0, limit: 1 })).toMatchObject({ total: 1 });
  });
});

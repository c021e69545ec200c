import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { deferred } from "../helpers/deferred.js";
import { served, stopTimers, storeOf, until } from "../helpers/http/hosts.js";
import { membersBody, membersText, paths } from "../helpers/http/request.js";
import { closed, openSocket, receive, requestBytes, startLine } from "../helpers/http/sockets.js";

const members = requestBytes(`POST ${paths.members}`, ["operationID: op-1", "token: t"], membersBody);

/** A server whose requests wait, once they have come, until they are let go. */
async function waitingServer() {
  const arrived = deferred();
  const gate = deferred();
  const store = await storeOf();
  const server = await served({
    store,
    async authenticate() {
      arrived.fulfil();
      await gate.promise;
      return { adminUserID: "imAdmin" };
    },
  });
  return { store, server, arrived: arrived.promise, letGo: gate.fulfil };
}

/** Closes a server, and gives whether that has ended. */
function closing(server: { close(): Promise<void> }) {
  const state = { isOver: false, over: Promise.resolve() };
  state.over = server.close().then(() => {
    state.isOver = true;
  });
  return state;
}

describe("close", () => {
  it("lets a request under way finish, and refuses new connections meanwhile", async () => {
    stopTimers();
    const { server, arrived, letGo } = await waitingServer();
    const socket = await openSocket(server.port);
    const answer = receive(socket);
    socket.write(members);
    await arrived;
    const both = [closing(server), closing(server)];
    await expect(openSocket(server.port)).rejects.toMatchObject({ code: "ECONNREFUSED" });
    expect(both.map(({ isOver }) => isOver)).toEqual([false, false]);
    letGo();
    expect(startLine(await answer)).toStrictEqual({ status: 200, body: membersText });
    await Promise.all(both.map(({ over }) => over));
  });

  it("loses no request of clients that go on sending until they are told to stop", async () => {
    stopTimers();
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
    // Wait until the server has each connection: one that only the system has accepted would be lost.
    await until(() => answered.size === 64);
    await Promise.all([server.close(), ...clients]);
    expect(lost).toStrictEqual([]);
  });

  it("answers for half a second on connections that are idle, and does not wait for them any longer", async () => {
    stopTimers();
    const { server } = await waitingServer();
    const unused = await openSocket(server.port);
    const begun = await openSocket(server.port);
    begun.write("POST /gro");
    const health = requestBytes("GET /healthz");
    const [kept, used] = [await openSocket(server.port), await openSocket(server.port)];
    for (const socket of [kept, used]) {
      socket.write(health);
      await once(socket, "data");
    }
    const { over } = closing(server);
    await vi.advanceTimersByTimeAsync(499);
    used.write(health);
    expect(startLine(await receive(used))).toEqual({ status: 200, body: '{"status":"ok"}' });
    const ended = Promise.all([unused, begun, kept].map(closed));
    await vi.advanceTimersByTimeAsync(1);
    await Promise.all([over, ended]);
  });

  it("gives up, after five seconds, a request whose body does not come", async () => {
    stopTimers();
    const { server, letGo } = await waitingServer();
    letGo();
    const socket = await openSocket(server.port);
    socket.write(members.replace("\r\n\r\n", "\r\nExpect: 100-continue\r\n\r\n").slice(0, -1));
    await once(socket, "data");
    const ended = closed(socket);
    const state = closing(server);
    await vi.advanceTimersByTimeAsync(4_999);
    await expect(openSocket(server.port)).rejects.toMatchObject({ code: "ECONNREFUSED" });
    expect([state.isOver, socket.destroyed]).toEqual([false, false]);
    await vi.advanceTimersByTimeAsync(1);
    await Promise.all([state.over, ended]);
  });

  it("may be called twice, and leaves the store open", async () => {
    const { server, store } = await waitingServer();
    await server.close();
    await server.close();
    expect(await store.listNotificationAccounts({ keyword: "", offset: 0, limit: 1 })).toMatchObject({ total: 1 });
  });
});

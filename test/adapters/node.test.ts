import { once } from "node:events";
import { Agent, createServer, request } from "node:http";
import https from "node:https";
import { type AddressInfo, connect } from "node:net";
import { networkInterfaces } from "node:os";
import { describe, expect, it, onTestFinished } from "vitest";
import { fixedTokenAuthenticator } from "../../adapters/auth.js";
import type { FetchHandlerOptions } from "../../adapters/fetch.js";
import { createNodeListener, type ServeOptions, serve } from "../../adapters/node.js";
import { httpWorld, membersBody, membersText, paths } from "../helpers/http/request.js";
import { memoryStore } from "../helpers/stores.js";

const post = { method: "POST", headers: { operationID: "op-1", token: "t" } };

async function options(): Promise<FetchHandlerOptions> {
  const store = memoryStore();
  await store.put(httpWorld);
  return { store, authenticate: fixedTokenAuthenticator([{ token: "t", adminUserID: "imAdmin" }]) };
}

async function served(more: Partial<ServeOptions> = {}) {
  const server = await serve({ ...(await options()), port: 0, ...more });
  onTestFinished(() => server.close());
  return server;
}

async function text(url: string): Promise<string> {
  const response = await fetch(url + paths.members, { ...post, body: membersBody });
  return response.text();
}

it("answers large requests that have come at the same time in turns of the event loop of their own", async () => {
  let turn = 0;
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
  });
  (function count(): void {
    turn += 1;
    if (!isOver) setImmediate(count);
  })();
  const turns: number[] = [];
  const { port } = await served({ observer: { onCall: () => void turns.push(turn) } });
  const body = `${membersBody}${" ".repeat(20_000)}`;
  const sockets = Array.from({ length: 8 }, () => connect(port, "127.0.0.1"));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  const send = async (text: string) => {
    // Written in one turn, so that the server finds all of them in another.
    const answers = sockets.map((socket) => {
      socket.write(text);
      return once(socket, "data");
    });
    return (await Promise.all(answers)).map(([data]) => String(data).slice(0, 15));
  };
  expect(new Set(await send("GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n"))).toEqual(new Set(["HTTP/1.1 200 OK"]));
  const head = `POST ${paths.members} HTTP/1.1\r\nhost: a\r\noperationID: o\r\ntoken: t\r\ncontent-length: ${body.length}`;
  expect(new Set(await send(`${head}\r\n\r\n${body}`))).toEqual(new Set(["HTTP/1.1 200 OK"]));
  expect(turns).toHaveLength(8);
  expect(new Set(turns).size).toBe(8);
});

describe("serve", () => {
  it("listens on port 10002 of 127.0.0.1 unless it is told otherwise", async () => {
    // Where another process has the port, the error says which it was.
    const url = await serve(await options()).then(
      (server) => server.close().then(() => server.url),
      ({ code, address, port }) => code === "EADDRINUSE" && `http://${address}:${port}`,
    );
    expect(url).toBe("http://127.0.0.1:10002");
  });

  it("picks a free port for port 0, and says which", async () => {
    const { url, port } = await served();
    expect(port).toBeGreaterThan(0);
    expect(url).toBe(`http://127.0.0.1:${port}`);
    expect(await text(url)).toBe(membersText);
  });

  it("puts an IPv6 address into brackets, where the machine has IPv6", async () => {
    const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    if (addresses.some(({ address }) => address === "::1")) {
      const { url, port } = await served({ host: "::1" });
      expect(url).toBe(`http://[::1]:${port}`);
      expect(await text(url)).toBe(membersText);
    } else {
      await expect(served({ host: "::1" })).rejects.toMatchObject({ syscall: "listen", address: "::1" });
    }
  });

  it("rejects where the port is in use", async () => {
    const { port } = await served();
    await expect(served({ port })).rejects.toMatchObject({ code: "EADDRINUSE", port });
  });

  it("rejects with a TypeError where an option is missing", async () => {
    await expect(serve({} as ServeOptions)).rejects.toThrow(TypeError);
    await expect(served({ basePath: "/admin", cors: "*" as never })).rejects.toThrow(
      "cors must be true, false or a list",
    );
  });

  it.each([-1, 65_536, 1.5, "3000", "abc", null])("refuses the port %j", async (port) => {
    await expect(served({ port: port as number })).rejects.toThrow(
      new TypeError("port must be an integer from 0 to 65535"),
    );
  });

  it.each(["", null, 127])("refuses the host %j, which would be every address of the machine", async (host) => {
    await expect(served({ host: host as string })).rejects.toThrow(
      new TypeError('host must be an address, such as "127.0.0.1"'),
    );
  });

  it("keeps connections, so that clients need not open one for each request", async () => {
    const { port } = await served();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const reused = [];
    for (const _request of [1, 2, 3]) {
      const sent = request({ port, agent, path: "/healthz" }).end();
      const [response] = await once(sent, "response");
      await response.toArray();
      reused.push(sent.reusedSocket);
    }
    expect(reused).toStrictEqual([false, true, true]);
  });

  it("answers /healthz while the store does, without any header", async () => {
    const { url } = await served();
    const response = await fetch(`${url}/healthz?from=probe`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.text()).toBe('{"status":"ok"}');
  });

  it.each(["/healthz/", "/healthz//?from=probe"])("answers %s like /healthz", async (path) => {
    const { url } = await served();
    expect(await (await fetch(url + path)).text()).toBe('{"status":"ok"}');
  });

  it("answers HEAD to /healthz, which some probes send, without a body", async () => {
    const { url } = await served();
    const response = await fetch(`${url}/healthz`, { method: "HEAD" });
    expect([response.status, await response.text()]).toEqual([200, ""]);
  });

  it("answers /healthz with 503, and no more, when the store fails", async () => {
    const store = memoryStore();
    await store.close();
    const { url } = await served({ store });
    expect((await fetch(`${url}/healthz`, { method: "HEAD" })).status).toBe(503);
    const response = await fetch(`${url}/healthz`);
    expect(response.status).toBe(503);
    expect(await response.text()).toBe('{"status":"the store does not answer"}');
  });
});

describe("createNodeListener", () => {
  it("can be mounted beside other routes of an http server", async () => {
    const listener = createNodeListener({ ...(await options()), basePath: "/admin" });
    const server = createServer((request, response) => {
      if (request.url?.startsWith("/admin/")) listener(request, response);
      else response.end("something else");
    });
    const { port } = await listening(server);
    expect(await text(`http://127.0.0.1:${port}/admin`)).toBe(membersText);
    expect(await text(`http://127.0.0.1:${port}`)).toBe("something else");
  });

  it("can be mounted in an https server", async () => {
    // A shared key instead of a certificate, so that the test needs no files.
    const psk = Buffer.from("a key that both sides know");
    const ciphers = "PSK";
    const server = https.createServer({ ciphers, pskCallback: () => psk }, createNodeListener(await options()));
    const { port } = await listening(server);
    const pskCallback = () => ({ psk, identity: "client" });
    const secure = {
      port,
      path: paths.members,
      ciphers,
      pskCallback,
      checkServerIdentity: () => undefined,
      agent: false,
    };
    const sent = https.request({ ...post, ...secure } as https.RequestOptions).end(membersBody);
    const [response] = await once(sent, "response");
    expect(Buffer.concat(await response.toArray()).toString()).toBe(membersText);
  });

  it("answers a request that was cut off before it was handed on", async () => {
    let called = (_errCode: number) => {};
    const report = new Promise<number>((resolve) => {
      called = resolve;
    });
    const observer = { onCall: ({ errCode }: { errCode: number }) => called(errCode) };
    const listener = createNodeListener({ ...(await options()), observer });
    const server = createServer((request, response) => request.once("close", () => listener(request, response)));
    const { port } = await listening(server);
    const socket = connect(port, "127.0.0.1");
    socket.write("POST /group/get_group_member_list HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{");
    await once(server, "request");
    socket.destroy();
    expect(await report).toBe(1001);
  });

  it("tells the observer, and not the client, where the body was read before", async () => {
    const causes: unknown[] = [];
    const observer = { onError: ({ error }: { error: unknown }) => causes.push(error) };
    const listener = createNodeListener({ ...(await options()), observer });
    const server = createServer(async (request, response) => {
      await request.toArray();
      listener(request, response);
    });
    const { port } = await listening(server);
    expect(await text(`http://127.0.0.1:${port}`)).toBe(
      '{"errCode":500,"errMsg":"ServerInternalError","errDlt":"500 ServerInternalError"}',
    );
    expect(causes).toStrictEqual([
      expect.objectContaining({ message: expect.stringContaining("body was read before") }),
    ]);
  });
});

async function listening(server: ReturnType<typeof createServer> | https.Server): Promise<AddressInfo> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return server.address() as AddressInfo;
}

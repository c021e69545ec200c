import { once } from "node:events";
import { Agent, createServer, request } from "node:http";
import https from "node:https";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { describe, expect, it, onTestFinished } from "vitest";
import { createNodeListener, type ServeOptions, serve } from "../../adapters/node.js";
import { deferred } from "../helpers/deferred.js";
import { byToken, listening, portOf, served, storeOf, token } from "../helpers/http/hosts.js";
import { membersBody, membersText, paths } from "../helpers/http/request.js";
import { sendOverHttp } from "../helpers/http/send.js";

const options = async () => ({ store: await storeOf(), authenticate: byToken });
const post = { method: "POST", headers: { operationID: "op-1", token }, body: membersBody };

/** Asks for the members on a connection of its own. */
async function membersAt(port: number, base = "", ...client: [open?: typeof request, options?: object]) {
  const { text } = await sendOverHttp(port, { ...post, path: base + paths.members }, ...client);
  return text;
}

/** Asks for something without headers. */
async function ask(port: number, path: string, method = "GET") {
  const { status, text, headers } = await sendOverHttp(port, { method, path, headers: {} });
  return [status, headers.get("content-type"), text];
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
  const head = `POST ${paths.members} HTTP/1.1\r\nhost: a\r\noperationID: o\r\ntoken: ${token}\r\ncontent-length: ${body.length}`;
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
    expect(await membersAt(port)).toBe(membersText);
  });

  it("puts an IPv6 address into brackets, where the machine has IPv6", async () => {
    const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    if (addresses.some(({ address }) => address === "::1")) {
      const { url, port } = await served({ host: "::1" });
      expect(url).toBe(`http://[::1]:${port}`);
      expect(await membersAt(port, "", request, { host: "::1" })).toBe(membersText);
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
    const { port } = await served();
    for (const path of ["/healthz?from=probe", "/healthz/", "/healthz//?from=probe"]) {
      expect(await ask(port, path)).toEqual([200, "application/json", '{"status":"ok"}']);
    }
    // Some probes send HEAD.
    expect(await ask(port, "/healthz", "HEAD")).toEqual([200, "application/json", ""]);
  });

  it("answers /healthz with 503, and no more, when the store fails", async () => {
    const store = await storeOf();
    await store.close();
    const { port } = await served({ store });
    expect(await ask(port, "/healthz", "HEAD")).toEqual([503, "application/json", ""]);
    expect(await ask(port, "/healthz")).toEqual([503, "application/json", '{"status":"the store does not answer"}']);
  });
});

describe("createNodeListener", () => {
  it("can be mounted beside other routes of an http server", async () => {
    const listener = createNodeListener({ ...(await options()), basePath: "/admin" });
    const port = await listening((request, response) => {
      if (request.url?.startsWith("/admin/")) listener(request, response);
      else response.end("something else");
    });
    expect(await membersAt(port, "/admin")).toBe(membersText);
    expect(await membersAt(port)).toBe("something else");
  });

  it("can be mounted in an https server", async () => {
    // A shared key instead of a certificate, so that the test needs no files.
    const psk = Buffer.from("a key that both sides know");
    const ciphers = "PSK";
    const server = https.createServer({ ciphers, pskCallback: () => psk }, createNodeListener(await options()));
    const pskCallback = () => ({ psk, identity: "client" });
    const client = { ciphers, pskCallback, checkServerIdentity: () => undefined };
    expect(await membersAt(await portOf(server.listen(0, "127.0.0.1")), "", https.request, client)).toBe(membersText);
  });

  it("answers a request that was cut off before it was handed on", async () => {
    const report = deferred<number>();
    const observer = { onCall: ({ errCode }: { errCode: number }) => report.fulfil(errCode) };
    const listener = createNodeListener({ ...(await options()), observer });
    const server = createServer((request, response) => request.once("close", () => listener(request, response)));
    const socket = connect(await portOf(server.listen(0, "127.0.0.1")), "127.0.0.1");
    socket.write("POST /group/get_group_member_list HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{");
    await once(server, "request");
    socket.destroy();
    expect(await report.promise).toBe(1001);
  });
});

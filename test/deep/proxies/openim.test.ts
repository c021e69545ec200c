/** The recipes of docs/openim.md for what stands before im-admin, with the ports changed and without a certificate. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, request as httpRequest, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { imAdmin, importFiles, serve } from "../../helpers/cliProcess.js";
import { blockIn } from "../../helpers/docs/pages.js";
import { portOf } from "../../helpers/http/hosts.js";
import { freePort } from "../../helpers/http/sockets.js";
import { httpUpstream } from "../../helpers/http/upstreams.js";
import { temporaryFolder } from "../../helpers/stores.js";
import { runCaddy, runNginx } from "../helpers/proxies.js";

const page = "docs/openim.md";
const secret = "a-secret-of-some-length";
const large = 20_000_000;
/** A copy that has all collections of lists. */
const copied = {
  "user.json": "",
  "group.json": "",
  "group_member.json": "",
  "black.json": "",
  "group_request.json": "",
};

interface Ports {
  port: number;
  imAdmin: number;
  gateway: number;
}

function withPorts(code: string, ports: Ports): string {
  return code
    .replaceAll("127.0.0.1:10002", `127.0.0.1:${ports.imAdmin}`)
    .replaceAll("127.0.0.1:10001", `127.0.0.1:${ports.gateway}`);
}

const proxies: Record<string, (folder: string, ports: Ports) => ChildProcess> = {
  nginx: (folder, ports) => runNginx(folder, ports.port, withPorts(blockIn(page, "proxy_pass"), ports)),
  Caddy: (folder, ports) => {
    const site = blockIn(page, "handle_path").replace("chat.example.org", `http://127.0.0.1:${ports.port}`);
    return runCaddy(folder, withPorts(site, ports));
  },
};

describe.each(Object.entries(proxies))("%s", (_name, start) => {
  it("passes large bodies, addresses and lists to im-admin, and WebSockets to the gateway", async () => {
    const openIM = await httpUpstream(async (request, response) => {
      let length = 0;
      for await (const chunk of request) length += chunk.length;
      response.end(JSON.stringify({ url: request.url, length, from: request.headers["x-forwarded-for"] }));
    });
    const gateway = createServer();
    const reached = once(gateway, "upgrade");
    const { database } = await importFiles(copied);
    const { url } = await serve(`--db ${database} --secret ${secret} --admin boss --upstream ${openIM}`.split(" "));
    const ports = {
      port: await freePort(),
      imAdmin: Number(new URL(url).port),
      gateway: await portOf(gateway.listen(0, "127.0.0.1")),
    };
    const proxy = start(temporaryFolder(), ports);
    onTestFinished(() => void proxy.kill());
    const send = async (path: string, body: string | Uint8Array<ArrayBuffer>, token = "") => {
      const headers = { operationID: "op1", token };
      return (await fetch(`http://127.0.0.1:${ports.port}${path}`, { method: "POST", headers, body })).json();
    };
    while ((await send("/api/x", "").catch(() => undefined)) === undefined) await sleep(50);

    const from = "127.0.0.1, 127.0.0.1";
    expect(await send("/api/object/upload?a=b", new Uint8Array(large))).toStrictEqual({
      url: "/object/upload?a=b",
      length: large,
      from,
    });
    const token = (await imAdmin(["token", "--secret", secret, "--admin", "boss"])).stdout.trim();
    const list = "/user/search_notification_account";
    const body = JSON.stringify({ pagination: { pageNumber: 1, showNumber: 1 } });
    expect(await send(`/api${list}`, body, token)).toMatchObject({ errCode: 0, data: { total: 0 } });
    expect(await send(`/api${list}`, body)).toStrictEqual({ url: list, length: body.length, from });

    const headers = {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
    };
    const upgrade = httpRequest({ host: "127.0.0.1", port: ports.port, path: "/msg_gateway?token=x", headers });
    upgrade.on("error", () => {}).end();
    const [request, socket] = (await reached) as [IncomingMessage, Socket];
    expect([request.url, request.headers.upgrade]).toStrictEqual(["/?token=x", "websocket"]);
    socket.destroy();
  });
});

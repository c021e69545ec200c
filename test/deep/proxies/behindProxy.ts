import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, request as httpRequest, type IncomingMessage } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { imAdmin, importFiles, start } from "../../helpers/cliProcess.js";
import { freePort } from "../../helpers/http/sockets.js";
import { temporaryFolder } from "../../helpers/stores.js";

const secret = "a-secret-of-some-length";
/** A copy that has all collections of lists. */
const copied = {
  "user.json": "",
  "group.json": "",
  "group_member.json": "",
  "black.json": "",
  "group_request.json": "",
};

export const listPath = "/user/search_notification_account";
export const listBody = JSON.stringify({ pagination: { pageNumber: 1, showNumber: 1 } });

/** Where all listen. */
export interface Ports {
  proxy: number;
  imAdmin: number;
  openIm: number;
  gateway: number;
}

export type StartProxy = (folder: string, ports: Ports) => ChildProcess;

/** An OpenIM server that says what has arrived: where, how much, and from whom. It can be stopped. */
async function startOpenIm(port: number) {
  const arrived: string[] = [];
  const server = createServer((request, response) => {
    const { url = "", headers } = request;
    let length = 0;
    // A request that is cut off has not arrived.
    request.on("error", () => {}).on("data", (chunk: Buffer) => (length += chunk.length));
    request.on("end", () => {
      const isQuestion = url === "/user/account_check";
      if (!isQuestion) arrived.push(`${url} ${headers["operationid"]}`);
      response.end(JSON.stringify(isQuestion ? { errCode: 0 } : { url, length, from: headers["x-forwarded-for"] }));
    });
  });
  const listen = () => once(server.listen(port, "127.0.0.1"), "listening");
  const stop = async () => {
    const closed = once(server.close(), "close");
    server.closeAllConnections();
    await closed;
  };
  await listen();
  onTestFinished(() => void server.close().closeAllConnections());
  return { arrived, listen, stop };
}

/** Starts OpenIM, im-admin beside it, and a proxy that sends the lists to im-admin. */
export async function startBehind(startProxy: StartProxy) {
  const gateway = createServer();
  await once(gateway.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void gateway.close().closeAllConnections());
  const ports: Ports = {
    proxy: await freePort(),
    imAdmin: await freePort(),
    openIm: await freePort(),
    gateway: (gateway.address() as AddressInfo).port,
  };
  const openIm = await startOpenIm(ports.openIm);
  const { database } = await importFiles(copied);
  const keys = `--secret ${secret} --admin boss`.split(" ");
  const token = (await imAdmin(["token", ...keys])).stdout.trim();

  async function serve() {
    const upstream = `--upstream http://127.0.0.1:${ports.openIm} --log-level silent`;
    const flags = `--db ${database} --port ${ports.imAdmin} --allow-host chat.example.org ${upstream}`;
    const server = start(["serve", ...keys, ...flags.split(" ")]);
    await server.wrote("stdout", /answers on/);
    return {
      end(signal: NodeJS.Signals) {
        server.kill(signal);
        return server.ended;
      },
    };
  }

  const proxy = startProxy(temporaryFolder(), ports);
  onTestFinished(() => void proxy.kill());
  let calls = 0;
  /** Calls a path of the API, as a user does where no token is given. The status says so if there is no whole answer. */
  async function send(path: string, body: string | Uint8Array<ArrayBuffer>, sent = "a user's") {
    calls += 1;
    const headers = { operationID: `op${calls}`, token: sent };
    try {
      const answer = await fetch(`http://127.0.0.1:${ports.proxy}/api${path}`, { method: "POST", headers, body });
      const text = await answer.text();
      return { status: answer.status, text, value: answer.status === 200 ? JSON.parse(text) : undefined };
    } catch {
      return { status: "cut off", text: "", value: undefined };
    }
  }
  while ((await send("/x", "")).status === "cut off") await sleep(50);

  /** What the gateway gets of a WebSocket. */
  async function openWebSocket(path: string): Promise<[url: string | undefined, upgrade: string | undefined]> {
    const reached = once(gateway, "upgrade");
    const headers = {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
    };
    const upgrade = httpRequest({ host: "127.0.0.1", port: ports.proxy, path, headers });
    upgrade.on("error", () => {}).end();
    const [{ url, headers: received }, socket] = (await reached) as [IncomingMessage, Socket];
    socket.destroy();
    return [url, received.upgrade];
  }
  return { openIm, token, serve, send, openWebSocket };
}

type Behind = Awaited<ReturnType<typeof startBehind>>;

/** Keeps sending lists, with both kinds of tokens, and writes, and counts what comes of them. */
export class Traffic {
  /** Lists that im-admin answered, and lists that OpenIM answered. */
  readonly lists = { own: 0, openIm: 0 };
  /** What became of the lists that nobody answered. */
  failures: string[] = [];
  /** The lists that are sent at once. */
  readonly atOnce = 4;
  readonly #behind: Behind;
  readonly #senders: Promise<void>[];
  #isOver = false;

  constructor(behind: Behind) {
    this.#behind = behind;
    this.#senders = [
      ...Array.from({ length: this.atOnce }, (_, index) => this.#sendLists(index % 2 === 0 ? behind.token : undefined)),
      this.#sendWrites("/conversation/set_conversations"),
      this.#sendWrites("/auth/get_admin_token"),
    ];
    onTestFinished(() => this.end());
  }

  /** Waits until so many more lists have been answered by one of the two. Gives the failures meanwhile. */
  async answered(by: "own" | "openIm", count: number): Promise<string[]> {
    const goal = this.lists[by] + count;
    while (this.lists[by] < goal) await sleep(5);
    const { failures } = this;
    this.failures = [];
    return failures;
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#senders);
  }

  async #sendLists(token: string | undefined): Promise<void> {
    while (!this.#isOver) {
      const { status, value } = await this.#behind.send(listPath, listBody, token);
      if (token && value?.errCode === 0) this.lists.own += 1;
      else if (value?.url === listPath && value.length === listBody.length) this.lists.openIm += 1;
      else this.failures.push(String(status));
    }
  }

  async #sendWrites(path: string): Promise<void> {
    while (!this.#isOver) {
      const { status } = await this.#behind.send(path, "{}");
      if (status !== 200) this.failures.push(`${path} ${status}`);
    }
  }
}

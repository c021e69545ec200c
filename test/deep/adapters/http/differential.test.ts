import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { createServer } from "node:http";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { randomOf, rounds, seed } from "../../../helpers/chance.js";
import { portOf } from "../../../helpers/http/hosts.js";
import { closed, openSocket } from "../../../helpers/http/sockets.js";
import { servedBeside } from "../../../helpers/http/upstreams.js";
import { randomBytesOf } from "../../helpers/rawRequests.js";

/** A request as a server has understood it; each character of the body is a byte. */
interface Understood {
  method: string;
  target: string;
  body: string;
}

/** A server that keeps what it understands. */
interface Server {
  port: number;
  /** What it has understood since the last call. */
  take(): Promise<Understood[]>;
}

/** Go's server where Go is installed, since OpenIM is written in Go; Node's elsewhere. */
async function upstreamServer(): Promise<Server> {
  if (spawnSync("go", ["version"]).status !== 0) return nodeServer();
  const program = join(mkdtempSync(join(tmpdir(), "im-admin-go-")), "upstream");
  execFileSync("go", ["build", "-o", program, join(import.meta.dirname, "../../helpers/upstream.go")]);
  const child = spawn(program, { stdio: ["pipe", "pipe", "ignore"] });
  onTestFinished(() => void child.kill());
  const [port, record] = JSON.parse(String((await once(child.stdout, "data"))[0])) as [number, number];
  return { port, take: async () => (await fetch(`http://127.0.0.1:${record}`)).json() as Promise<Understood[]> };
}

/** Node's server, with all headers, as the gateway has it. */
async function nodeServer(): Promise<Server> {
  let record: Partial<Understood>[] = [];
  const server = createServer({ maxHeaderSize: 65_536 }, async (request, response) => {
    const { method = "", url = "" } = request;
    const understood: Partial<Understood> = { method, target: url };
    record.push(understood);
    const chunks = await request.toArray().catch(() => undefined);
    if (chunks !== undefined) understood.body = Buffer.concat(chunks).toString("latin1");
    response.end("ok");
  });
  server.maxHeadersCount = 0;
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  const port = await portOf(server.listen(0, "127.0.0.1"));
  return {
    port,
    async take() {
      const taken = record.filter((one): one is Understood => one.body !== undefined);
      record = [];
      return taken;
    },
  };
}

/** Sends pieces, and resolves when the server has closed the connection, or has been silent for long. */
async function send(port: number, pieces: readonly Buffer[]): Promise<void> {
  const socket = await openSocket(port);
  socket.setNoDelay(true);
  const isOver = closed(socket);
  for (const piece of pieces) {
    if (socket.destroyed) break;
    socket.write(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const patience = hangUpAfter(socket, 50);
  await isOver;
  clearInterval(patience);
}

/** A server that waits for more bytes sends nothing. */
function hangUpAfter(socket: Socket, silentMs: number): NodeJS.Timeout {
  let bytes = -1;
  return setInterval(() => {
    if (socket.bytesRead === bytes) socket.destroy();
    bytes = socket.bytesRead;
  }, silentMs);
}

/** Whether all of `part` stands in `whole`, in this order. */
function isWithin(part: readonly Understood[], whole: readonly Understood[]): boolean {
  let next = 0;
  for (const item of whole) {
    const wanted = part[next];
    if (wanted === undefined) break;
    if (wanted.method === item.method && wanted.target === item.target && wanted.body === item.body) next += 1;
  }
  return next === part.length;
}

it("lets an upstream understand nothing but what the gateway has understood, whatever bytes a client sends", async () => {
  const random = randomOf(seed);
  const upstream = await upstreamServer();
  const node = await nodeServer();
  const { port } = await servedBeside(`http://127.0.0.1:${upstream.port}`);
  const count = rounds(20_000);
  let passed = 0;
  let before: Understood[] = [];
  /** Without what the upstream has understood after its client had gone. */
  const takeOwn = async () => (await upstream.take()).filter((one) => !isWithin([one], before));
  for (let round = 0; round < count; round += 1) {
    const pieces = randomBytesOf(random, round);
    await send(upstream.port, pieces);
    const direct = await takeOwn();
    await send(node.port, pieces);
    const parsed = await node.take();
    await send(port, pieces);
    const through = await takeOwn();
    // The upstream alone would have understood the same, unless it refuses what Node takes.
    const isRight = isWithin(through, parsed) && (isWithin(through, direct) || direct.length < parsed.length);
    const sent = Buffer.concat(pieces).toString("latin1");
    if (!isRight) expect.fail(`round ${round}: ${JSON.stringify({ sent, direct, parsed, through })}`);
    passed += through.length;
    before = parsed;
  }
  expect(passed).toBeGreaterThan(count / 2);
}, 1_200_000);

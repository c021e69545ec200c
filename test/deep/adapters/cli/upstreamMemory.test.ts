import { Agent } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { randomOf, rounds, seed } from "../../../helpers/chance.js";
import { serve } from "../../../helpers/cliProcess.js";
import { clientSide, UpstreamSide } from "../../../helpers/http/exchangePartners.js";
import { randomExchange } from "../../../helpers/http/exchanges.js";
import { until } from "../../../helpers/http/hosts.js";
import { openSocket } from "../../../helpers/http/sockets.js";
import { httpUpstream, rawUpstream } from "../../../helpers/http/upstreams.js";
import { residentBytes } from "../../helpers/residentBytes.js";

const large = 52_428_800;
const atOnce = 8;
const flags = "--db :memory: --secret a-secret-of-some-length --admin boss --upstream".split(" ");

it("holds none of the bytes that it passes on", async () => {
  const random = randomOf(seed);
  // The first ones bring the memory to where it stays.
  const count = atOnce * (1 + rounds(10));
  const exchanges = Array.from({ length: 2 * count }, (_, index) =>
    randomExchange(random, index % 2 === 0 ? { request: large } : { answer: large }),
  );
  const upstream = new UpstreamSide(exchanges);
  const url = await httpUpstream((request, response) => void upstream.answer(request, response));
  const { url: own, pid } = await serve([...flags, url]);
  const port = Number(new URL(own).port);
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());

  async function pass(from: number, to: number): Promise<void> {
    const queue = exchanges.slice(from, to).entries();
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (const [index, exchange] of queue) {
          const back = await clientSide(exchange, from + index, { port, agent, upstream });
          expect(back).toMatchObject({ isRight: true, isWhole: true, length: exchange.answer.content.size });
        }
      }),
    );
  }

  await pass(0, 2 * atOnce);
  const before = residentBytes(pid);
  await pass(2 * atOnce, exchanges.length);
  expect(residentBytes(pid) - before).toBeLessThan(50 * 2 ** 20);
});

it("keeps nothing of clients that go while they wait for an upstream that has enough to do", async () => {
  const upstream = await rawUpstream(() => {});
  // The heads of all clients together are larger than this heap, in megabytes.
  const { url } = await serve([...flags, upstream.url], { NODE_OPTIONS: "--max-old-space-size=128" });
  const port = Number(new URL(url).port);
  const held = await Promise.all(Array.from({ length: 1_000 }, () => openSocket(port)));
  onTestFinished(() => {
    for (const socket of held) socket.destroy();
  });
  for (const socket of held) socket.write("GET /held HTTP/1.1\r\nHost: x\r\n\r\n");
  await until(() => upstream.received.filter((received) => received !== "").length === 1_000);

  const request = `GET /gone HTTP/1.1\r\nHost: x\r\nX-A: ${"a".repeat(60_000)}\r\n\r\n`;
  for (let client = 0; client < 4_000; client += 1) {
    const socket = await openSocket(port);
    await new Promise<void>((resolve) =>
      socket
        .end(request)
        .resume()
        .once("close", () => resolve()),
    );
  }
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

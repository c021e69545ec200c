import { expect, it, onTestFinished } from "vitest";
import { rounds } from "../../../helpers/chance.js";
import { serve } from "../../../helpers/cliProcess.js";
import { until } from "../../../helpers/http/hosts.js";
import { openSocket, requestBytes } from "../../../helpers/http/sockets.js";
import { httpUpstream, rawUpstream } from "../../../helpers/http/upstreams.js";
import { residentBytes } from "../../helpers/residentBytes.js";

const large = new Uint8Array(52_428_800);
const atOnce = 8;
const flags = "--db :memory: --secret a-secret-of-some-length --admin boss --upstream".split(" ");

it("holds none of the bytes that it passes on", async () => {
  const upstream = await httpUpstream(async (request, response) => {
    let bytes = 0;
    for await (const chunk of request) bytes += chunk.length;
    response.end(request.url === "/long-answer" ? large : String(bytes));
  });
  const { url, pid } = await serve([...flags, upstream]);
  const pass = async () => {
    const sent = await fetch(`${url}/long-request`, { method: "POST", body: large });
    expect(await sent.text()).toBe(String(large.length));
    const answer = await fetch(`${url}/long-answer`);
    expect((await answer.arrayBuffer()).byteLength).toBe(large.length);
  };
  const passSome = () => Promise.all(Array.from({ length: atOnce }, pass));
  // The first ones bring the memory to where it stays.
  await passSome();
  const before = residentBytes(pid);
  for (let round = 0; round < rounds(10); round += 1) await passSome();
  expect(residentBytes(pid) - before).toBeLessThan(50 * 2 ** 20);
});

it("keeps nothing of clients that go while they wait for an upstream that has enough to do", async () => {
  const upstream = await rawUpstream();
  // The heads of all clients together are larger than this heap, in megabytes.
  const { url } = await serve([...flags, upstream.url], { NODE_OPTIONS: "--max-old-space-size=128" });
  const port = Number(new URL(url).port);
  const held = await Promise.all(Array.from({ length: 1_000 }, () => openSocket(port)));
  onTestFinished(() => {
    for (const socket of held) socket.destroy();
  });
  for (const socket of held) socket.write(requestBytes("GET /held"));
  await until(() => upstream.received.filter((received) => received !== "").length === 1_000);

  const request = requestBytes("GET /gone", [`X-A: ${"a".repeat(60_000)}`]);
  for (let client = 0; client < 4_000; client += 1) {
    const socket = (await openSocket(port)).resume().end(request);
    await new Promise<void>((resolve) => socket.once("close", () => resolve()));
  }
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

/** Strangers without a token, beside an OpenIM server, one kind after the other. Another client is answered meanwhile. */
import { request as httpRequest } from "node:http";
import type { Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { serve } from "../../../helpers/cliProcess.js";
import { paths } from "../../../helpers/http/request.js";
import { closed, openSocket, requestBytes } from "../../../helpers/http/sockets.js";
import { httpUpstream } from "../../../helpers/http/upstreams.js";
import { residentBytes } from "../../helpers/residentBytes.js";

const flags =
  "--db :memory: --secret a-secret-of-some-length --admin boss --allow-host x --log-level silent --upstream".split(" ");
const headers = ["operationID: op1", "token: t"];
const line = `POST ${paths.members}`;

/** Asks from another address. Rejects without the right answer in ten seconds. */
function ask(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", localAddress: "127.0.0.2", port, path: paths.members, agent: false };
    const sent = httpRequest({ ...options, method: "POST", headers: { operationID: "op2", token: "u" } }, (answer) => {
      answer.toArray().then((chunks) => {
        const text = Buffer.concat(chunks).toString();
        if (text === "from OpenIM") resolve();
        else reject(new Error(text));
      }, reject);
    });
    sent.setTimeout(10_000, () => sent.destroy(new Error("no answer in ten seconds"))).on("error", reject);
    sent.end("{}");
  });
}

const attacks: Record<string, (port: number, keep: (socket: Socket) => Socket) => Promise<unknown>> = {
  async "1,000 slow bodies"(port, keep) {
    for (let count = 0; count < 1_000; count += 1) {
      const socket = keep(await openSocket(port));
      socket.write(`${requestBytes(line, [...headers, "Content-Length: 500000"])}${"x".repeat(499_999)}`);
    }
  },
  async "24,000 heads of 59 KiB"(port, keep) {
    const request = requestBytes("GET /x", [`X-A: ${"a".repeat(59 * 1_024)}`]);
    for (let round = 0; round < 240; round += 1) {
      const sockets = await Promise.all(Array.from({ length: 100 }, async () => keep(await openSocket(port))));
      for (const socket of sockets) socket.resume().write(request);
      await Promise.all(sockets.map(closed));
    }
  },
  async "3,000 half-open connections"(port, keep) {
    for (let count = 0; count < 3_000; count += 1) keep(await openSocket(port)).write("POST / HTTP/1.1\r\nHost:");
  },
  async "40,000 pipelined requests on 20 connections"(port, keep) {
    const requests = requestBytes(line, headers, "{}").repeat(2_000);
    const sockets = await Promise.all(Array.from({ length: 20 }, async () => keep(await openSocket(port))));
    for (const socket of sockets) socket.write(requests);
    await Promise.all(sockets.map(closed));
  },
};

it("lives within 256 MB, and goes on answering others", { timeout: 600_000 }, async () => {
  const upstream = await httpUpstream(
    (request, response) => void request.resume().on("end", () => response.end("from OpenIM")),
  );
  const { url, pid, stop } = await serve([...flags, upstream]);
  const port = Number(new URL(url).port);
  for (const [name, attack] of Object.entries(attacks)) {
    const sockets = new Set<Socket>();
    const keep = (socket: Socket) => {
      sockets.add(socket.once("close", () => sockets.delete(socket)));
      return socket;
    };
    const end = () => {
      for (const socket of sockets) socket.destroy();
    };
    onTestFinished(end);
    let isOver = false;
    let largest = 0;
    const others = (async () => {
      while (!isOver) {
        await ask(port);
        largest = Math.max(largest, residentBytes(pid));
      }
    })();
    await Promise.race([attack(port, keep), others]);
    for (let count = 0; count < 20; count += 1) await ask(port);
    isOver = true;
    await others;
    end();
    expect(largest, name).toBeLessThan(256e6);
  }
  expect((await stop()).status).toBe(0);
});

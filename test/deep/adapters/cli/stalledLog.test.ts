import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, createReadStream, openSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { cli } from "../../../helpers/cliProcess.js";
import { temporaryFolder } from "../../../helpers/stores.js";

/** The lines of so many requests, of more than 1 KiB each, are more than may wait and a pipe or a socket holds. */
const requests = 1_800;
/** The lines of so many are more than a pipe or a socket holds. */
const fewRequests = 600;

/** A named pipe that nobody reads until its reader is made. */
function namedPipe() {
  const path = join(temporaryFolder(), "log");
  execFileSync("mkfifo", [path]);
  return { writeEnd: openSync(path, "r+"), read: () => createReadStream(path) };
}

/** Starts a server whose log nobody reads until `read` is called. */
async function startUnread(kind: "a named pipe" | "a socket") {
  const pipe = kind === "a named pipe" ? namedPipe() : undefined;
  const args = ["serve", "--secret", "16 characters...", "--admin", "a", "--db", ":memory:", "--port", "0"];
  const child = spawn(process.execPath, [cli, ...args], { stdio: ["ignore", "pipe", pipe?.writeEnd ?? "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  if (pipe !== undefined) closeSync(pipe.writeEnd);
  const [output] = await once(child.stdout as Readable, "data");
  const port = Number(/answers on http:\/\/127.0.0.1:(\d+),/.exec(output)?.[1]);
  const ended = once(child, "exit");
  return { port, child, ended, read: () => pipe?.read() ?? (child.stderr as Readable) };
}

/** Sends requests, 20 at once on a connection, and counts the answers. */
async function send(port: number, requests: number): Promise<number> {
  const head = `GET /${"x".repeat(1023)} HTTP/1.1\r\nhost: localhost\r\noperationID: op-1\r\n`;
  let answers = 0;
  for (let sent = 0; sent < requests; sent += 20) {
    const socket = connect(port, "127.0.0.1");
    socket.write(`${`${head}\r\n`.repeat(19)}${head}connection: close\r\n\r\n`);
    answers += (await text(socket)).split("HTTP/1.1 404").length - 1;
  }
  return answers;
}

describe.each(["a named pipe", "a socket"] as const)("while nobody reads its log from %s, serve", (kind) => {
  it("answers, and then says how many lines were dropped", async () => {
    const { port, child, ended, read } = await startUnread(kind);
    expect(await send(port, requests)).toBe(requests);
    let log = "";
    const reader = read().on("data", (bytes: Buffer) => {
      log += bytes;
    });
    await expect.poll(() => log).toMatch(/were dropped.*\n$/);
    const lines = () =>
      log
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
    const written = lines().filter(({ msg }) => msg === "request").length;
    expect(lines().filter(({ dropped }) => dropped !== undefined)).toEqual([
      {
        level: 50,
        time: expect.any(Number),
        dropped: requests - written,
        msg: "lines of the log were dropped, since nobody read them or they could not be written",
      },
    ]);
    expect(requests - written).toBeGreaterThan(0);

    await fetch(`http://127.0.0.1:${port}/again`);
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
    if (!reader.readableEnded) await once(reader, "end");
    expect(lines().slice(-2)).toMatchObject([{ path: "/again" }, { msg: "finishing the requests under way" }]);
  });

  it("ends on SIGTERM", async () => {
    const { port, child, ended } = await startUnread(kind);
    await send(port, fewRequests);
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  });
});

import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished, vi } from "vitest";
import { runCommandLine } from "../../adapters/cli/commandLine.js";
import { openSqliteStore } from "../../src/stores/drivers/sqlite.js";
import { deferred } from "./deferred.js";
import { temporaryFolder } from "./stores.js";

export const cli = fileURLToPath(new URL("../../dist/adapters/cli/main.js", import.meta.url));

type Environment = Readonly<Record<string, string>>;

/** How a process ended, and all that it wrote. */
export interface Ended {
  /** The exit status, or the signal that ended it. */
  status: number | NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** Starts the built command line, with no environment variable of im-admin but the given ones. */
export function start(args: readonly string[], environment: Environment = {}) {
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: tmpdir(),
    env: { PATH: process.env["PATH"], ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const written = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      written[name] += text;
    });
  }
  const ended = new Promise<Ended>((resolve) => {
    child.once("close", (code, signal) => resolve({ status: signal ?? code, ...written }));
  });
  onTestFinished(() => void child.kill("SIGKILL"));

  /** Waits until the process has written what matches. */
  async function wrote(name: "stdout" | "stderr", pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(written[name]);
      if (match !== null) return match;
      const more = new Promise<undefined>((resolve) => child[name].once("data", () => resolve(undefined)));
      const end = await Promise.race([ended, more]);
      if (end !== undefined) throw new Error(`it ended without writing ${pattern}: ${JSON.stringify(end)}`);
    }
  }

  return { pid: child.pid, ended, wrote, written, kill: (signal: NodeJS.Signals) => child.kill(signal) };
}

/** Ends the server that was started last in this process, as the signal would that it waits for. */
function endServer(stop = process.listeners("SIGTERM").at(-1)): void {
  if (stop === undefined) return;
  process.off("SIGTERM", stop).off("SIGINT", stop);
  stop("SIGTERM");
}

/**
 * Runs the command line in this process, until it ends or a server answers, and gives back to the process what the run has
 * changed of it.
 *
 * @param onServing called when a server answers
 */
async function run(args: readonly string[], environment: Environment, onServing: () => unknown): Promise<Ended> {
  const written = { stdout: "", stderr: "" };
  const serving = deferred();
  const { env, exitCode } = process;
  const outputs = (["stdout", "stderr"] as const).map((name) => {
    const stream = process[name];
    const before = stream.listeners("error");
    const spy = vi.spyOn(stream, "write").mockImplementation((text) => {
      written[name] += text;
      if (written.stdout.startsWith("im-admin answers on")) serving.fulfil(void onServing());
      return true;
    });
    return () => {
      spy.mockRestore();
      for (const listener of stream.listeners("error")) {
        if (!before.includes(listener)) stream.off("error", listener as () => void);
      }
    };
  });
  process.env = { PATH: env["PATH"], ...environment };
  process.exitCode = undefined;
  try {
    await Promise.race([runCommandLine(args, "0.0.0"), serving.promise]);
    return { status: Number(process.exitCode ?? 0), ...written };
  } finally {
    Object.assign(process, { env, exitCode });
    for (const restore of outputs) restore();
  }
}

let lastRun: Promise<unknown> = Promise.resolve();

/**
 * Runs the command line until it ends, in this process, where a run takes milliseconds; one after the other. What has
 * to do with processes, such as signals and the log of `serve`, needs `start`.
 */
export function imAdmin(args: readonly string[], environment: Environment = {}): Promise<Ended> {
  return inTurn(() => run(args, environment, endServer));
}

function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const ended = lastRun.then(work);
  lastRun = ended.catch(() => {});
  return ended;
}

/** Starts `im-admin serve` in this process, without a log, until the test is over. It may listen on any free port. */
export async function serveHere(args: readonly string[], environment: Environment = {}) {
  const flags = ["serve", "--port", "0", "--log-level", "silent", ...args];
  const { stdout, stderr } = await inTurn(() =>
    run(flags, environment, () => {
      const stop = process.listeners("SIGTERM").at(-1);
      onTestFinished(() => endServer(stop));
    }),
  );
  const [, url] = /answers on (\S+),/.exec(stdout) ?? [];
  if (url === undefined) throw new Error(`it does not answer: ${stderr}`);
  return { url, stdout, token: /^ {2}(ey\S+)$/m.exec(stdout)?.[1] ?? "" };
}

/** Starts `im-admin serve` on a free port, waits until it listens, and reads the token that `--demo` prints. */
export async function serve(args: readonly string[], environment?: Environment) {
  const server = start(["serve", "--port", "0", ...args], environment);
  const { input: stdout, 1: url = "" } = await server.wrote("stdout", /answers on (\S+),/);
  const stop = () => {
    server.kill("SIGTERM");
    return server.ended;
  };
  return { ...server, url, stdout, token: /^ {2}(ey\S+)$/m.exec(stdout)?.[1] ?? "", stop };
}

/** Sends a request as a client of the reference server does. */
export async function post(url: string, token: string, body: object) {
  const headers = { operationID: "op1", token };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  return (await response.json()) as { errCode: number; errDlt: string; data: Record<string, unknown> };
}

/** Imports files with these names and contents into a new database. */
export async function importFiles(files: Readonly<Record<string, string | Uint8Array>>, ...flags: string[]) {
  const folder = join(temporaryFolder(), "export");
  mkdirSync(folder);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const database = join(folder, "..", "im.db");
  const ended = await imAdmin(["import", folder, "--db", database, ...flags]);
  const store = openSqliteStore({ path: database });
  onTestFinished(() => store.close());
  return { ...ended, folder, database, store };
}

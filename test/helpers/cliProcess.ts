import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished, vi } from "vitest";
import { runCommandLine } from "../../adapters/cli/commandLine.js";
import { openSqliteStore } from "../../src/stores/drivers/sqlite.js";
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

/** Ends a server that a test has started in this process by mistake, as the signal would that it waits for. */
function endServer(): void {
  const stop = process.listeners("SIGTERM").at(-1);
  stop?.("SIGTERM");
  if (stop !== undefined) process.off("SIGTERM", stop).off("SIGINT", stop);
}

/** Runs the command line in this process, and gives it back what the run has changed of it. */
async function run(args: readonly string[], environment: Environment): Promise<Ended> {
  const written = { stdout: "", stderr: "" };
  const { env, exitCode } = process;
  const outputs = (["stdout", "stderr"] as const).map((name) => {
    const stream = process[name];
    const before = stream.listeners("error");
    const spy = vi.spyOn(stream, "write").mockImplementation((text) => {
      written[name] += text;
      if (written.stdout.startsWith("im-admin answers on")) endServer();
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
    await runCommandLine(args, "0.0.0");
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
  const ended = lastRun.then(() => run(args, environment));
  lastRun = ended.catch(() => {});
  return ended;
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

/** Starts the fetch handler on the servers of other runtimes. */
import { type SpawnOptionsWithoutStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { Miniflare } from "miniflare";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "../../helpers/stores.js";
import { bundleWorker } from "../../helpers/workerd.js";
import { deep } from "./recipes.js";

/** A server in a runtime. */
export interface Started {
  port: number;
  /** What it has printed. */
  printed(): string;
}

/** Starts a program of a package, or one with its path, which tells its port in what it prints, and ends with the test. */
export async function startProgram(
  command: string,
  flags: readonly string[],
  port: RegExp,
  options: SpawnOptionsWithoutStdio,
): Promise<Started> {
  const child = spawn(resolve(`${deep}node_modules/.bin`, command), flags, options);
  onTestFinished(() => void child.kill("SIGKILL"));
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (printed += data));
  const ended = once(child, "exit").then(() => {
    throw new Error(`${command} ended: ${printed}`);
  });
  ended.catch(() => {});
  for (;;) {
    const found = port.exec(printed)?.[1];
    if (found !== undefined) return { port: Number(found), printed: () => printed };
    await Promise.race([once(child.stdout, "data"), once(child.stderr, "data"), ended]);
  }
}

async function startServer(command: string, flags: readonly string[], more: Record<string, string>): Promise<Started> {
  const folder = temporaryFolder();
  await build({
    entryPoints: [fileURLToPath(new URL("../../children/httpServer.ts", import.meta.url))],
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    // Each runtime loads only the engine that it has.
    splitting: true,
    format: "esm",
    platform: "node",
    external: ["bun:*"],
    loader: { ".sql": "text" },
    logLevel: "error",
  });
  const env = { ...process.env, ...more };
  return startProgram(command, [...flags, `${folder}/httpServer.mjs`], /^port (\d+)$/m, { env });
}

/** A Durable Object, which has the world of long texts. */
export async function startDurableObject(): Promise<Started> {
  const main = "./test/children/httpObject.ts";
  const { code } = await bundleWorker(`export * from "${main}"; export { default } from "${main}"`);
  const miniflare = new Miniflare({
    modules: true,
    script: code,
    compatibilityDate: "2026-04-01",
    durableObjects: { OBJECTS: { className: "AdminObject", useSQLite: true } },
  });
  onTestFinished(() => miniflare.dispose());
  return { port: Number((await miniflare.ready).port), printed: () => "" };
}

type Variables = Record<string, string>;

export const startBun = (variables: Variables = {}) => startServer("bun", ["run"], variables);
export const startDeno = (variables: Variables = {}, ...flags: string[]) =>
  startServer("deno", ["run", "--allow-all", ...flags], variables);

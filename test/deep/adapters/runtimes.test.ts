/** The fetch handler on the servers of other runtimes, as `npm test` has it on Node's. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { rounds } from "../../helpers/chance.js";
import { withSetup } from "../../helpers/http/adapters.js";
import { httpCases } from "../../helpers/http/cases.js";
import { expectHarmless, harmlessStatuses, malformedRequest } from "../../helpers/http/malformedRequests.js";
import { httpWorld, requestOf, secret, tokens } from "../../helpers/http/request.js";
import { temporaryFolder } from "../../helpers/stores.js";
import { startWorker } from "../../helpers/workerd.js";
import { deep, sendToPort } from "../helpers/recipes.js";

interface Started {
  port: number;
  /** Its output. */
  printed(): string;
}

async function startProcess(command: string, ...flags: string[]): Promise<Started> {
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
  const env = { ...process.env, secret, revoked: tokens.revoked };
  const child = spawn(`${deep}node_modules/.bin/${command}`, [...flags, `${folder}/httpServer.mjs`], { env });
  onTestFinished(() => void child.kill("SIGKILL"));
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (printed += data));
  const ended = once(child, "exit").then(() => {
    throw new Error(`${command} ended: ${printed}`);
  });
  ended.catch(() => {});
  for (;;) {
    const port = /^port (\d+)$/m.exec(printed)?.[1];
    if (port !== undefined) return { port: Number(port), printed: () => printed };
    await Promise.race([once(child.stdout, "data"), ended]);
  }
}

async function startWorkerd(): Promise<Started> {
  const main = 'export { default } from "./test/children/httpWorker.ts"';
  const worker = await startWorker(main, { bindings: { secret, revoked: tokens.revoked } });
  onTestFinished(() => worker.stop());
  await (await worker.emptyStore()).put(httpWorld);
  return worker;
}

const startBun = () => startProcess("bun", "run");
const startDeno = () => startProcess("deno", "run", "--allow-all");

// That workerd does is shown by the tests of all adapters.
it.each([
  ["Bun", startBun],
  ["Deno", startDeno],
])("%s answers every request as Node does", async (_name, start) => {
  const send = withSetup((await start()).port);
  for (const [subject, cases] of Object.entries(httpCases)) {
    for (const [name, example] of Object.entries(cases)) {
      const { status, text } = await send(requestOf(example), example);
      expect({ status, text }, `${subject}: ${name}`).toStrictEqual({
        status: example.status ?? 200,
        text: example.text,
      });
    }
  }
});

it.each([
  ["Bun", startBun],
  ["Deno", startDeno],
  ["workerd", startWorkerd],
])("%s gives a malformed request a harmless answer", async (_name, start) => {
  const { port, printed } = await start();
  const send = sendToPort(port);
  const property = fc.asyncProperty(malformedRequest, async (request) => {
    const { status, text } = await send(request);
    expect([...harmlessStatuses, 400, 414, 431]).toContain(status);
    if (harmlessStatuses.includes(status)) expectHarmless(text);
  });
  await fc.assert(property, { numRuns: rounds(5_000), timeout: 10_000 });
  // A failure would be logged. Deno has a warning of its own.
  expect(printed()).not.toContain("im-admin:");
});

/** The test of docs/cloudflare.md, in the pool that Cloudflare recommends. */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { blockIn, root } from "../../helpers/docs/pages.js";

const pool = fileURLToPath(new URL("../workersPool/", import.meta.url));

const programWith = (part: string) => blockIn("docs/cloudflare.md", part);

/** Runs the tests of the page in a folder that finds the pool's packages. */
async function report(test: string): Promise<string> {
  const folder = mkdtempSync(`${pool}run-`);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ["worker.ts", "wrangler.jsonc"]) cpSync(`${root}examples/worker/${name}`, `${folder}/${name}`);
  mkdirSync(`${folder}/node_modules`);
  symlinkSync(root, `${folder}/node_modules/im-admin`);
  writeFileSync(`${folder}/vitest.config.mts`, programWith("readD1Migrations"));
  writeFileSync(`${folder}/worker.test.ts`, test);
  const env = { PATH: process.env["PATH"], HOME: folder, CI: "1", WRANGLER_SEND_METRICS: "false", NO_COLOR: "1" };
  const vitest = `${pool}node_modules/vitest/vitest.mjs`;
  const run = promisify(execFile)(process.execPath, [vitest, "run"], { cwd: folder, env });
  const { stdout, stderr } = await run.catch((error: { stdout: string; stderr: string }) => error);
  return stdout + stderr;
}

it("runs the test of docs/cloudflare.md, which can fail", { timeout: 300_000 }, async () => {
  const test = programWith("applyD1Migrations(");
  expect(await report(test)).toMatch(/Tests +1 passed \(1\)/);
  expect(await report(test.replace("total: 1", "total: 2"))).toMatch(/Tests +1 failed \(1\)/);
});

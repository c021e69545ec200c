/** Each command that writes to standard output fails if a file does not take all of it. */
import { execFile } from "node:child_process";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { cli } from "../../../helpers/cliProcess.js";
import { smallFile } from "../../../helpers/smallFile.js";
import { temporaryFolder } from "../../../helpers/stores.js";

/** The largest file that the shell allows, in its unit of 1,024 bytes. */
const mostKibibytes = 256;

/** Runs a command whose output goes to a file that takes 40 bytes more. */
async function intoFullFile(command: string, environment: Readonly<Record<string, string>> = {}) {
  const output = join(temporaryFolder(), "output");
  writeFileSync(output, "x".repeat(mostKibibytes * 1024 - 40));
  const line = `ulimit -f ${mostKibibytes}; '${process.execPath}' '${cli}' ${command} >>'${output}'`;
  const env = { PATH: process.env["PATH"], ...environment };
  const { code, stderr } = await promisify(execFile)("bash", ["--norc", "-c", line], { env }).catch(
    (failure) => failure,
  );
  return { code, stderr, bytes: statSync(output).size };
}

it.each([
  "--help",
  "export --help",
  "openapi",
  "token --secret sixteen-characters --admin ann",
  "migrate --print --db postgres://nowhere/db",
  "tables --print --map MAP",
  "export --db FILE --list blacks --user u100 --format csv",
  "check --db FILE --json",
])("%s", async (command) => {
  const map = join(temporaryFolder(), "map.json");
  writeFileSync(map, JSON.stringify({ users: { from: "people", key: { userID: "id" } } }));
  const named = command.replace("FILE", await smallFile()).replace("MAP", map);
  const { code, stderr, bytes } = await intoFullFile(named);
  expect([code, bytes]).toEqual([1, mostKibibytes * 1024]);
  expect(stderr).toMatch(/im-admin: EFBIG: file too large, write\n$/);
  expect(stderr).not.toContain("exported");
});

it("fails if the disk does not keep what it has taken", async () => {
  const full = `Object.assign(fs, { fsyncSync() { throw new Error("the disk is full") } }); syncBuiltinESMExports()`;
  const code = `import fs from "node:fs"; import { syncBuiltinESMExports } from "node:module"; ${full}`;
  const environment = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
  expect(await intoFullFile("--version", environment)).toMatchObject({
    code: 1,
    stderr: "im-admin: the disk is full\n",
  });
});

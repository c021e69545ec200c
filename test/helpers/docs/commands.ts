/** Runs blocks of commands as the pages have them. */
import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { cli } from "../cliProcess.js";
import { temporaryFolder } from "../stores.js";
import { root } from "./pages.js";

/**
 * Runs commands in a new folder with these files, where `im-admin` is a command and a package, and the programs of the
 * PostgreSQL of `POSTGRES_BIN` are found.
 */
export function runCommands(
  block: string,
  env: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>>,
) {
  const folder = temporaryFolder();
  const programs = `${folder}/node_modules/.bin`;
  mkdirSync(programs, { recursive: true });
  symlinkSync(root, `${folder}/node_modules/im-admin`);
  writeFileSync(`${programs}/im-admin`, `#!/bin/sh\nexec ${process.execPath} ${cli} "$@"\n`, { mode: 0o755 });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(`${folder}/${name}`), { recursive: true });
    writeFileSync(`${folder}/${name}`, text);
  }
  const { PATH = "", POSTGRES_BIN = "" } = process.env;
  const all = { PATH: `${programs}:${POSTGRES_BIN}:${PATH}`, ...env };
  return { folder, ...spawnSync("bash", ["-ec", block], { cwd: folder, env: all, encoding: "utf8" }) };
}

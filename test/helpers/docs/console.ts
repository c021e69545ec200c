import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { cli } from "../cliProcess.js";
import { temporaryFolder } from "../stores.js";

/** Runs the commands of a block, which stand behind `$`, and gives the block back with what they have really printed. */
export function runConsole(code: string): string {
  const folder = temporaryFolder();
  const programs = `${folder}/bin`;
  mkdirSync(programs);
  writeFileSync(`${programs}/im-admin`, `#!/bin/sh\nexec "${process.execPath}" "${cli}" "$@"\n`);
  chmodSync(`${programs}/im-admin`, 0o755);
  const env = { PATH: `${programs}:${process.env["PATH"]}` };
  const commands = [...code.matchAll(/^\$ (.*)$/gm)].map(([, command = ""]) => command);
  return commands
    .map((command) => {
      const flags = ["-c", `{ ${command}; } 2>&1`];
      return `$ ${command}\n${execFileSync("sh", flags, { cwd: folder, env, encoding: "utf8" })}`;
    })
    .join("");
}

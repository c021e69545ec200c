import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Ended } from "./cliProcess.js";

const child = fileURLToPath(new URL("../children/commandOfNobody.mjs", import.meta.url));

/** Runs a command of the command line as a user who may write only what everybody may. */
export function nobody(...args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const started = execFile(process.execPath, [child, ...args], (_, stdout, stderr) => {
      resolve({ status: started.exitCode ?? started.signalCode, stdout, stderr });
    });
  });
}

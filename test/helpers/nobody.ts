import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Ended } from "./cliProcess.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = `${root}node_modules/.cache/im-admin-commands/`;

/** The commands with the code that they load later, so that all of it can be loaded before the user changes. */
const commands = `
  export { checkCommand } from "./adapters/cli/check.ts";
  export { importCommand } from "./adapters/cli/import.ts";
  export { serveCommand } from "./adapters/cli/serve.ts";
  export const loadDatabase = () => import("./src/stores/drivers/fileDatabase.ts");
  export const loadEngine = async () => {
    const { loadBetterSqlite3 } = await import("./src/stores/drivers/betterSqlite3.ts");
    loadBetterSqlite3();
  };`;

const built = build({
  stdin: { contents: commands, resolveDir: root, loader: "ts", sourcefile: "commands.ts" },
  bundle: true,
  splitting: true,
  outdir: folder,
  entryNames: "commands",
  packages: "external",
  // The console's page is there once it is built, and no command of these tests wants it.
  external: ["./page.js"],
  format: "esm",
  platform: "node",
});

/** Runs a command of the command line as a user who may write only what everybody may. */
export async function nobody(...args: string[]): Promise<Ended> {
  await built;
  const child = fileURLToPath(new URL("../children/commandOfNobody.mjs", import.meta.url));
  return new Promise((resolve) => {
    const started = execFile(process.execPath, [child, `${folder}commands.js`, ...args], (_, stdout, stderr) => {
      resolve({ status: started.exitCode ?? started.signalCode, stdout, stderr });
    });
  });
}

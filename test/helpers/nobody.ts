import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import type { Ended } from "./cliProcess.js";

const child = fileURLToPath(new URL("../children/commandsOfNobody.mjs", import.meta.url));
const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = `${root}node_modules/.cache/im-admin-commands`;

/** The command line with the code that it loads later, so that all of it can be loaded before the user changes. */
const modules = `
  export { runCommandLine } from "./adapters/cli/commandLine.ts";
  export const loadDatabase = () => import("./src/stores/drivers/fileDatabase.ts");
  export const loadEngine = async () => {
    const { loadBetterSqlite3 } = await import("./src/stores/drivers/betterSqlite3.ts");
    loadBetterSqlite3();
  };`;

/** Runs lines of the command line as a user who may write only what everybody may. */
export async function nobody(lines: readonly (readonly string[])[]): Promise<Ended[]> {
  await build({
    stdin: { contents: modules, resolveDir: root, loader: "ts", sourcefile: "modules.ts" },
    bundle: true,
    splitting: true,
    outdir: folder,
    entryNames: "modules",
    packages: "external",
    loader: { ".sql": "text" },
    // The console's page is there once it is built, and no command of these tests wants it.
    external: ["./page.js"],
    format: "esm",
    platform: "node",
  });
  const args = [child, `${folder}/modules.js`, JSON.stringify(lines)];
  return JSON.parse((await promisify(execFile)(process.execPath, args)).stdout);
}

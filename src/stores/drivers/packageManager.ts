import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export type PackageManager = "npm" | "pnpm" | "yarn" | "bun";

/** What each of them leaves in the folder of a project, also where only `node_modules` is deployed. */
const traces: readonly (readonly [PackageManager, readonly string[]])[] = [
  ["pnpm", ["pnpm-lock.yaml", "node_modules/.modules.yaml"]],
  ["yarn", ["yarn.lock", ".pnp.cjs", "node_modules/.yarn-state.yml"]],
  ["bun", ["bun.lock", "bun.lockb"]],
  ["npm", ["package-lock.json", "node_modules/.package-lock.json"]],
];

/** The package manager that runs this process, or else that of the project in this folder or one above; npm if none shows. */
export function packageManager(): PackageManager {
  const running = known(process.env["npm_config_user_agent"]?.split("/")[0]);
  if (running !== undefined) return running;
  let folder = process.cwd();
  for (;;) {
    const found =
      known(named(folder)) ?? traces.find(([, files]) => files.some((file) => existsSync(join(folder, file))))?.[0];
    if (found !== undefined) return found;
    if (dirname(folder) === folder) return "npm";
    folder = dirname(folder);
  }
}

/** The command that adds a package to the project. */
export function commandToAdd(wanted: string): string {
  const manager = packageManager();
  return `${manager} ${manager === "npm" ? "install" : "add"} ${wanted}`;
}

function known(name: string | undefined): PackageManager | undefined {
  return traces.find(([manager]) => manager === name)?.[0];
}

/** The package manager that a project names for Corepack, such as pnpm@10.1.0. */
function named(folder: string): string | undefined {
  try {
    const { packageManager } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return typeof packageManager === "string" ? packageManager.split("@")[0] : undefined;
  } catch {
    return undefined;
  }
}

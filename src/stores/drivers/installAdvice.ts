import { canLoad13 } from "./misfit.js";
import { commandToAdd, type PackageManager, packageManager } from "./packageManager.js";

/** A script of version 12 downloads or compiles it. Yarn and Bun would leave im-admin the version that it has. */
const commandsFor12: Record<PackageManager, string> = {
  npm: "npm install better-sqlite3@12 && npm rebuild better-sqlite3 --ignore-scripts=false",
  pnpm: "pnpm add --allow-build=better-sqlite3 better-sqlite3@12 && pnpm rebuild better-sqlite3",
  yarn: "npm pkg set resolutions.better-sqlite3=12 && yarn config set enableScripts true && yarn install",
  bun: "npm pkg set resolutions.better-sqlite3=12 && bun install && npm rebuild better-sqlite3 --ignore-scripts=false",
};

/** Says how this Node gets an engine, with the commands of the package manager of the project. */
export function installAdvice(): string {
  // Version 13 brings its native part along.
  return canLoad13(process.versions)
    ? `use im-admin/node-sqlite on Node 22.16 or newer, or run ${commandToAdd("better-sqlite3@13")}`
    : `use Node 22.14 or newer, or run ${commandsFor12[packageManager()]}`;
}

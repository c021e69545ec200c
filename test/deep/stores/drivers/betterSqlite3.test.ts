/** better-sqlite3 is an optional dependency: what happens if it is missing or not for this Node, and how a bundle finds it. */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { misfit } from "../../../../src/stores/drivers/misfit.js";
import { temporaryFolder } from "../../../helpers/stores.js";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** A folder with the package and these others installed. */
function installed(...packages: string[]): string {
  const folder = temporaryFolder();
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, "im-admin"), { recursive: true });
  for (const name of ["dist", "package.json"])
    cpSync(join(root, name), join(modules, "im-admin", name), { recursive: true });
  for (const name of packages) symlinkSync(join(root, "node_modules", name), join(modules, name));
  return folder;
}

async function run(folder: string, file: string, program: string): Promise<string> {
  writeFileSync(join(folder, file), program);
  return (await start(folder, [join(folder, file)])).stdout;
}

function start(folder: string, args: string[]) {
  return promisify(execFile)(process.execPath, args, { cwd: folder, env: { PATH: process.env["PATH"] } });
}

const open = `
  import { openSqliteStore } from "im-admin/sqlite";
  try {
    const store = openSqliteStore({ path: ":memory:" });
    store.put({ users: [{ userID: "u1", appMangerLevel: 3 }] })
      .then(() => store.listNotificationAccounts({ keyword: "", offset: 0, limit: 1 }))
      .then(({ total }) => console.log(total));
  } catch (error) {
    console.log(error.message, "|", error.cause?.code);
  }`;

const canLoad13 = Number(process.versions["napi"]) >= 10;
const advice = canLoad13
  ? "use im-admin/node-sqlite on Node 22.16 or newer, or run npm install better-sqlite3@13"
  : "use Node 22.14 or newer, or run npm install better-sqlite3@12 && npm rebuild better-sqlite3 --ignore-scripts=false";
const missing = `better-sqlite3 cannot be loaded: it is not installed; ${advice}`;

it("says what to install if it is missing, and makes no file", async () => {
  const folder = installed("valibot");
  const files = open.replace(":memory:", "im.db");
  expect(await run(folder, "main.mjs", files)).toBe(`${missing} | MODULE_NOT_FOUND\n`);
  expect(readdirSync(folder)).toEqual(["main.mjs", "node_modules"]);
});

it.each([
  ["pnpm", "pnpm-lock.yaml", ""],
  ["pnpm", "node_modules/.modules.yaml", ""],
  ["pnpm", "package.json", '{"packageManager":"pnpm@10.34.9+sha512.abc"}'],
  ["yarn", "yarn.lock", ""],
  ["yarn", "node_modules/.yarn-state.yml", ""],
  ["bun", "bun.lock", ""],
  ["npm", "package-lock.json", "{}"],
  ["npm", "package.json", '{"packageManager":["pnpm"]}'],
])("says so in production for %s, by %s in the project", async (manager, file, content) => {
  const folder = installed("valibot");
  writeFileSync(join(folder, file), content);
  // A program may run in a folder of its project, whose files count before those further up.
  writeFileSync(join(folder, "main.mjs"), open);
  mkdirSync(join(folder, "server"));
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, "main.mjs")], {
    cwd: join(folder, "server"),
    env: { PATH: process.env["PATH"] },
  });
  const [command = ""] = /, or run (npm pkg set \S+ && )?\w+/.exec(stdout) ?? [];
  expect(command.split(" ").at(-1)).toBe(manager);
});

it("says so for the package manager in use, as the documentation does", async () => {
  const agents = ["pnpm/10.34.9 npm/?", "yarn/4.18.1 npm/?", "bun/1.4.5 npm/?", "npm/10.9.9 node/v20.16.0"];
  const said = await run(
    installed("valibot"),
    "main.mjs",
    `import { openSqliteStore } from "im-admin/sqlite";
    for (const agent of ${JSON.stringify(agents)}) {
      process.env.npm_config_user_agent = agent;
      try {
        openSqliteStore({ path: ":memory:" });
      } catch ({ message }) {
        console.log(message.split(", or run ")[1]);
      }
    }`,
  );
  const commands = said.trim().split("\n");
  const older = "npm pkg set resolutions.better-sqlite3=12 && ";
  expect(commands.map((command) => command.replace(older, "").split(" ")[0])).toEqual(["pnpm", "yarn", "bun", "npm"]);
  const documented = readFileSync(join(root, "docs", "engines.md"), "utf8");
  for (const command of commands) expect(documented).toContain(`| \`${command}\` |`);
});

it.each<[string, node: string, napi: string, nativePart: string, reason: string | undefined]>([
  ["13.2.0", "20.16.0", "9", "", "version 13.2.0 is for Node 22.14 or newer, and this is Node 20.16.0"],
  ["13.2.0", "22.13.1", "9", "", "version 13.2.0 is for Node 22.14 or newer, and this is Node 22.13.1"],
  ["13.2.0", "22.14.0", "10", "RemoveEnvironmentCleanupHook", undefined],
  ["12.11.1", "20.16.0", "9", "", undefined],
  ["12.11.1", "24.21.0", "10", "AddEnvironmentCleanupHook", undefined],
  [
    "12.11.1",
    "24.21.0",
    "10",
    "_ZN4node28RemoveEnvironmentCleanupHookEPN2v87IsolateE",
    "version 12.11.1 can end the process at any time, compiled for Node 24.21.0",
  ],
])(
  "version %s on Node %s with interface %s and the native part '%s': %s",
  (version, node, napi, nativePart, reason) => {
    expect(misfit(version, { node, napi }, () => Buffer.from(nativePart))).toBe(reason);
  },
);

it("is not loaded if it would end the process, and the command line takes another engine or says what to do", async () => {
  const folder = installed("valibot");
  const package12 = join(folder, "node_modules", "better-sqlite3");
  mkdirSync(join(package12, "build", "Release"), { recursive: true });
  writeFileSync(join(package12, "index.js"), "process.abort();");
  writeFileSync(join(package12, "build", "Release", "better_sqlite3.node"), "RemoveEnvironmentCleanupHook");
  const version = canLoad13 ? "12.11.1" : "13.2.0";
  writeFileSync(join(package12, "package.json"), JSON.stringify({ main: "index.js", version }));
  const reason = canLoad13
    ? `version 12.11.1 can end the process at any time, compiled for Node ${process.versions.node}`
    : `version 13.2.0 is for Node 22.14 or newer, and this is Node ${process.versions.node}`;
  expect(await run(folder, "main.mjs", open)).toContain(`better-sqlite3 cannot be loaded: ${reason}; ${advice} |`);

  writeFileSync(join(folder, "users.ndjson"), '{"userID":"u1"}');
  const main = join(folder, "node_modules", "im-admin", "dist", "adapters", "cli", "main.js");
  const { stderr } = await start(folder, [main, "import", folder]).catch((error) => error);
  expect(stderr).toContain(
    isBuiltin("node:sqlite")
      ? `im-admin: node:sqlite is used, since better-sqlite3 cannot be loaded: ${reason}\n`
      : `im-admin: better-sqlite3 cannot be loaded: ${reason}; ${advice}\n`,
  );
});

it("says why where it was not compiled, or for another Node", async () => {
  const folder = installed("valibot", "bindings", "file-uri-to-path");
  const copy = join(folder, "node_modules", "better-sqlite3");
  cpSync(join(root, "node_modules", "better-sqlite3", "lib"), join(copy, "lib"), { recursive: true });
  cpSync(join(root, "node_modules", "better-sqlite3", "package.json"), join(copy, "package.json"));
  expect(await run(folder, "main.mjs", open)).toMatch(
    /^better-sqlite3 cannot be loaded: (Could not locate the|Cannot find module) .*; use /s,
  );
  mkdirSync(join(copy, "build", "Release"), { recursive: true });
  writeFileSync(join(copy, "build", "Release", "better_sqlite3.node"), "made for another machine");
  expect(await run(folder, "main.mjs", open)).toContain(`; ${advice} | ERR_DLOPEN_FAILED\n`);
});

it.each(["esm", "cjs"] as const)("is found by a bundle in the format %s", async (format) => {
  const folder = installed("valibot", "better-sqlite3");
  writeFileSync(join(folder, "entry.mjs"), open);
  const file = `bundle.${format === "esm" ? "mjs" : "cjs"}`;
  await build({
    entryPoints: [join(folder, "entry.mjs")],
    outfile: join(folder, file),
    bundle: true,
    platform: "node",
    format,
    logLevel: "error",
  });
  rmSync(join(folder, "node_modules", "im-admin"), { recursive: true });
  expect((await promisify(execFile)(process.execPath, [join(folder, file)])).stdout).toBe("1\n");
});

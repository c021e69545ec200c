/** better-sqlite3 is an optional dependency: the error if it is missing, and how a bundle finds it. */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../helpers/stores.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));

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
  return (await promisify(execFile)(process.execPath, [join(folder, file)], { cwd: folder })).stdout;
}

const open = `
  import { openSqliteStore } from "im-admin/sqlite";
  try {
    const store = openSqliteStore({ path: ":memory:" });
    store.put({ users: [{ userID: "u1", appMangerLevel: 3 }] })
      .then(() => store.listNotificationAccounts({ keyword: "", offset: 0, limit: 1 }))
      .then(({ total }) => console.log(total));
  } catch (error) {
    console.log(error.message, "|", error.cause.code);
  }`;

const missing =
  "better-sqlite3 cannot be loaded: npm install better-sqlite3, or use im-admin/node-sqlite on Node 22 or newer";

it("says what to install if it is missing, and makes no file", async () => {
  const folder = installed("valibot");
  const files = open.replace(":memory:", "im.db");
  expect(await run(folder, "main.mjs", files)).toBe(`${missing} | MODULE_NOT_FOUND\n`);
  expect(readdirSync(folder)).toEqual(["main.mjs", "node_modules"]);
});

it("says the same where it was not compiled, or for another Node", async () => {
  const folder = installed("valibot", "bindings", "file-uri-to-path");
  const copy = join(folder, "node_modules", "better-sqlite3");
  cpSync(join(root, "node_modules", "better-sqlite3", "lib"), join(copy, "lib"), { recursive: true });
  cpSync(join(root, "node_modules", "better-sqlite3", "package.json"), join(copy, "package.json"));
  expect(await run(folder, "main.mjs", open)).toContain(`${missing} | `);
  mkdirSync(join(copy, "build", "Release"), { recursive: true });
  writeFileSync(join(copy, "build", "Release", "better_sqlite3.node"), "made for another machine");
  expect(await run(folder, "main.mjs", open)).toBe(`${missing} | ERR_DLOPEN_FAILED\n`);
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

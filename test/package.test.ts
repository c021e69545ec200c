import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { temporaryFolder } from "./helpers/stores.js";

const root = fileURLToPath(new URL("../", import.meta.url));
const packageJson = JSON.parse(readFileSync(`${root}package.json`, "utf8"));

/** Runs a module as an installed user would, against the built package. */
function run(module: string): string {
  return execFileSync(process.execPath, ["--input-type=module", "--eval", module], { cwd: root, encoding: "utf8" });
}

/** Only their own runtimes can import them: see the tests of engines. */
const ofOneRuntime = ["./node-sqlite", "./bun-sqlite"];

it("exports these names and no others", () => {
  const subpaths = Object.keys(packageJson.exports)
    .filter((subpath) => !ofOneRuntime.includes(subpath))
    .map((subpath) => subpath.replace(".", "im-admin"));
  const names = subpaths.map((subpath) => `"${subpath}": Object.keys(await import("${subpath}")).sort()`);
  expect(JSON.parse(run(`console.log(JSON.stringify({${names.join()}}))`))).toEqual({
    "im-admin": [
      "defaultLimits",
      "errorCodes",
      "getBlackList",
      "getGroupMemberList",
      "getJoinedGroupList",
      "getReceivedGroupApplicationList",
      "searchNotificationAccount",
      "setConversations",
    ],
    "im-admin/sqlite": ["openSqliteStore"],
    "im-admin/d1": ["createD1Store", "migrateD1"],
    "im-admin/sql": ["createSqlStore", "migrate"],
    "im-admin/libsql": ["createLibsqlStore", "migrateLibsql"],
    "im-admin/durable-object": ["createDurableObjectStore"],
    "im-admin/postgres": ["createPostgresStore", "migratePostgres", "settlePostgres"],
    "im-admin/fetch": ["createFetchHandler", "names", "relay"],
    "im-admin/itty-router": ["mountAdminRoutes"],
    "im-admin/node": ["createNodeListener", "openHistoryFile", "serve"],
    "im-admin/auth": ["fixedTokenAuthenticator", "jwtAuthenticator", "signAdminToken"],
    "im-admin/console": ["createConsoleHandler"],
    "im-admin/client": ["AdminError", "TransportError", "createAdminClient", "eachItem", "eachPage", "unwrap"],
    "im-admin/openapi": ["openApiDocument"],
    "im-admin/tables": ["defineTables", "tablesSql"],
    "im-admin/openim": ["followOpenIm", "recordsOf"],
    "im-admin/testing": ["storeCases", "storeCasesFor", "toleranceCases"],
  });
});

it("has a package.json that npm need not correct before it publishes", () => {
  const folder = temporaryFolder();
  mkdirSync(dirname(join(folder, packageJson.bin["im-admin"])), { recursive: true });
  writeFileSync(join(folder, packageJson.bin["im-admin"]), "");
  writeFileSync(join(folder, "package.json"), JSON.stringify(packageJson));
  execFileSync("npm", ["pkg", "fix"], { cwd: folder });
  expect(JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))).toEqual(packageJson);
});

it.each([
  [".", ["valibot"]],
  ["./fetch", ["valibot"]],
  ["./auth", []],
  ["./client", []],
  ["./console", []],
  ["./openapi", ["valibot"]],
  ["./itty-router", ["valibot"]],
  ["./d1", []],
  ["./sql", []],
  ["./libsql", []],
  ["./durable-object", []],
  ["./postgres", ["valibot"]],
  ["./testing", []],
] as const)("imports nothing in %s that a JavaScript runtime without Node lacks", (subpath, packages) => {
  const entry = new URL(`../${packageJson.exports[subpath].default}`, import.meta.url);
  expect([...importedPackages(entry)].sort()).toEqual(packages);
});

/** The packages that a built file and its imports need. */
function importedPackages(file: URL): Set<string> {
  const code = readFileSync(file, "utf8");
  const imported = [...code.matchAll(/(?:^import|^\} from|\bimport\()\s*[^"']*["']([^"']+)["']/gm)].map(
    (match) => match[1] ?? "",
  );
  const packages = new Set<string>();
  for (const name of imported) {
    if (name.startsWith(".")) for (const found of importedPackages(new URL(name, file))) packages.add(found);
    else packages.add(name);
  }
  return packages;
}

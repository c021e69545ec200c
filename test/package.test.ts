import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const packageJson = JSON.parse(readFileSync(`${root}package.json`, "utf8"));

/** Runs a module as an installed user would, against the built package. */
function run(module: string): string {
  return execFileSync(process.execPath, ["--input-type=module", "--eval", module], { cwd: root, encoding: "utf8" });
}

it("exports these names and no others", () => {
  const subpaths = Object.keys(packageJson.exports).map((subpath) => subpath.replace(".", "im-admin"));
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
    "im-admin/fetch": ["createFetchHandler"],
    "im-admin/node": ["createNodeListener", "serve"],
    "im-admin/auth": ["fixedTokenAuthenticator", "jwtAuthenticator", "signAdminToken"],
  });
});

it.each([
  ["index", ["valibot"]],
  ["fetch", ["itty-router/cors", "jose", "limiter", "valibot"]],
  ["auth", ["jose"]],
])("imports nothing in %s that a JavaScript runtime without Node lacks", (entry, packages) => {
  expect([...importedPackages(`${entry}.js`)].sort()).toEqual(packages);
});

/** The packages that a built file and what it imports need. */
function importedPackages(file: string): Set<string> {
  const code = readFileSync(`${root}dist/${file}`, "utf8");
  const imported = [...code.matchAll(/(?:^import|^\} from|\bimport\()\s*[^"']*["']([^"']+)["']/gm)].map(
    (match) => match[1] ?? "",
  );
  const packages = new Set<string>();
  for (const name of imported) {
    if (name.startsWith("./")) for (const found of importedPackages(name.slice(2))) packages.add(found);
    else packages.add(name);
  }
  return packages;
}

const readme = readFileSync(`${root}README.md`, "utf8");

/** The code blocks of the README that are whole programs, which import the package. */
const programs = [...readme.matchAll(/```(?:js|ts)\n(.*?)```/gs)]
  .map(([, code = ""]) => code)
  .filter((code) => code.startsWith("import "));

it("prints what its comment says in the README's first example", () => {
  const [first = ""] = programs;
  const output = run(first.replace('path: "im.db"', 'path: ":memory:"'));
  expect(output).toContain("1 [ 'Ann' ]");
});

it("runs every other program of the README", () => {
  expect(programs.length).toBeGreaterThan(3);
});

// Runs the tests that stand nearest to the files that differ from the last commit, or to those that are named.
import { execFileSync, spawnSync } from "node:child_process";

/** The tests of the files whose paths begin so; the first that fits counts. */
const nearest = {
  "src/stores/postgres/map/": "test/tables/postgres",
  "src/stores/sqlite/map/": "test/tables/sqlite",
  "src/tables/": "test/tables",
  "src/stores/postgres/": "test/stores/postgres",
  "src/stores/drivers/": "test/stores/drivers",
  "src/stores/": "test/stores/sqlite",
  "src/testing/": "test/testing",
  "src/answers/": "test/docs",
  "src/": "test/operations",
  "adapters/cli/": "test/adapters/cli",
  "adapters/client": "test/adapters/client",
  "adapters/console": "test/adapters/console",
  "adapters/openapi/": "test/adapters/openapi",
  "adapters/node": "test/adapters/node",
  "adapters/itty": "test/adapters/itty-router",
  "adapters/http/": "test/adapters/http",
  "adapters/": "test/adapters/auth",
  "console/": "test/console",
  "examples/own-store/": "test/examples",
  "docs/": "test/docs",
  "README.md": "test/docs",
  "test/helpers/postgres/": "test/stores/postgres",
  "test/helpers/http/": "test/adapters/http",
  "test/helpers/client/": "test/adapters/client",
  "test/helpers/openapi/": "test/adapters/openapi",
  "test/helpers/docs/": "test/docs",
};

function changedFiles() {
  const git = (...args) => execFileSync("git", args, { encoding: "utf8" }).split("\n").filter(Boolean);
  return [...git("diff", "--name-only", "HEAD"), ...git("ls-files", "--others", "--exclude-standard")];
}

function testsOf(file) {
  if (/^test\/(?!deep\/).*\.test\.ts$/.test(file)) return file;
  return Object.entries(nearest).find(([beginning]) => file.startsWith(beginning))?.[1];
}

const run = (command, ...args) => spawnSync(command, args, { stdio: "inherit" }).status ?? 1;
const files = process.argv.length > 2 ? process.argv.slice(2) : changedFiles();
const filters = [...new Set(files.map(testsOf))].filter((filter) => filter !== undefined);
if (filters.length === 0) {
  process.stdout.write("No test stands near what changed: run npm test.\n");
} else {
  process.exitCode = run("npm", "run", "--silent", "build:fast") || run("npx", "vitest", "run", ...filters);
}

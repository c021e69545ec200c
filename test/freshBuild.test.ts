import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { requireFreshBuild } from "./freshBuild.js";
import { temporaryFolder } from "./helpers/stores.js";

const sources = [
  "src/index.ts",
  "adapters/cli/main.ts",
  "console/style/page.css",
  "build/licenses.ts",
  "migrations/0001.sql",
  "tsup.config.ts",
];

const parts = ["src/index.js", "adapters/cli/main.js", "adapters/openapi/index.js", "adapters/console/page.js"];
const built = parts.map((file) => `dist/${file}`);

/** A checkout that was built in 2026, and the function that writes one of its files in a year. */
function builtCheckout() {
  const root = temporaryFolder();
  const write = (file: string, year: number) => {
    mkdirSync(join(root, dirname(file)), { recursive: true });
    writeFileSync(join(root, file), "");
    utimesSync(join(root, file), new Date(`${year}-01-01`), new Date(`${year}-01-01`));
  };
  for (const file of sources) write(file, 2025);
  for (const file of built) write(file, 2026);
  return { root, write, check: () => requireFreshBuild(root) };
}

it.each(sources)("tests do not run where %s was changed after the build", (file) => {
  const { write, check } = builtCheckout();
  check();
  write(file, 2027);
  expect(check).toThrow(`dist is older than ${file}: run npm run build:fast`);
});

it.each(built)("tests do not run where %s was not built, or was not built again", (file) => {
  const { root, write, check } = builtCheckout();
  write(file, 2024);
  expect(check).toThrow(": run npm run build:fast");
  rmSync(join(root, file));
  expect(check).toThrow(": run npm run build:fast");
});

it.each(["test/some.test.ts", "docs/page.md", "src/.index.ts.swp", "migrations/postgres/0001.sql"])(
  "they run where only %s is newer",
  (file) => {
    const { write, check } = builtCheckout();
    write(file, 2027);
    check();
  },
);

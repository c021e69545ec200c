/** Threads, commands and Workers run what is built: no test runs where `dist` is older than what it is built from. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** What the build reads. */
const sources = ["src", "adapters", "console", "build", "migrations", "tsup.config.ts"];

/** A file of each of its parts. */
const built = ["src/index.js", "adapters/cli/main.js", "adapters/openapi/index.js", "adapters/console/page.js"];

export default function setUp(): void {
  requireFreshBuild(fileURLToPath(new URL("../", import.meta.url)));
}

/** @throws Error if a source was written after the build */
export function requireFreshBuild(root: string): void {
  const builtAt = Math.min(...built.map((file) => writtenAt(join(root, "dist", file))));
  const newer = sources
    .flatMap((source) => filesIn(root, source))
    .find((file) => writtenAt(join(root, file)) > builtAt);
  if (newer !== undefined) throw new Error(`dist is older than ${newer}: run npm run build:fast`);
}

function filesIn(root: string, source: string): string[] {
  const path = join(root, source);
  if (!existsSync(path) || statSync(path).isFile()) return [source];
  return (
    readdirSync(path, { recursive: true, encoding: "utf8" })
      .map((file) => join(source, file))
      // The build writes the migrations of PostgreSQL itself. Editors keep files with a dot beside those that they edit.
      .filter((file) => !/^migrations\W+postgres|[\\/]\./.test(file) && statSync(join(root, file)).isFile())
  );
}

/** When a file was written, in milliseconds since 1970; 0 if it does not exist. */
function writtenAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

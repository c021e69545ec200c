/** Makes the host programs of each language. What takes long to download or compile stays in a folder between runs. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const cache = process.env.HOSTS_CACHE ?? join(homedir(), ".cache", "im-admin-hosts");
/** The sources of SQLite are in these versions of a package for Go: the oldest that im-admin knows, and a new one. */
const go = "github.com/mattn/go-sqlite3";
const sources = { "3.24.0": `${go}@v1.9.0`, "3.54.1": `${go}@v1.14.53` };
/** Options that leave the schema of a database little to rely on. */
const meagre = [
  ...["-DSQLITE_OMIT_JSON", "-DSQLITE_TRUSTED_SCHEMA=0", "-DSQLITE_DQS=0"],
  ...["-DSQLITE_DEFAULT_RECURSIVE_TRIGGERS=1", "-DSQLITE_MAX_TRIGGER_DEPTH=5"],
];

/** Runs a program that must succeed, and returns what it prints. */
export function run(command, args, options = {}) {
  const { status, error, stdout, stderr } = spawnSync(command, args, { encoding: "utf8", ...options });
  if (status === 0) return stdout;
  throw error ?? new Error(`${command} ${args.join(" ")} failed:\n${stdout}${stderr}`);
}

/** The hosts with the commands that run them. A folder takes what is made for this run alone. */
export function hostsOf(folder) {
  mkdirSync(cache, { recursive: true });
  return {
    "Python, sqlite3": () => ["python3", join(here, "python", "host.py")],
    "Go, mattn/go-sqlite3": () => [goHost(folder), "sqlite3"],
    "Go, modernc.org/sqlite": () => [goHost(folder), "sqlite"],
    "C, Debian's library": () => [cHost(folder, "debian", ["-lsqlite3"])],
    "C, Debian's library, no trust": () => [cHost(folder, "no-trust", ["-DNO_TRUST", "-lsqlite3"])],
    "C, without FTS5": () => [cHost(folder, "oldest", library("3.24.0", []))],
    "C, without FTS5 and JSON, no trust": () => [cHost(folder, "small", ["-DNO_TRUST", ...library("3.54.1", meagre)])],
    "Node.js, node-sqlite3-wasm": () => nodeHost(folder, "node-sqlite3-wasm"),
    "Node.js, sql.js": () => nodeHost(folder, "sql.js"),
  };
}

/** Copies the program of a language to a folder, once. */
function project(folder, language) {
  const to = join(folder, language);
  if (existsSync(to)) return [to, false];
  cpSync(join(here, language), to, { recursive: true });
  return [to, true];
}

function goHost(folder) {
  const [cwd, isNew] = project(folder, "go");
  if (isNew) run("go", ["build", "-o", "host", "."], { cwd, env: { ...process.env, CGO_ENABLED: "1" } });
  return join(cwd, "host");
}

/** Compiles the program for an edition of SQLite, with the options that link it. */
function cHost(folder, name, options) {
  const to = join(folder, name);
  run("gcc", ["-O2", "-o", to, join(here, "c", "host.c"), ...options]);
  return to;
}

/** Options that link a version of SQLite, compiled with these options. */
function library(version, options) {
  const object = join(cache, `sqlite-${[version, ...options].join("")}.o`);
  if (!existsSync(object)) {
    const { Dir } = JSON.parse(run("go", ["mod", "download", "-json", sources[version]], { cwd: cache }));
    run("gcc", ["-O2", ...options, "-c", join(Dir, "sqlite3-binding.c"), "-o", object]);
  }
  return [object, "-lm", "-lpthread", "-ldl"];
}

function nodeHost(folder, driver) {
  const [cwd, isNew] = project(folder, "javascript");
  if (isNew) run("npm", ["install", "--silent", "--no-audit", "--prefer-offline", "--no-package-lock"], { cwd });
  return ["node", join(cwd, "host.mjs"), driver];
}

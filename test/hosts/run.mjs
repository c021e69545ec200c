// Lets chat servers in other languages write a database with their own tables, plain and with a map of im-admin's, and
// compares the rows, the lists and the processor time. Arguments choose hosts by a part of their names.
import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import Database from "better-sqlite3";
import { hostsOf, run } from "./hosts.mjs";
import { differences } from "./lists.mjs";
import { fill, lineOf, script } from "./script.mjs";

const parts = 4;
const statements = 750;
/** How often each host writes both databases. The least processor time counts. */
const rounds = 3;
const cli = fileURLToPath(new URL("../../dist/adapters/cli/main.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "im-admin-hosts-"));
const began = performance.now();

try {
  const files = prepare();
  const chosen = process.argv.slice(2);
  const results = [];
  for (const [name, commandOf] of Object.entries(hostsOf(folder))) {
    if (chosen.length > 0 && !chosen.some((part) => name.includes(part))) continue;
    step(name);
    results.push(await measure(name, commandOf(), files));
  }
  const head = ["host | SQLite | errors | lists | processor time", "--- | --- | --- | --- | ---"];
  for (const cells of [...head, ...results.map(({ cells }) => cells.join(" | "))]) say(`| ${cells} |`);
  const failed = results.filter(({ isRight }) => !isRight).length;
  step(`${results.length - failed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}

function step(what) {
  say(`== ${Math.round((performance.now() - began) / 1000)} s: ${what}`);
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

/** Writes the databases that each host begins with, and the parts of the script. Returns the files of the parts. */
function prepare() {
  const plain = new Database(join(folder, "plain.db"));
  plain.exec(readFileSync(new URL("tables.sql", import.meta.url), "utf8"));
  fill(plain);
  copyFileSync(plain.name, join(folder, "mapped.db"));
  copyFileSync(plain.name, join(folder, "script.db"));
  plain.close();
  run(process.execPath, [
    cli,
    "tables",
    "--map",
    fileURLToPath(new URL("map.json", import.meta.url)),
    "--db",
    join(folder, "mapped.db"),
  ]);

  const model = new Database(join(folder, "script.db"));
  const made = script(model, parts, statements);
  model.close();
  return made.map((part, index) => {
    const file = join(folder, `part${index}.tsv`);
    writeFileSync(file, ["PRAGMA foreign_keys = ON", ...part.map(lineOf), ""].join("\n"));
    return file;
  });
}

/**
 * Lets a host write both databases, and compares them. In the first round, im-admin reads all lists between the parts of
 * the script; in the last round, it reads them only at the end.
 */
async function measure(name, command, files) {
  const paths = { plain: join(folder, "host", "plain.db"), mapped: join(folder, "host", "mapped.db") };
  const problems = { "lists differ": [], "rows differ": [], "other journal": [], "check fails": [] };
  const compareLists = async () => {
    problems["lists differ"].push(...(await differences(paths.mapped).catch(({ message }) => [message])));
  };
  const told = { plain: [], mapped: [] };
  for (let round = 0; round < rounds; round++) {
    rmSync(join(folder, "host"), { recursive: true, force: true });
    mkdirSync(join(folder, "host"));
    for (const [kind, path] of Object.entries(paths)) {
      copyFileSync(join(folder, `${kind}.db`), path);
      const onReady = kind === "mapped" && round === 0 ? compareLists : () => {};
      told[kind].push(await runHost([...command, path, ...files], onReady));
    }
  }
  problems["check fails"].push(...checked(paths.mapped));
  await compareLists();
  const [before, after] = Object.values(paths).map(contents);
  for (const [table, rows] of before.rows)
    if (!isDeepStrictEqual(rows, after.rows.get(table))) problems["rows differ"].push(table);
  if (before.journal !== after.journal) problems["other journal"].push(`${before.journal} became ${after.journal}`);
  const [{ errors: plainErrors, version }, { errors }] = [told.plain, told.mapped].map(worst);
  if (plainErrors.length > 0) throw new Error(`${name} cannot run the script: ${plainErrors[0]}`);
  for (const [problem, examples] of Object.entries({ errors, ...problems }))
    for (const example of [...new Set(examples)].slice(0, 4)) say(`${problem}: ${example.slice(0, 300)}`);
  const wrong = Object.keys(problems).filter((problem) => problems[problem].length > 0);
  const [plain, mapped] = [told.plain, told.mapped].map((runs) =>
    Math.min(...runs.map(({ milliseconds }) => milliseconds)),
  );
  say(`processor time: plain ${Math.round(plain)} ms, mapped ${Math.round(mapped)} ms`);
  const ratio = errors.length === 0 ? `${(mapped / plain).toFixed(2)}x` : "-";
  const cells = [name, version, errors.length, wrong.join(", ") || "equal", ratio];
  return { cells, isRight: errors.length === 0 && wrong.length === 0 };
}

/** The run with the most errors. */
function worst(runs) {
  return runs.toSorted((left, right) => right.errors.length - left.errors.length)[0];
}

/** Runs a host. After each part of the script, it waits for an answer. */
async function runHost([command, ...args], onReady) {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const told = { errors: [] };
  for await (const line of createInterface({ input: child.stdout })) {
    const [word] = line.split(" ", 1);
    const text = line.slice(word.length + 1);
    if (word === "error") told.errors.push(text);
    else if (word !== "ready") told[word] = text;
    else {
      await onReady();
      child.stdin.write("\n");
    }
  }
  if (told.milliseconds === undefined) told.errors.push("the host has ended too early");
  return told;
}

/** The journal mode of a database, and the schema and the rows of its host. */
function contents(path) {
  const database = new Database(path, { readonly: true });
  const own = "FROM sqlite_schema WHERE name NOT LIKE '%im_admin%'";
  const schema = database.prepare(`SELECT name, sql ${own} ORDER BY name`).all();
  const tables = database.prepare(`SELECT name ${own} AND type = 'table'`).pluck().all();
  const rows = tables.map((table) => [table, database.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all()]);
  const journal = database.pragma("journal_mode", { simple: true });
  database.close();
  return { journal, rows: new Map([["the schema", schema], ...rows]) };
}

/** What im-admin check says if it finds something wrong. */
function checked(path) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, "check", "--db", path], { encoding: "utf8" });
  return status === 0 ? [] : [`${stdout}${stderr}`.trim().replaceAll("\n", "; ")];
}

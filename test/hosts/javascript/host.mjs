/** Runs each statement of the files on a database of SQLite, as a chat server does. */
import { readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import sqlite3 from "node-sqlite3-wasm";
import initSqlJs from "sql.js";

const { Database } = await initSqlJs();
const version = "SELECT sqlite_version() AS version";

/** Opens a database for one file of statements: sql.js holds it in memory meanwhile. */
const open = {
  "node-sqlite3-wasm": (path) => {
    const database = new sqlite3.Database(path);
    const run = (sql, values) => database.run(sql, values);
    return { run, version: () => database.get(version).version, close: () => database.close() };
  },
  "sql.js": (path) => {
    const database = new Database(readFileSync(path));
    const run = (sql, values) => database.run(sql, values);
    const close = () => writeFileSync(path, database.export());
    return { run, version: () => database.exec(version)[0].values[0][0], close };
  },
};

function parsed(text) {
  const kinds = { i: Number, t: String, n: () => null };
  return kinds[text[0]](text.slice(1));
}

const [driver, path, ...files] = process.argv.slice(2);
const input = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
let microseconds = 0;
for (const file of files) {
  const database = open[driver](path);
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  const began = process.cpuUsage();
  for (const line of lines) {
    const [sql, ...values] = line.split("\t");
    try {
      database.run(sql, values.map(parsed));
    } catch (error) {
      process.stdout.write(`error ${error.message}\n`);
    }
  }
  const { user, system } = process.cpuUsage(began);
  microseconds += user + system;
  if (file === files.at(-1)) process.stdout.write(`version ${database.version()}\n`);
  database.close();
  process.stdout.write("ready\n");
  await input.next();
}
process.stdout.write(`milliseconds ${microseconds / 1000}\n`);
process.stdin.destroy();

/** Runs each statement of the files on a database of SQLite, as a chat server does. */
import { readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import sqlite3 from "node-sqlite3-wasm";
import initSqlJs from "sql.js";

const { Database } = await initSqlJs();

/** Opens a database for one file of statements: sql.js holds it in memory meanwhile. */
const drivers = {
  "node-sqlite3-wasm": {
    version: () => new sqlite3.Database().get("SELECT sqlite_version() AS version").version,
    open: (path) => new sqlite3.Database(path),
    close: (database) => database.close(),
  },
  "sql.js": {
    version: () => new Database().exec("SELECT sqlite_version()")[0].values[0][0],
    open: (path) => new Database(readFileSync(path)),
    close: (database, path) => writeFileSync(path, database.export()),
  },
};

function parsed(text) {
  const kinds = { i: Number, t: String, n: () => null };
  return kinds[text[0]](text.slice(1));
}

const [name, path, ...files] = process.argv.slice(2);
const driver = drivers[name];
const input = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
let microseconds = 0;
for (const file of files) {
  const database = driver.open(path);
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
  driver.close(database, path);
  process.stdout.write("ready\n");
  await input.next();
}
process.stdout.write(`version ${driver.version()}\nmilliseconds ${microseconds / 1000}\n`);
process.stdin.destroy();

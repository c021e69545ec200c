/** How a database file comes into being: for its owner alone, once, and whole or not at all. */

import { fork } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  closeSync,
  openSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import BetterSqlite3 from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { openSqliteStore } from "../../../src/stores/drivers/sqlite.js";
import { imAdmin } from "../../helpers/cliProcess.js";
import { makeFile, makeUnfinishedFile } from "../../helpers/foreignFiles.js";
import { temporaryFolder } from "../../helpers/stores.js";

/** What may be done with each file of a folder, in octal digits. */
function modes(folder: string): Record<string, string> {
  const names = readdirSync(folder).map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]);
  return Object.fromEntries(names);
}

async function open(path: string) {
  const store = openSqliteStore({ path });
  onTestFinished(() => store.close());
  await store.put({ users: [{ userID: "u1" }] });
}

it("only its owner may read and write it, and the files beside it", async () => {
  const folder = temporaryFolder();
  await open(join(folder, "im.db"));
  expect(modes(folder)).toStrictEqual({ "im.db": "600", "im.db-shm": "600", "im.db-wal": "600" });
});

it("only its owner may read and write it, too, where a symbolic link leads to it", async () => {
  const folder = temporaryFolder();
  symlinkSync("first.db", join(folder, "second"));
  symlinkSync("second", join(folder, "link"));
  await open(join(folder, "link"));
  expect(modes(folder)).toMatchObject({ "first.db": "600", "first.db-wal": "600" });
  expect(readlinkSync(join(folder, "link"))).toBe("second");
});

it("keeps the rights that it has where it exists, empty or not", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "empty.db"), "");
  chmodSync(join(folder, "empty.db"), 0o640);
  await openSqliteStore({ path: join(folder, "old.db") }).close();
  chmodSync(join(folder, "old.db"), 0o664);
  await open(join(folder, "empty.db"));
  await open(join(folder, "old.db"));
  expect(modes(folder)).toStrictEqual({
    "empty.db": "640",
    "empty.db-shm": "640",
    "empty.db-wal": "640",
    "old.db": "664",
    "old.db-shm": "664",
    "old.db-wal": "664",
  });
});

it("is made by import and serve so, too", async () => {
  const records = temporaryFolder();
  writeFileSync(join(records, "users.json"), '[{"userID":"u1"}]');
  const folder = temporaryFolder();
  expect(await imAdmin(["import", records, "--db", join(folder, "im.db")])).toMatchObject({ status: 0 });
  expect(modes(folder)).toStrictEqual({ "im.db": "600" });
});

it.each([
  "two words.db",
  "naïve-数据库-🗄.db",
  "a?mode=memory",
  "50%41#1.db",
  "file:im.db",
  "main",
  "temp",
  "-wal",
  "--db",
  'it\'s "quoted".db',
  "line\nbreak.db",
])("may be called %j", async (name) => {
  const folder = temporaryFolder();
  await openSqliteStore({ path: join(folder, name) }).close();
  await openSqliteStore({ path: join(folder, name), readonly: true }).close();
  expect(readdirSync(folder).filter((found) => !/-(wal|shm)$/.test(found) || found === name)).toStrictEqual([name]);
  expect(await imAdmin(["check", `--db=${join(folder, name)}`])).toMatchObject({ status: 0 });
});

it("is a new one where a program has only made the file", async () => {
  const path = join(temporaryFolder(), "im.db");
  closeSync(openSync(path, "w"));
  await open(path);
});

it("is a new one where SQLite has written nothing but its header", async () => {
  const path = join(temporaryFolder(), "im.db");
  makeFile(path, "PRAGMA journal_mode = WAL");
  expect(statSync(path).size).toBe(4096);
  await open(path);
});

it("is a new one where its first write was left unfinished", async () => {
  const path = join(temporaryFolder(), "im.db");
  makeUnfinishedFile(
    path,
    `PRAGMA cache_size = 1; BEGIN; CREATE TABLE users (userID TEXT);
      WITH RECURSIVE numbers (number) AS (VALUES (1) UNION ALL SELECT number + 1 FROM numbers WHERE number < 20000)
        INSERT INTO users SELECT 'user' || number FROM numbers`,
  );
  expect(readdirSync(dirname(path))).toStrictEqual(["im.db", "im.db-journal"]);
  await open(path);
});

const openFiles = new URL("../../children/sqliteOpen.mjs", import.meta.url);

/** Starts a process that opens the files that it is sent. */
async function opener() {
  const child = fork(openFiles);
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "message");
  return child;
}

it("is opened again whenever the process that makes it is killed", async () => {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const path = join(temporaryFolder(), "im.db");
    const child = await opener();
    child.send(path);
    await setTimeout(attempt);
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
    await openSqliteStore({ path }).close();
    expect(await imAdmin(["check", "--db", path])).toMatchObject({ status: 0 });
  }
});

it("is marked and gets its schema once where two processes open it at once", async () => {
  const children = await Promise.all([opener(), opener()]);
  const folder = temporaryFolder();
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const path = join(folder, `${attempt}.db`);
    const answers = children.map((child) => once(child, "message"));
    for (const child of children) child.send(path);
    expect(await Promise.all(answers)).toStrictEqual([
      ["done", undefined],
      ["done", undefined],
    ]);
    const connection = new BetterSqlite3(path);
    expect(connection.pragma("application_id")).toStrictEqual([{ application_id: 1768767844 }]);
    expect(connection.prepare("SELECT version FROM schemaVersion").all()).toStrictEqual([{ version: 1 }]);
    connection.close();
  }
});

it("adopts once where two processes adopt at once", async () => {
  const children = await Promise.all([opener(), opener()]);
  const folder = temporaryFolder();
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const path = join(folder, `${attempt}.db`);
    makeFile(path, "CREATE TABLE host (name TEXT)");
    const answers = children.map((child) => once(child, "message"));
    for (const child of children) child.send({ path, adopt: true });
    expect(await Promise.all(answers)).toStrictEqual([
      ["done", undefined],
      ["done", undefined],
    ]);
  }
});

/** How a database file comes into being: for its owner alone, once, and whole or not at all. */

import { chmodSync, readdirSync, readlinkSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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
  "file:x?mode=memory",
  "a?immutable=1",
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

const unfinished = `PRAGMA cache_size = 1; BEGIN; CREATE TABLE im_admin_users (user_id TEXT);
  WITH RECURSIVE numbers (number) AS (VALUES (1) UNION ALL SELECT number + 1 FROM numbers WHERE number < 20000)
    INSERT INTO im_admin_users SELECT 'user' || number FROM numbers`;

it.each<[string, (path: string) => void, string[]]>([
  ["a program has only made the file", (path) => writeFileSync(path, ""), ["im.db"]],
  ["SQLite has written nothing but its header", (path) => makeFile(path, "PRAGMA journal_mode = WAL"), ["im.db"]],
  ["its first write was left unfinished", (path) => makeUnfinishedFile(path, unfinished), ["im.db", "im.db-journal"]],
])("is a new one where %s", async (_, make, files) => {
  const folder = temporaryFolder();
  make(join(folder, "im.db"));
  expect(readdirSync(folder)).toStrictEqual(files);
  await open(join(folder, "im.db"));
});

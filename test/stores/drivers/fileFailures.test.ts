/** What people read where a database file cannot be used. */
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import BetterSqlite3 from "better-sqlite3";
import { expect, it } from "vitest";
import { searchNotificationAccount } from "../../../src/index.js";
import { explainFailure } from "../../../src/stores/drivers/explainFailure.js";
import { openSqliteStore } from "../../../src/stores/drivers/sqlite.js";
import { cli, imAdmin } from "../../helpers/cliProcess.js";
import { makeFile } from "../../helpers/foreignFiles.js";
import { temporaryFolder } from "../../helpers/stores.js";

function failureOf(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error("it has not failed");
}

it("names a folder that stands in place of the file", () => {
  const path = temporaryFolder();
  for (const options of [{}, { readonly: true }, { adopt: true }]) {
    expect(failureOf(() => openSqliteStore({ path, ...options })).message).toBe(
      `cannot open the database ${path}: it is a folder: name a file in it, such as im.db`,
    );
  }
});

it("keeps the failure that SQLite has told", () => {
  const path = join(temporaryFolder(), "letter");
  writeFileSync(path, "Dear reader");
  const { message, cause } = failureOf(() => openSqliteStore({ path }));
  expect(message).toBe(
    `cannot open the database ${path}: it is no SQLite database, or it is encrypted, or its first page is damaged: name another file, or restore a backup`,
  );
  expect(cause).toMatchObject({ code: "SQLITE_NOTADB", message: "file is not a database" });
});

it("says that its file system has failed", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "users.ndjson"), `{"userID":"u1","nickname":"${"a".repeat(65_000)}"}\n`.repeat(100));
  // The system refuses to make a file longer than this, and SQLite takes that for a failure of the disk.
  const script = `trap "" XFSZ; ulimit -f 300; exec "${process.execPath}" "${cli}" import "${folder}" --db "${folder}/im.db"`;
  const { code, stderr } = await promisify(execFile)("sh", ["-c", script]).catch((error) => error);
  expect(code).toBe(1);
  expect(stderr).toContain(`${folder}/im.db: its file system fails to read, write or lock it: look at the disk`);
});

it.each([
  [{ code: "SQLITE_IOERR_SHMMAP" }, "its file system fails to read, write or lock it: look at the disk, "],
  [{ errcode: 3850 }, "its file system fails to read, write or lock it: look at the disk, "],
  [{ code: "SQLITE_PROTOCOL" }, "its file system cannot lock it as SQLite must: put it on a disk of this machine, "],
])("explains what SQLite says on a network file system: %j", (fields, sentence) => {
  expect(explainFailure(Object.assign(new Error("locking protocol"), fields))).toContain(sentence);
});

/** A file with a readable schema, and with damaged pages of a table and its indexes. */
async function damagedFile(table: string): Promise<string> {
  const path = join(temporaryFolder(), "im.db");
  const store = openSqliteStore({ path });
  await store.put({ users: [{ userID: "u1", appMangerLevel: 3 }] });
  await store.close();
  const connection = new BetterSqlite3(path).unsafeMode();
  const pages = connection
    .prepare("SELECT rootpage FROM sqlite_schema WHERE tbl_name = ? AND rootpage > 0")
    .pluck()
    .all(table) as number[];
  connection.close();
  const content = readFileSync(path);
  for (const page of pages) content.fill(0x55, (page - 1) * 4096, page * 4096);
  writeFileSync(path, content);
  return path;
}

const damaged = (path: string) =>
  `the database ${path} failed: its pages are damaged: restore a backup, or let the command .recover of the sqlite3 shell make a new file`;

it("names the file where pages turn out to be damaged, to the caller of put and to the observer", async () => {
  const path = await damagedFile("im_admin_users");
  const store = openSqliteStore({ path });
  const failure = await store.put({ users: [{ userID: "u2" }] }).catch((error: unknown) => error);
  expect(failure).toMatchObject({ message: damaged(path), cause: { code: "SQLITE_CORRUPT" } });
  const told: unknown[] = [];
  const observer = { onError: ({ error }: { error: unknown }) => told.push(error) };
  const input = { pagination: { pageNumber: 1, showNumber: 1 } };
  expect(await searchNotificationAccount(store, input, { observer })).toMatchObject({ errCode: 500 });
  expect(told).toMatchObject([{ message: damaged(path) }]);
  await store.close();
});

it("names the file where an import meets damaged pages", async () => {
  const path = await damagedFile("im_admin_users");
  const folder = temporaryFolder();
  writeFileSync(join(folder, "users.json"), '[{"userID":"u2"}]');
  const { status, stderr } = await imAdmin(["import", folder, "--db", path]);
  expect(status).toBe(1);
  expect(stderr).toContain(`users.json: nothing was imported: ${damaged(path)}\n`);
});

it("cannot open a damaged schema", () => {
  const path = join(temporaryFolder(), "im.db");
  makeFile(path, "PRAGMA application_id = 1768767844; CREATE TABLE host (name TEXT)");
  const connection = new BetterSqlite3(path).unsafeMode();
  connection.pragma("writable_schema = ON");
  connection.exec("UPDATE sqlite_schema SET rootpage = 99");
  connection.close();
  expect(failureOf(() => openSqliteStore({ path })).message).toBe(
    `cannot open the database ${path}: its pages are damaged: restore a backup, or let the command .recover of the sqlite3 shell make a new file`,
  );
});

/** Files of other programs: the store refuses and does not change them, unless a host asks it to adopt them. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { openSqliteStore } from "../../../src/stores/drivers/sqlite.js";
import { imAdmin } from "../../helpers/cliProcess.js";
import { expectRight } from "../../helpers/corruptedFile.js";
import { brokenFiles, foreignFiles, makeFile, makeUnfinishedFile, stateOf } from "../../helpers/foreignFiles.js";
import { fileEngines, temporaryFolder } from "../../helpers/stores.js";

/** The rows of a statement on a file. */
function rows(path: string, statement: string): unknown[] {
  const connection = new BetterSqlite3(path, { readonly: true });
  try {
    return connection.prepare(statement).raw().all();
  } finally {
    connection.close();
  }
}

/** Opens a store on a file of another program, puts a user in it, and closes it. */
async function adopt(path: string): Promise<void> {
  const store = openSqliteStore({ path, adopt: true });
  await store.put({ users: [{ userID: "u1", appMangerLevel: 3 }] });
  await store.close();
}

describe.each(Object.entries({ ...foreignFiles, ...brokenFiles }))("a file %s", (_, [make, sentence]) => {
  it.each(Object.entries(fileEngines))("is refused by %s, to write or to read, and stays as it is", (_, open) => {
    const folder = temporaryFolder();
    const path = join(folder, "host.db");
    make(path);
    const before = stateOf(folder);
    for (const readonly of [false, true]) {
      expect(() => open({ path, readonly })).toThrow(`cannot open the database ${path}: `);
      expect(() => open({ path, readonly })).toThrow(sentence);
      expect(stateOf(folder)).toStrictEqual(before);
    }
  });
});

it("does not end the locks that the host has on it in this process", () => {
  const path = join(temporaryFolder(), "host.db");
  const host = new BetterSqlite3(path);
  onTestFinished(() => void host.close());
  host.exec("CREATE TABLE host (name TEXT); BEGIN IMMEDIATE");
  const program = `require("better-sqlite3")(${JSON.stringify(path)}, { timeout: 1 }).exec("INSERT INTO host VALUES (1)")`;
  // A lock is one of a process: only another process meets it.
  const write = () => execFileSync(process.execPath, ["--eval", program], { stdio: "pipe" });
  expect(write).toThrow("database is locked");
  expect(() => openSqliteStore({ path })).toThrow("it is no database of im-admin");
  expect(() => openSqliteStore({ path, readonly: true })).toThrow("it is no database of im-admin");
  expect(write).toThrow("database is locked");
  host.exec("COMMIT");
});

it("tells both ways out", () => {
  const path = join(temporaryFolder(), "host.db");
  makeFile(path, "CREATE TABLE host (name TEXT)");
  expect(() => openSqliteStore({ path, adopt: undefined })).toThrow(
    new Error(
      `cannot open the database ${path}: it is no database of im-admin, but of another program, with the table host: give im-admin a file of its own, or put its lists over these tables by a map, with im-admin tables --map. adopt: true (--adopt) adds empty tables of its own`,
    ),
  );
});

describe("adopting a file", () => {
  it("adds our tables beside those of the host, keeps its journal mode, and then opens it like any other", async () => {
    const path = join(temporaryFolder(), "host.db");
    makeFile(path, "CREATE TABLE host (name TEXT); INSERT INTO host VALUES ('kept'); PRAGMA user_version = 7");
    await adopt(path);
    expect(rows(path, "SELECT name, user_id FROM host, im_admin_users")).toStrictEqual([["kept", "u1"]]);
    expect(rows(path, "PRAGMA user_version")).toStrictEqual([[7]]);
    expect(rows(path, "PRAGMA journal_mode")).toStrictEqual([["delete"]]);
    expect(rows(path, "PRAGMA application_id")).toStrictEqual([[1768767844]]);
    for (const options of [{}, { readonly: true }, { adopt: true }]) {
      const store = openSqliteStore({ path, ...options });
      expect((await store.listNotificationAccounts({ keyword: "", offset: 0, limit: 1 })).total).toBe(1);
      await store.close();
    }
    await expectRight(path);
  });

  it("leaves the application_id of the host, and opens the file by its version table", async () => {
    const path = join(temporaryFolder(), "host.db");
    makeFile(path, "CREATE TABLE host (name TEXT); PRAGMA application_id = 252006674");
    await adopt(path);
    await openSqliteStore({ path }).close();
    expect(rows(path, "PRAGMA application_id")).toStrictEqual([[252006674]]);
    await expectRight(path);
  });

  it("works while the host has the file open, in the same process", async () => {
    const path = join(temporaryFolder(), "host.db");
    const host = new BetterSqlite3(path);
    onTestFinished(() => void host.close());
    host.exec("CREATE TABLE host (name TEXT)");
    await adopt(path);
    host.exec("INSERT INTO host VALUES ('kept'); INSERT INTO im_admin_users (user_id) VALUES ('u2')");
    expect(rows(path, "SELECT name, count(*) FROM host, im_admin_users")).toStrictEqual([["kept", 2]]);
  });

  it("lets SQLite undo a write of the host that was left unfinished", async () => {
    const path = join(temporaryFolder(), "host.db");
    foreignFiles["with a write that a killed program has left unfinished"]?.[0](path);
    await adopt(path);
    expect(rows(path, "SELECT count(*) FROM host")).toStrictEqual([[0]]);
  });

  it("leaves a chat server's tables alone, under any names, and answers from ours", async () => {
    const path = join(temporaryFolder(), "host.db");
    makeFile(
      path,
      `CREATE TABLE users (id INTEGER PRIMARY KEY, user_id TEXT); INSERT INTO users (user_id) VALUES ('kept');
        CREATE TABLE groups (id INTEGER PRIMARY KEY); CREATE TABLE conversations (id INTEGER PRIMARY KEY);
        CREATE VIEW lists AS SELECT 1 AS id; CREATE INDEX documents ON users (user_id);
        CREATE TRIGGER group_members AFTER INSERT ON users BEGIN SELECT 1; END`,
    );
    await adopt(path);
    expect(rows(path, "SELECT user_id FROM users")).toStrictEqual([["kept"]]);
    expect(rows(path, "SELECT user_id FROM im_admin_users")).toStrictEqual([["u1"]]);
    await expectRight(path);
  });
});

describe("the mark", () => {
  it("is set in a new file", async () => {
    const path = join(temporaryFolder(), "im.db");
    await openSqliteStore({ path }).close();
    expect(rows(path, "PRAGMA application_id")).toStrictEqual([[0x696d4164]]);
    expect(Buffer.from("imAd").readInt32BE()).toBe(0x696d4164);
  });

  it("lets SQLite undo an unfinished write of a host to a file of ours", async () => {
    const path = join(temporaryFolder(), "im.db");
    await adopt(path);
    makeUnfinishedFile(
      path,
      `PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; BEGIN;
        WITH RECURSIVE numbers (number) AS (VALUES (1) UNION ALL SELECT number + 1 FROM numbers WHERE number < 9000)
          INSERT INTO im_admin_users (user_id) SELECT 'unfinished' || number FROM numbers`,
    );
    expect(() => openSqliteStore({ path, readonly: true })).toThrow(
      `${path}-journal has a write that a program left unfinished when it ended: open the database with that program once`,
    );
    await openSqliteStore({ path }).close();
    expect(rows(path, "SELECT user_id FROM im_admin_users")).toStrictEqual([["u1"]]);
  });

  it("does not hide that the table of the version has gone", async () => {
    const path = join(temporaryFolder(), "im.db");
    await adopt(path);
    makeFile(path, "DROP TABLE im_admin_schema_version");
    expect(() => openSqliteStore({ path })).toThrow(
      "of im-admin, but im_admin_schema_version does not say which version it has: im-admin check --repair mends a file",
    );
    expect(await imAdmin(["check", "--db", path, "--repair"])).toMatchObject({ status: 0 });
    await openSqliteStore({ path }).close();
  });
});

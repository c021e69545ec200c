/** Files of other programs: refused and left as they are, unless they are to be adopted. */
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
      `cannot open the database ${path}: it is no database of im-admin, but of another program, with the table host: give im-admin a file of its own, or add its tables to this one with adopt: true (--adopt)`,
    ),
  );
});

describe("adopting a file", () => {
  it("adds our tables beside those of the host, switches it to WAL mode, and opens it without a word from then on", async () => {
    const path = join(temporaryFolder(), "host.db");
    makeFile(path, "CREATE TABLE host (name TEXT); INSERT INTO host VALUES ('kept'); PRAGMA user_version = 7");
    await adopt(path);
    expect(rows(path, "SELECT name, userID FROM host, users")).toStrictEqual([["kept", "u1"]]);
    expect(rows(path, "PRAGMA user_version")).toStrictEqual([[7]]);
    expect(rows(path, "PRAGMA journal_mode")).toStrictEqual([["wal"]]);
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
    host.exec("INSERT INTO host VALUES ('kept'); INSERT INTO users (userID) VALUES ('u2')");
    expect(rows(path, "SELECT name, count(*) FROM host, users")).toStrictEqual([["kept", 2]]);
  });

  it("lets SQLite undo a write of the host that was left unfinished", async () => {
    const path = join(temporaryFolder(), "host.db");
    foreignFiles["with a write that a killed program has left unfinished"]?.[0](path);
    await adopt(path);
    expect(rows(path, "SELECT count(*) FROM host")).toStrictEqual([[0]]);
  });

  it.each([
    ["CREATE TABLE users (id INTEGER PRIMARY KEY)", "table users has a name"],
    ["CREATE TABLE USERS (id INTEGER PRIMARY KEY)", "table USERS has a name"],
    ["CREATE VIEW groups AS SELECT 1 AS id", "view groups has a name"],
    ["CREATE TABLE host (name); CREATE INDEX lists ON host (name)", "index lists has a name"],
    [
      "CREATE VIRTUAL TABLE host USING fts5(name); CREATE TABLE documentGrams_data (id)",
      "table documentGrams_data has",
    ],
    ["CREATE TABLE schemaVersion (version INTEGER); INSERT INTO schemaVersion VALUES (1)", "table schemaVersion has"],
    ["CREATE TABLE users (id); CREATE TABLE groups (id)", "table users and table groups have names"],
    [
      "CREATE TABLE host (id); CREATE TRIGGER groupMembersAfterInsert AFTER INSERT ON host BEGIN SELECT 1; END",
      "trigger groupMembersAfterInsert has a name",
    ],
    [
      "PRAGMA journal_mode = WAL; CREATE TABLE users (id); CREATE TABLE groups (id); CREATE TABLE groupMembers (id); CREATE TABLE blacks (id); CREATE TABLE conversations (id); CREATE TABLE lists (id)",
      "and 1 more have names",
    ],
  ])("refuses one with %s, names it, and changes nothing", (sql, sentence) => {
    const folder = temporaryFolder();
    const path = join(folder, "host.db");
    makeFile(path, sql);
    const before = stateOf(folder);
    const open = () => openSqliteStore({ path, adopt: true });
    expect(open).toThrow(sentence);
    expect(open).toThrow("that im-admin needs: give im-admin a database of its own, or rename yours");
    expect(stateOf(folder)).toStrictEqual(before);
  });

  it("takes a trigger of the host with the name of one of our tables, which is no obstacle to SQLite", async () => {
    const path = join(temporaryFolder(), "host.db");
    makeFile(path, "CREATE TABLE host (id); CREATE TRIGGER users AFTER INSERT ON host BEGIN SELECT 1; END");
    await adopt(path);
    expect(rows(path, "SELECT userID FROM users")).toStrictEqual([["u1"]]);
  });
});

describe("the mark", () => {
  it("is set in a new file", async () => {
    const path = join(temporaryFolder(), "im.db");
    await openSqliteStore({ path }).close();
    expect(rows(path, "PRAGMA application_id")).toStrictEqual([[0x696d4164]]);
    expect(Buffer.from("imAd").readInt32BE()).toBe(0x696d4164);
  });

  /** A file from before there was a mark. */
  async function unmarkedFile(): Promise<string> {
    const path = join(temporaryFolder(), "im.db");
    await adopt(path);
    makeFile(path, "PRAGMA application_id = 0");
    return path;
  }

  it("is set in a file from before, when it is opened for writing", async () => {
    const path = await unmarkedFile();
    await openSqliteStore({ path, readonly: true }).close();
    expect(rows(path, "PRAGMA application_id")).toStrictEqual([[0]]);
    expect((await imAdmin(["check", "--db", path])).status).toBe(0);
    expect(rows(path, "PRAGMA application_id")).toStrictEqual([[0]]);
    await openSqliteStore({ path }).close();
    expect(rows(path, "PRAGMA application_id")).toStrictEqual([[1768767844]]);
  });

  it("is left for the next time where another process is writing", async () => {
    const path = await unmarkedFile();
    const writer = new BetterSqlite3(path);
    writer.exec("BEGIN IMMEDIATE; INSERT INTO users (userID) VALUES ('u2')");
    const store = openSqliteStore({ path });
    writer.exec("COMMIT");
    writer.close();
    await store.close();
    expect(rows(path, "PRAGMA application_id")).toStrictEqual([[0]]);
    await openSqliteStore({ path }).close();
    expect(rows(path, "PRAGMA application_id")).toStrictEqual([[1768767844]]);
  });

  it("lets SQLite undo an unfinished write of a host to a file of ours", async () => {
    const path = join(temporaryFolder(), "im.db");
    await adopt(path);
    makeUnfinishedFile(
      path,
      `PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; BEGIN;
        WITH RECURSIVE numbers (number) AS (VALUES (1) UNION ALL SELECT number + 1 FROM numbers WHERE number < 9000)
          INSERT INTO users (userID) SELECT 'unfinished' || number FROM numbers`,
    );
    expect(() => openSqliteStore({ path, readonly: true })).toThrow(
      `${path}-journal has a write that a program left unfinished when it ended: open the database with that program once`,
    );
    await openSqliteStore({ path }).close();
    expect(rows(path, "SELECT userID FROM users")).toStrictEqual([["u1"]]);
  });

  it("tells a table of the version that a tool has copied", async () => {
    const path = await unmarkedFile();
    makeFile(path, "DROP TABLE schemaVersion");
    makeFile(
      path,
      'CREATE TABLE "schemaVersion" (\n  "version" integer not null\n) strict; INSERT INTO schemaVersion VALUES (1)',
    );
    await openSqliteStore({ path }).close();
    expect(rows(path, "PRAGMA application_id")).toStrictEqual([[1768767844]]);
  });

  it("does not hide that the table of the version has gone", async () => {
    const path = join(temporaryFolder(), "im.db");
    await adopt(path);
    makeFile(path, "DROP TABLE schemaVersion");
    expect(() => openSqliteStore({ path })).toThrow(
      "it has tables of im-admin, but schemaVersion does not say which version they have: im-admin check --repair mends a file",
    );
    expect(await imAdmin(["check", "--db", path, "--repair"])).toMatchObject({ status: 0 });
    await openSqliteStore({ path }).close();
  });
});

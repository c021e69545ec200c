import { closeSync, openSync, truncateSync, writeSync } from "node:fs";
import BetterSqlite3 from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { defaultSizes } from "../../../src/stores/sqlite/nodes/tables.js";
import { schemaOf } from "../../../src/stores/sqlite/schema/schema.js";
import { imAdmin } from "../../helpers/cliProcess.js";
import { corrupt, corruptIndex, expectRepaired, fileWith, force, said } from "../../helpers/corruptedFile.js";

const copy = fileWith(300);

describe("an index that disagrees with its table", () => {
  const missing = "row 201 missing from";
  const wrongCount = "wrong # of entries in";
  it.each([
    ["notificationAccountsInOrder", "UPDATE users SET appMangerLevel = 3 WHERE userID = 'u0200'", 1, missing],
    ["groupMembersManaging", "UPDATE groupMembers SET roleLevel = 60 WHERE userID = 'u0200'", 1, missing],
    ["groupMembersInOrder", "INSERT INTO groupMembers (groupID, userID) VALUES ('g1', 'w')", 2, wrongCount],
    ["blacksInOrder", "DELETE FROM blacks WHERE blackUserID = 'u0020'", 1, wrongCount],
  ])("is found and mended: %s after %s", async (index, sql, count, complaint) => {
    const path = copy();
    corruptIndex(path, index, sql);
    const sentence = `the index ${index} disagrees with its table (${count}, such as ${complaint} index ${index})`;
    await expectRepaired(path, sentence);
  });

  it("is found and mended where a host has made it on members", async () => {
    const path = copy();
    force(path, "CREATE INDEX hosts ON groupMembers (inviterUserID)");
    corruptIndex(path, "hosts", "UPDATE groupMembers SET inviterUserID = 'x' WHERE userID = 'u0007'");
    await expectRepaired(path, "the index hosts disagrees with its table (1, such as row 8 missing from index hosts)");
  });

  it("is found where it is on a table of a host's", async () => {
    const path = copy();
    force(path, "CREATE TABLE hosts (a); INSERT INTO hosts VALUES (1); CREATE INDEX hostsA ON hosts (a)");
    corruptIndex(path, "hostsA", "UPDATE hosts SET a = 2");
    expect(await said(path)).toEqual([
      "the index hostsA disagrees with its table (1, such as row 1 missing from index hostsA): make it anew with REINDEX hostsA",
    ]);
  });

  it("is found and mended where it is that of the key", async () => {
    const path = copy();
    forgetKey(path);
    await expectRepaired(
      path,
      "the index sqlite_autoindex_groupMembers_1 disagrees with its table (2, such as wrong # of entries in index sqlite_autoindex_groupMembers_1)",
    );
  });

  it("is found where it has let a key in twice", async () => {
    const path = copy();
    forgetKey(path);
    corrupt(path, "INSERT INTO groupMembers (groupID, userID) VALUES ('g7', 'w')");
    expect(await said(path)).toContain(
      "rows of groupMembers have the same key (1, such as g7 w): delete all of them but one",
    );
    expect(await imAdmin(["check", "--db", path, "--repair"])).toMatchObject({ status: 1 });
  });

  /** Inserts a member of whom the index of the key does not know: it changes places with one that was not kept. */
  function forgetKey(path: string): void {
    force(path, "CREATE INDEX other ON groupMembers (groupID, userID)");
    corruptIndex(path, "other", "INSERT INTO groupMembers (groupID, userID) VALUES ('g7', 'w')");
    force(
      path,
      `CREATE TABLE places AS
          SELECT name, rootpage FROM sqlite_schema WHERE name IN ('other', 'sqlite_autoindex_groupMembers_1');
        UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM places WHERE name <> sqlite_schema.name)
          WHERE name IN (SELECT name FROM places)`,
    );
  }
});

describe("values that a table does not allow", () => {
  it.each([
    ["blacks", "UPDATE blacks SET createTime = -5 WHERE blackUserID = 'u0020'", "u0001 u0020"],
    ["groupMembers", "UPDATE groupMembers SET roleLevel = 1000 WHERE userID = 'u0007'", "g1 u0007"],
    ["users", "UPDATE users SET nickname = 'a' || char(0) || 'b' WHERE userID = 'u0007'", "u0007"],
  ])("are found in %s after %s", async (table, sql, named) => {
    const path = copy();
    corrupt(path, `PRAGMA ignore_check_constraints = ON; ${sql}`);
    expect(await said(path)).toContain(
      `rows of ${table} have values that it does not allow (1, such as ${named}): write others`,
    );
  });

  it("are found where they are NULL", async () => {
    const path = copy();
    const define = (from: string, to: string) => `
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, '${from}', '${to}') WHERE name = 'users';
      PRAGMA writable_schema = RESET;`;
    corrupt(
      path,
      `${define("nickname TEXT NOT NULL", "nickname TEXT")}
        UPDATE users SET nickname = NULL WHERE userID = 'u0008';
        ${define("nickname TEXT", "nickname TEXT NOT NULL")}`,
    );
    expect(await said(path)).toContain(
      "rows of users have values that it does not allow (1, such as NULL value in users.nickname): write others",
    );
  });
});

describe("a file", () => {
  const recover = "restore a backup, or let the command .recover of the sqlite3 shell make a new file";

  it("whose header is overwritten is told apart from one that is locked", async () => {
    const path = copy();
    overwrite(path, 0, 100);
    const stderr = `im-admin: cannot check ${path}: it is no SQLite database, or it is encrypted, or its first page is damaged: name another file, or restore a backup\n`;
    for (const flags of [[], ["--repair"]]) {
      expect(await imAdmin(["check", "--db", path, ...flags])).toEqual({ status: 1, stdout: "", stderr });
    }
  });

  it.each<[string, (path: string) => void]>([
    ["whose first page is overwritten is told apart from one that is locked", (path) => overwrite(path, 100, 1000)],
    ["that is cut short is damaged", (path) => truncateSync(path, 4096 * 40)],
  ])("%s", async (_, damage) => {
    const path = copy();
    damage(path);
    expect(await said(path)).toEqual([`the database cannot be read: database disk image is malformed: ${recover}`]);
    expect(await imAdmin(["check", "--db", path, "--repair"])).toMatchObject({ status: 1 });
  });

  it("of which pages are overwritten is told with all that can be said of the others", async () => {
    const path = copy();
    const connection = new BetterSqlite3(path);
    const page = connection.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'conversations'").pluck().get();
    connection.close();
    corrupt(path, "UPDATE lists SET total = total + 1 WHERE name = 'groupMembers'");
    overwrite(path, (Number(page) - 1) * 4096, 1000);
    const sentences = await said(path);
    expect(sentences).toContain("lists of groupMembers have a wrong total (1, such as groupMembers g1)");
    expect(sentences.filter((sentence) => sentence.startsWith("the pages of the file are damaged"))).toHaveLength(1);
  });

  it("in UTF-16 is refused", async () => {
    const path = copy();
    truncateSync(path, 0);
    const connection = new BetterSqlite3(path);
    connection.pragma("encoding = 'UTF-16le'");
    for (const { sql } of schemaOf(defaultSizes)) connection.exec(sql.text);
    connection.exec(
      "CREATE TABLE schemaVersion (version INTEGER NOT NULL) STRICT; INSERT INTO schemaVersion VALUES (1)",
    );
    connection.close();
    expect(await said(path)).toEqual([
      "the texts of the database are not in UTF-8, so lists are sorted otherwise (1, such as UTF-16le): put its rows into a new database of im-admin",
    ]);
  });

  function overwrite(path: string, offset: number, length: number): void {
    const file = openSync(path, "r+");
    writeSync(file, Buffer.alloc(length, 0x55), 0, length, offset);
    closeSync(file);
  }
});

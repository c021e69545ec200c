import { closeSync, openSync, truncateSync, writeSync } from "node:fs";
import BetterSqlite3 from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { schemaVersion } from "../../../src/stores/sqlite/schema/migrations.js";
import { schemaOf } from "../../../src/stores/sqlite/schema/schema.js";
import { imAdmin } from "../../helpers/cliProcess.js";
import {
  corrupt,
  corruptIndex,
  expectRepaired,
  expectRight,
  fileWith,
  force,
  said,
} from "../../helpers/corruptedFile.js";

const copy = fileWith(300);

describe("an index that disagrees with its table", () => {
  const missing = "row 201 missing from";
  const wrongCount = "wrong # of entries in";
  it.each([
    [
      "im_admin_notification_accounts_in_order",
      "DELETE FROM im_admin_listed_users WHERE user_id = 'u0003'",
      1,
      wrongCount,
    ],
    [
      "im_admin_managed_groups_in_order",
      "UPDATE im_admin_listed_group_members SET role_level = 60 WHERE user_id = 'u0200'",
      1,
      missing,
    ],
    [
      "im_admin_group_members_in_order",
      `CREATE TEMPORARY TABLE another AS SELECT * FROM im_admin_listed_group_members WHERE user_id = 'u0200';
        UPDATE another SET user_id = 'w', role_level = 0; INSERT INTO im_admin_listed_group_members SELECT * FROM another`,
      2,
      wrongCount,
    ],
    ["im_admin_blacks_in_order", "DELETE FROM im_admin_listed_blacks WHERE black_user_id = 'u0020'", 1, wrongCount],
  ])("is found and mended: %s after %s", async (index, sql, count, complaint) => {
    const path = copy();
    corruptIndex(path, index, sql);
    const further = count === 1 ? "" : `, row 301 missing from index ${index}`;
    const sentence = `the index ${index} disagrees with its table (${count}, such as ${complaint} index ${index}${further})`;
    await expectRepaired(path, sentence);
  });

  it("is found and mended where a host has made it on members", async () => {
    const path = copy();
    force(path, "CREATE INDEX hosts ON im_admin_group_members (inviter_user_id)");
    corruptIndex(path, "hosts", "UPDATE im_admin_group_members SET inviter_user_id = 'x' WHERE user_id = 'u0007'");
    await expectRepaired(path, "the index hosts disagrees with its table (1, such as row 8 missing from index hosts)");
  });

  it("is not looked into where only the host has what it needs", async () => {
    const path = copy();
    const host = new BetterSqlite3(path);
    host.function("folded", { deterministic: true }, (text) => String(text).toLowerCase());
    host.exec("CREATE TABLE hosts (a); INSERT INTO hosts VALUES ('A'); CREATE INDEX hosts_a ON hosts (folded(a))");
    host.close();
    expect(await imAdmin(["check", "--db", path])).toMatchObject({
      status: 0,
      stderr: `the pages of hosts are not checked: unknown function: folded()\n${path}: all lists agree with the rows\n`,
    });
  });

  it("is found where it is on a table of a host's", async () => {
    const path = copy();
    force(path, "CREATE TABLE hosts (a); INSERT INTO hosts VALUES (1); CREATE INDEX hosts_a ON hosts (a)");
    corruptIndex(path, "hosts_a", "UPDATE hosts SET a = 2");
    expect(await said(path)).toEqual([
      "the index hosts_a disagrees with its table (1, such as row 1 missing from index hosts_a): make it anew with REINDEX hosts_a",
    ]);
  });

  it("is found and mended where it is that of the key", async () => {
    const path = copy();
    forgetKey(path);
    await expectRepaired(
      path,
      "the index sqlite_autoindex_im_admin_conversations_1 disagrees with its table (2, such as wrong # of entries in index sqlite_autoindex_im_admin_conversations_1, row 1 missing from index sqlite_autoindex_im_admin_conversations_1)",
    );
  });

  it("is found where it has let a key in twice", async () => {
    const path = copy();
    forgetKey(path);
    corrupt(path, "INSERT INTO im_admin_conversations (owner_user_id, conversation_id) VALUES ('w', 'c7')");
    expect(await said(path)).toContain(
      "rows of im_admin_conversations have the same key (1, such as w c7): delete all of them but one",
    );
    expect(await imAdmin(["check", "--db", path, "--repair"])).toMatchObject({ status: 1 });
  });

  /** Inserts a conversation that is not in the index of the key, by an exchange of two pages. */
  function forgetKey(path: string): void {
    force(path, "CREATE INDEX other ON im_admin_conversations (owner_user_id, conversation_id)");
    corruptIndex(
      path,
      "other",
      "INSERT INTO im_admin_conversations (owner_user_id, conversation_id) VALUES ('w', 'c7')",
    );
    force(
      path,
      `CREATE TABLE places AS
          SELECT name, rootpage FROM sqlite_schema WHERE name IN ('other', 'sqlite_autoindex_im_admin_conversations_1');
        UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM places WHERE name <> sqlite_schema.name)
          WHERE name IN (SELECT name FROM places)`,
    );
  }
});

describe("values that a table does not allow", () => {
  it.each([
    ["im_admin_blacks", "UPDATE im_admin_blacks SET create_time = -5 WHERE black_user_id = 'u0020'", "u0001 u0020"],
    [
      "im_admin_group_members",
      "UPDATE im_admin_group_members SET role_level = 1000 WHERE user_id = 'u0007'",
      "g1 u0007",
    ],
    ["im_admin_users", "UPDATE im_admin_users SET nickname = 'a' || char(0) || 'b' WHERE user_id = 'u0007'", "u0007"],
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
      UPDATE sqlite_schema SET sql = replace(sql, '${from}', '${to}') WHERE name = 'im_admin_users';
      PRAGMA writable_schema = RESET;`;
    corrupt(
      path,
      `${define("nickname TEXT NOT NULL", "nickname TEXT")}
        PRAGMA ignore_check_constraints = ON;
        UPDATE im_admin_users SET nickname = NULL WHERE user_id = 'u0008';
        ${define("nickname TEXT", "nickname TEXT NOT NULL")}`,
    );
    expect(await said(path)).toContain(
      "rows of im_admin_users have values that it does not allow (2, such as u0008, NULL value in im_admin_users.nickname): write others",
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

  it("with overwritten pages is reported, and its other pages are checked", async () => {
    const path = copy();
    const connection = new BetterSqlite3(path);
    const page = connection
      .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'im_admin_conversations'")
      .pluck()
      .get();
    connection.close();
    corrupt(path, "UPDATE im_admin_lists SET total = total + 1 WHERE name = 'groupMembers'");
    overwrite(path, (Number(page) - 1) * 4096, 1000);
    const sentences = await said(path);
    expect(sentences).toContain("lists and nodes do not count what is below them (1, such as groupMembers g1)");
    expect(sentences.filter((sentence) => sentence.startsWith("the pages of the file are damaged"))).toHaveLength(1);
  });

  it("in UTF-16 is refused", async () => {
    const path = copy();
    truncateSync(path, 0);
    const connection = new BetterSqlite3(path);
    connection.pragma("encoding = 'UTF-16le'");
    for (const { sql } of schemaOf()) connection.exec(sql.text);
    connection.exec("INSERT INTO im_admin_users (user_id) VALUES ('u1')");
    connection.exec("DELETE FROM im_admin_changed");
    connection.exec(
      `CREATE TABLE im_admin_schema_version (version INTEGER NOT NULL); INSERT INTO im_admin_schema_version VALUES (${schemaVersion})`,
    );
    connection.close();
    expect(await said(path)).toEqual([
      "the texts of the database are not in UTF-8, so lists are sorted otherwise (1, such as UTF-16le): copy its records into a new file: im-admin copy --from <this file> --to <new file>",
    ]);
    const { status, stderr } = await imAdmin(["copy", "--from", path, "--to", `${path}.copy`]);
    expect([status, stderr]).toEqual([0, expect.stringContaining("1 users copied")]);
    await expectRight(`${path}.copy`);
  });

  function overwrite(path: string, offset: number, length: number): void {
    const file = openSync(path, "r+");
    writeSync(file, Buffer.alloc(length, 0x55), 0, length, offset);
    closeSync(file);
  }
});

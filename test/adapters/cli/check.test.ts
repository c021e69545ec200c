import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { imAdmin } from "../../helpers/cliProcess.js";
import { corrupt, force, largeFile, said } from "../../helpers/corruptedFile.js";
import { temporaryFolder } from "../../helpers/stores.js";

const copyLarge = largeFile();

it("check says that all is well, and changes nothing", async () => {
  const path = copyLarge();
  const connection = new BetterSqlite3(path);
  connection.exec("VACUUM");
  connection.close();
  const before = readFileSync(path);
  for (const flags of [[], ["--repair"]]) {
    expect(await imAdmin(["check", "--db", path, ...flags])).toEqual({
      status: 0,
      stdout: "",
      stderr: `${path}: all lists agree with the rows\n`,
    });
  }
  expect(readFileSync(path).equals(before)).toBe(true);
});

it("check says what is wrong, and changes nothing without --repair", async () => {
  const path = copyLarge();
  corrupt(path, "UPDATE lists SET total = total + 1 WHERE name = 'groupMembers'");
  const before = readFileSync(path);
  expect(await imAdmin(["check", "--db", path])).toEqual({
    status: 1,
    stdout: "",
    stderr: `lists of groupMembers have a wrong total (1, such as groupMembers g1)
im-admin: ${path}: 1 problem; --repair builds the lists anew from the rows
`,
  });
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(await imAdmin(["check", "--db", path, "--repair"])).toEqual({
    status: 0,
    stdout: "",
    stderr: `lists of groupMembers have a wrong total (1, such as groupMembers g1)
${path}: the lists have been built anew and agree with the rows
`,
  });
});

it("check compares one state of the database while another process writes", async () => {
  const path = copyLarge();
  const writer = new BetterSqlite3(path);
  onTestFinished(() => void writer.close());
  writer.exec("BEGIN IMMEDIATE; DELETE FROM groupMembers WHERE userID < 'u1000'");
  expect(await imAdmin(["check", "--db", path])).toMatchObject({ status: 0 });
  writer.exec("COMMIT");
  expect(await imAdmin(["check", "--db", path])).toMatchObject({ status: 0 });
});

it("check says that a locked database could not be checked", async () => {
  const path = copyLarge();
  const owner = new BetterSqlite3(path);
  onTestFinished(() => void owner.close());
  owner.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; DELETE FROM blacks; COMMIT");
  expect(await imAdmin(["check", "--db", path])).toEqual({
    status: 3,
    stdout: "",
    stderr: `could not be checked: the database: database is locked
${path}: nothing wrong was found, but not everything could be checked
`,
  });
});

it("--repair says that it could not write", async () => {
  const path = copyLarge();
  corrupt(path, "UPDATE lists SET total = total + 1 WHERE name = 'groupMembers'");
  const writer = new BetterSqlite3(path);
  onTestFinished(() => void writer.close());
  writer.exec("BEGIN IMMEDIATE");
  expect(await imAdmin(["check", "--db", path, "--repair"])).toMatchObject({
    status: 1,
    stderr: `lists of groupMembers have a wrong total (1, such as groupMembers g1)
im-admin: ${path}: the lists could not be repaired: database is locked
`,
  });
});

it("check tells each of several problems, though some parts cannot be read", async () => {
  const path = copyLarge();
  corrupt(path, "UPDATE lists SET total = total + 1 WHERE name = 'groupMembers'");
  force(path, "DELETE FROM documentGrams_config; UPDATE documentTrigrams_config SET v = 99; DROP TABLE listNodes");
  const sentences = await said(path);
  for (const sentence of [
    "the table listNodes is missing",
    "the totals and nodes of the lists cannot be read: no such table: listNodes",
    "lists of groupMembers have a wrong total (1, such as groupMembers g1)",
    "the full-text index documentGrams cannot be read: invalid fts5 file format (found 0, expected 4 or 5) - run 'rebuild'",
    "the full-text index documentTrigrams cannot be read: invalid fts5 file format (found 99, expected 4 or 5) - run 'rebuild'",
  ]) {
    expect(sentences).toContain(sentence);
  }
  expect(await imAdmin(["check", "--db", path, "--repair"])).toMatchObject({ status: 0 });
});

it("check leaves a database of a newer im-admin alone", async () => {
  const path = copyLarge();
  force(path, "UPDATE schemaVersion SET version = 99; DROP TRIGGER groupMembersAfterInsert");
  expect(await imAdmin(["check", "--db", path, "--repair"])).toMatchObject({
    status: 3,
    stderr: `could not be checked: the lists: the schema has version 99, and this im-admin checks version 1: use the newer im-admin that made it
${path}: nothing wrong was found, but not everything could be checked
`,
  });
});

it("check makes no database where there is none", async () => {
  const path = join(temporaryFolder(), "none.db");
  expect(await imAdmin(["check", "--db", path])).toEqual({
    status: 1,
    stdout: "",
    stderr: `im-admin: there is no database ${path}\n`,
  });
  expect(existsSync(path)).toBe(false);
});

it("check reads a database of which a process has left changes in the log", async () => {
  const path = copyLarge();
  const copied = join(temporaryFolder(), "im.db");
  const writer = new BetterSqlite3(path);
  writer.exec("DELETE FROM groupMembers WHERE userID < 'u0100'");
  for (const suffix of ["", "-wal"]) copyFileSync(path + suffix, copied + suffix);
  writer.close();
  expect(await imAdmin(["check", "--db", copied])).toMatchObject({ status: 0 });
});

it("--help lists the exit statuses", async () => {
  const { stdout } = await imAdmin(["check", "--help"]);
  expect(stdout).toContain(`Exit status:
  0  all is right, or has been repaired
  1  something is wrong
  2  wrong usage
  3  nothing wrong was found, but something could not be checked`);
});

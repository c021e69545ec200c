/** A check writes nothing: neither where it may, nor where it may not, nor while others write. */
import { chmodSync, copyFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { openSqliteStore } from "../../../../src/stores/drivers/sqlite.js";
import { otherVersion } from "../../../../src/stores/sqlite/upkeep/checkAll.js";
import { imAdmin, start } from "../../../helpers/cliProcess.js";
import { force, largeFile } from "../../../helpers/corruptedFile.js";
import { makeFile, stateOf } from "../../../helpers/foreignFiles.js";
import { nobody } from "../../../helpers/nobody.js";
import { temporaryFolder } from "../../../helpers/stores.js";

const copyLarge = largeFile();

const good = (path: string) => ({ status: 0, stdout: "", stderr: `${path}: all lists agree with the rows\n` });

const inJournalMode = (path: string, mode: string) => makeFile(path, `PRAGMA journal_mode = ${mode}`);

describe.each(["WAL", "DELETE"])("check of a file in mode %s", (mode) => {
  it("leaves it as it is, and nothing beside it", async () => {
    const path = copyLarge();
    inJournalMode(path, mode);
    const before = stateOf(dirname(path));
    expect(await imAdmin(["check", "--db", path])).toEqual(good(path));
    expect(stateOf(dirname(path))).toStrictEqual(before);
    expect(Object.keys(before)).toStrictEqual(["im.db"]);
  });

  it("leaves nothing beside the file behind a symbolic link", async () => {
    const path = copyLarge();
    inJournalMode(path, mode);
    const before = stateOf(dirname(path));
    const link = join(temporaryFolder(), "link");
    symlinkSync(path, link);
    expect(await imAdmin(["check", "--db", link])).toEqual(good(link));
    expect(stateOf(dirname(path))).toStrictEqual(before);
    expect(Object.keys(stateOf(dirname(link)))).toStrictEqual(["link"]);
  });

  it.each([
    ["may read only the file and the folder", 0o444, 0o555],
    ["may write the folder and not the file", 0o444, 0o777],
    ["may write the file and not the folder", 0o666, 0o555],
  ])("works for a user who %s", async (_, fileMode, folderMode) => {
    const path = copyLarge();
    inJournalMode(path, mode);
    chmodSync(path, fileMode);
    chmodSync(dirname(path), folderMode);
    onTestFinished(() => chmodSync(dirname(path), 0o755));
    const before = stateOf(dirname(path));
    expect(await nobody("check", "--db", path)).toEqual(good(path));
    expect(stateOf(dirname(path))).toStrictEqual(before);
  });

  it("works while another process writes", async () => {
    const path = copyLarge();
    inJournalMode(path, mode);
    const writer = new BetterSqlite3(path);
    writer.exec("BEGIN IMMEDIATE; DELETE FROM groupMembers WHERE userID < 'u1000'");
    expect(await imAdmin(["check", "--db", path])).toEqual(good(path));
    writer.exec("COMMIT");
    expect(await imAdmin(["check", "--db", path])).toEqual(good(path));
    writer.close();
    expect(Object.keys(stateOf(dirname(path)))).toStrictEqual(["im.db"]);
  });
});

it("check moves nothing to the file of what a process has left in the log", async () => {
  const path = copyLarge();
  const folder = temporaryFolder();
  const copied = join(folder, "im.db");
  const writer = new BetterSqlite3(path);
  writer.exec("DELETE FROM groupMembers WHERE userID < 'u0100'");
  for (const suffix of ["", "-wal", "-shm"]) copyFileSync(path + suffix, copied + suffix);
  writer.close();
  const before = stateOf(folder);
  expect(await imAdmin(["check", "--db", copied])).toEqual(good(copied));
  expect(stateOf(folder)).toStrictEqual(before);
});

it("check finds all lists right again and again while records are imported", async () => {
  const folder = temporaryFolder();
  const indexes = Array.from({ length: 20_000 }, (_, index) => index);
  const files = {
    "blacks.ndjson": indexes.map((index) => `{"ownerUserID":"u${index % 3}","blackUserID":"u${index}"}`),
    "groupMembers.ndjson": indexes.map((index) => `{"groupID":"g${index % 3}","userID":"u${index}"}`),
  };
  for (const [name, lines] of Object.entries(files)) writeFileSync(join(folder, name), lines.join("\n"));
  const path = join(temporaryFolder(), "im.db");
  await openSqliteStore({ path }).close();
  const importing = start(["import", folder, "--db", path]);
  let isOver = false;
  const ended = importing.ended.finally(() => {
    isOver = true;
  });
  const said = new Set<string>();
  while (!isOver) said.add((await imAdmin(["check", "--db", path])).stderr);
  expect(await ended).toMatchObject({ status: 0 });
  expect([...said]).toStrictEqual([`${path}: all lists agree with the rows\n`]);
  expect(await imAdmin(["check", "--db", path])).toEqual(good(path));
});

describe("a user who may not write a file", () => {
  it("is told so by --repair", async () => {
    const path = copyLarge();
    force(path, "DROP TRIGGER groupMembersAfterInsert");
    chmodSync(path, 0o444);
    chmodSync(dirname(path), 0o777);
    const before = stateOf(dirname(path));
    expect(await nobody("check", "--repair", "--db", path)).toEqual({
      status: 1,
      stdout: "",
      stderr: `the trigger groupMembersAfterInsert is missing
im-admin: ${path}: the lists could not be repaired: it is read-only for this user: allow writing
`,
    });
    expect(stateOf(dirname(path))).toStrictEqual(before);
  });

  it.each(["serve --port 0 --secret a-secret-of-a-test --admin u1", "import RECORDS"])(
    "is told so by %s",
    async (line) => {
      const path = copyLarge();
      const records = temporaryFolder();
      writeFileSync(join(records, "users.json"), '[{"userID":"u1"}]');
      chmodSync(records, 0o755);
      const told = async () => {
        const { status, stderr } = await nobody(...line.replace("RECORDS", records).split(" "), "--db", path);
        return [status, stderr];
      };
      chmodSync(path, 0o444);
      chmodSync(dirname(path), 0o777);
      const before = stateOf(dirname(path));
      expect(await told()).toEqual([
        1,
        `im-admin: cannot open the database ${path}: it is read-only for this user: allow writing\n`,
      ]);
      chmodSync(path, 0o666);
      chmodSync(dirname(path), 0o555);
      onTestFinished(() => chmodSync(dirname(path), 0o755));
      expect(await told()).toEqual([
        1,
        `im-admin: cannot open the database ${path}: this user may not write its folder ${dirname(path)}, as SQLite has to\n`,
      ]);
      chmodSync(path, 0);
      expect(await told()).toEqual([1, `im-admin: cannot open the database ${path}: this user may not read it\n`]);
      chmodSync(path, 0o444);
      expect(stateOf(dirname(path))).toStrictEqual(before);
    },
  );
});

it("check says what to do with a schema of another version", () => {
  expect(otherVersion(3, 2)).toBe(
    "the schema has version 3, and this im-admin checks version 2: use the newer im-admin that made it",
  );
  expect(otherVersion(1, 2)).toBe(
    "the schema has version 1, and this im-admin checks version 2: bring it to that version first, by im-admin serve or by opening a store",
  );
});

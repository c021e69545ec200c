/** A check writes nothing, whether it may write or not, and while others write. */
import { chmodSync, copyFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { imAdmin, start } from "../../../helpers/cliProcess.js";
import { makeFile, stateOf } from "../../../helpers/foreignFiles.js";
import { nobody } from "../../../helpers/nobody.js";
import { smallFile } from "../../../helpers/smallFile.js";
import { temporaryFolder } from "../../../helpers/stores.js";

const good = (path: string) => ({ status: 0, stdout: "", stderr: `${path}: all lists agree with the rows\n` });

/** A file after a statement, and the state of its folder. */
async function fileAfter(sql: string) {
  const path = await smallFile();
  makeFile(path, sql);
  return { path, before: stateOf(dirname(path)) };
}

const modes = ["PRAGMA journal_mode = WAL", "PRAGMA journal_mode = DELETE"] as const;
const [wal, rollback] = modes;

/** Runs commands as a user who owns neither file nor folder, which have these rights. Nothing may change. */
async function runAsNobody(cases: readonly (readonly [line: string, sql: string, file: number, folder: number])[]) {
  const files = await Promise.all(
    cases.map(async ([, sql, fileMode, folderMode]) => {
      const { path } = await fileAfter(sql);
      chmodSync(path, fileMode);
      chmodSync(dirname(path), folderMode);
      onTestFinished(() => chmodSync(dirname(path), 0o755));
      return { path, before: stateOf(dirname(path)) };
    }),
  );
  const ended = await nobody(cases.map(([line], index) => [...line.split(" "), "--db", files[index]?.path ?? ""]));
  for (const { path, before } of files) expect(stateOf(dirname(path))).toStrictEqual(before);
  return ended.map(({ stderr, ...others }, index) => {
    const { path = "" } = files[index] ?? {};
    return { ...others, stderr: stderr.replaceAll(path, "PATH").replaceAll(dirname(path), "FOLDER") };
  });
}

describe.each(modes)("check of a file after %s", (mode) => {
  it("changes nothing, and leaves no file beside it or a symbolic link to it", async () => {
    const { path, before } = await fileAfter(mode);
    expect(Object.keys(before)).toStrictEqual(["im.db"]);
    const link = join(temporaryFolder(), "link");
    symlinkSync(path, link);
    for (const name of [path, link]) {
      expect(await imAdmin(["check", "--db", name])).toEqual(good(name));
      expect(stateOf(dirname(path))).toStrictEqual(before);
    }
    expect(Object.keys(stateOf(dirname(link)))).toStrictEqual(["link"]);
  });

  it("works while another process writes", async () => {
    const { path } = await fileAfter(mode);
    const writer = new BetterSqlite3(path);
    writer.exec("BEGIN IMMEDIATE; DELETE FROM im_admin_group_members WHERE user_id < 'u150'");
    // Another process: SQLite locks a file for each process.
    expect(await start(["check", "--db", path]).ended).toEqual(good(path));
    writer.exec("COMMIT");
    expect(await imAdmin(["check", "--db", path])).toEqual(good(path));
    writer.close();
    expect(Object.keys(stateOf(dirname(path)))).toStrictEqual(["im.db"]);
  });
});

it("check works for users who may write neither or only one of a file and its folder", async () => {
  const ended = await runAsNobody([
    ["check", wal, 0o444, 0o555],
    ["check", wal, 0o444, 0o777],
    ["check", wal, 0o666, 0o555],
    ["check", rollback, 0o444, 0o555],
    ["check", rollback, 0o444, 0o777],
    ["check", rollback, 0o666, 0o555],
  ]);
  expect(ended).toEqual(Array(6).fill(good("PATH")));
});

it.each([
  ["the log", ["", "-wal"]],
  ["the log and its index", ["", "-wal", "-shm"]],
])("check reads the changes that a killed process has left in %s, and leaves them there", async (_, suffixes) => {
  const { path } = await fileAfter(wal);
  const folder = temporaryFolder();
  const copied = join(folder, "im.db");
  const writer = new BetterSqlite3(path);
  writer.exec("DELETE FROM im_admin_group_members WHERE user_id < 'u120'");
  for (const suffix of suffixes) copyFileSync(path + suffix, copied + suffix);
  writer.close();
  const before = stateOf(folder);
  expect(await imAdmin(["check", "--db", copied])).toEqual(good(copied));
  // SQLite makes the index of the log if it is missing.
  expect({ ...stateOf(folder), "im.db-shm": "" }).toStrictEqual({ ...before, "im.db-shm": "" });
});

it("serve, import and check --repair tell a user who may not write a file, and leave it unchanged", async () => {
  const records = temporaryFolder();
  writeFileSync(join(records, "users.json"), '[{"userID":"u1"}]');
  chmodSync(records, 0o755);
  const writing = ["serve --port 0 --secret a-secret-of-a-test --admin u1", `import ${records}`];
  const ended = await runAsNobody([
    ...writing.map((line) => [line, wal, 0o444, 0o777] as const),
    ...writing.map((line) => [line, wal, 0o666, 0o555] as const),
    ...writing.map((line) => [line, wal, 0, 0o555] as const),
    ["check --repair", "DROP TRIGGER im_admin_group_members_inserted", 0o444, 0o777],
  ]);
  const readOnly = "im-admin: cannot open the database PATH: it is read-only for this user: allow writing\n";
  const noFolder =
    "im-admin: cannot open the database PATH: this user may not write its folder FOLDER, as SQLite has to\n";
  const unreadable = "im-admin: cannot open the database PATH: this user may not read it\n";
  const unrepaired = `the trigger im_admin_group_members_inserted is missing
im-admin: PATH: the lists could not be repaired: it is read-only for this user: allow writing
`;
  expect(ended).toEqual(
    [readOnly, readOnly, noFolder, noFolder, unreadable, unreadable, unrepaired].map((stderr) => {
      return { status: 1, stdout: "", stderr };
    }),
  );
});

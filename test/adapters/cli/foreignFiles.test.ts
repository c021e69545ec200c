/** Commands refuse files that are no database of im-admin, or that cannot be used. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { type Ended, imAdmin, serve } from "../../helpers/cliProcess.js";
import { brokenFiles, foreignFiles, makeFile, stateOf } from "../../helpers/foreignFiles.js";
import { temporaryFolder } from "../../helpers/stores.js";

let folder: string;
let path: string;
beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, "host.db");
});

const serveLine = "serve --port 0 --secret a-secret-of-a-test --admin u1";
const lines = ["check", "check --repair", serveLine, "import RECORDS"];

/** Runs a command on a file. `import` imports one user. */
function run(line: string, db = path): Promise<Ended> {
  const records = temporaryFolder();
  writeFileSync(join(records, "users.json"), '[{"userID":"u1"}]');
  return imAdmin([...line.replace("RECORDS", records).split(" "), "--db", db]);
}

const hot = "with a write that a killed program has left unfinished";
const { [hot]: hotFile, ...cold } = foreignFiles;

it.each(Object.entries({ ...cold, ...brokenFiles }))(
  "a file %s is refused by all commands, and stays as it is",
  async (name, [make, sentence]) => {
    make(path);
    const before = stateOf(folder);
    for (const line of lines) {
      const { status, stdout, stderr } = await run(line);
      expect([line, status, stdout]).toEqual([line, 1, ""]);
      expect(stderr).toContain(path);
      // Checks look at each part of a file whose pages are damaged.
      if (name in cold) expect(stderr).toMatch(/^im-admin: .*\n$/);
      else expect(stderr).toContain("restore a backup");
      if (name in cold || !line.startsWith("check")) expect(stderr).toContain(`${path}: ${sentence}`);
      expect([line, stateOf(folder)]).toStrictEqual([line, before]);
    }
  },
);

it("check reports an unfinished write, with --repair too", async () => {
  hotFile?.[0](path);
  const before = stateOf(folder);
  for (const line of ["check", "check --repair"]) {
    expect(await run(line)).toEqual({
      status: 3,
      stdout: "",
      stderr: `could not be checked: the database: ${path}-journal has a write that a program left unfinished when it ended: open the database with that program once
${path}: nothing wrong was found, but not everything could be checked
`,
    });
    expect(stateOf(folder)).toStrictEqual(before);
  }
});

it("--adopt adds our tables to a file of another program", async () => {
  makeFile(path, "CREATE TABLE host (name TEXT); INSERT INTO host VALUES ('kept')");
  expect(await run("import RECORDS --adopt")).toMatchObject({ status: 0 });
  const connection = new BetterSqlite3(path, { readonly: true });
  expect(connection.prepare("SELECT name, user_id FROM host, im_admin_users").raw().all()).toEqual([["kept", "u1"]]);
  connection.close();
  expect(await run("check")).toMatchObject({ status: 0 });
  const other = join(folder, "other.db");
  makeFile(other, "CREATE TABLE host (name TEXT)");
  const { stop } = await serve(["--db", other, "--secret", "s", "--admin", "u1"], { IM_ADMIN_ADOPT: "1" });
  expect(await stop()).toMatchObject({ status: 0 });
  expect(await run("check", other)).toMatchObject({ status: 0 });
});

it("an empty file is no database of im-admin to check, and stays empty", async () => {
  writeFileSync(path, "");
  const before = stateOf(folder);
  for (const line of ["check", "check --repair"]) {
    expect(await run(line)).toEqual({
      status: 1,
      stdout: "",
      stderr: `im-admin: ${path} is empty: it is no database of im-admin\n`,
    });
  }
  expect(stateOf(folder)).toStrictEqual(before);
  makeFile(path, "PRAGMA journal_mode = WAL");
  const written = stateOf(folder);
  expect((await run("check")).stderr).toBe(
    `im-admin: cannot check ${path}: it has no tables: it is no database of im-admin\n`,
  );
  expect(stateOf(folder)).toStrictEqual(written);
});

it("an empty file is a new database to import into", async () => {
  writeFileSync(path, "");
  expect(await run("import RECORDS")).toMatchObject({ status: 0 });
  expect(await run("check")).toMatchObject({ status: 0 });
});

it.each(lines)("--db refuses a folder, a socket, and a path through a file: %s", async (line) => {
  const server = createServer().listen(join(folder, "socket"));
  onTestFinished(() => void server.close());
  await once(server, "listening");
  writeFileSync(join(folder, "file"), "");
  const isCheck = line.startsWith("check");
  for (const [name, reason] of [
    ["", "it is a folder: name a file in it, such as im.db"],
    ["/socket", "it is no regular file"],
    ["/nowhere/im.db", isCheck || `there is no folder ${folder}/nowhere: make it first`],
    ["/file/im.db", isCheck || `${folder}/file is no folder`],
  ]) {
    const db = `${folder}${name}`;
    const { status, stderr } = await run(line, db);
    const sentence = `cannot ${isCheck ? "check" : "open"} the database ${db}: ${reason}`;
    expect([status, stderr]).toEqual([1, `im-admin: ${reason === true ? `there is no database ${db}` : sentence}\n`]);
  }
});

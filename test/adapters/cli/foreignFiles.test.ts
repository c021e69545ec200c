/** What the commands do with a database file that is none of im-admin's, or cannot be used. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { imAdmin, serve } from "../../helpers/cliProcess.js";
import { brokenFiles, foreignFiles, makeFile, stateOf } from "../../helpers/foreignFiles.js";
import { temporaryFolder } from "../../helpers/stores.js";

/** A folder with records to import. */
function records(): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "users.json"), '[{"userID":"u1"}]');
  return folder;
}

const serveLine = "serve --port 0 --secret a-secret-of-a-test --admin u1";
const lines = ["check", "check --repair", serveLine, "import RECORDS"];

/** Runs a command on a file. */
function run(line: string, path: string) {
  return imAdmin([...line.replace("RECORDS", records()).split(" "), "--db", path]);
}

const hot = "with a write that a killed program has left unfinished";

describe.each(Object.entries(foreignFiles).filter(([name]) => name !== hot))("a file %s", (_, [make, sentence]) => {
  it.each(lines)("is refused by %s, and stays as it is", async (line) => {
    const folder = temporaryFolder();
    const path = join(folder, "host.db");
    make(path);
    const before = stateOf(folder);
    const { status, stdout, stderr } = await run(line, path);
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(`${path}: ${sentence}`);
    expect(stderr.split("\n")).toHaveLength(2);
    expect(stateOf(folder)).toStrictEqual(before);
  });
});

it.each([["check"], ["check", "--repair"]])("%s %s says that a write was left unfinished", async (...flags) => {
  const folder = temporaryFolder();
  const path = join(folder, "host.db");
  foreignFiles[hot]?.[0](path);
  const before = stateOf(folder);
  expect(await imAdmin([...flags, "--db", path])).toEqual({
    status: 3,
    stdout: "",
    stderr: `could not be checked: the database: ${path}-journal has a write that a program left unfinished when it ended: open the database with that program once
${path}: nothing wrong was found, but not everything could be checked
`,
  });
  expect(stateOf(folder)).toStrictEqual(before);
});

describe.each(Object.entries(brokenFiles))("%s", (_, [make]) => {
  it.each(lines)("is refused by %s, and stays as it is", async (line) => {
    const folder = temporaryFolder();
    const path = join(folder, "host.db");
    make(path);
    const before = stateOf(folder);
    const { status, stderr } = await run(line, path);
    expect(status).toBe(1);
    expect(stderr).toContain(path);
    expect(stderr).toMatch(/restore a backup/);
    expect(stateOf(folder)).toStrictEqual(before);
  });
});

it("--adopt adds our tables to a file of another program", async () => {
  const path = join(temporaryFolder(), "host.db");
  makeFile(path, "CREATE TABLE host (name TEXT); INSERT INTO host VALUES ('kept')");
  expect(await imAdmin(["import", records(), "--db", path, "--adopt"])).toMatchObject({ status: 0 });
  const connection = new BetterSqlite3(path, { readonly: true });
  expect(connection.prepare("SELECT name, userID FROM host, users").raw().all()).toEqual([["kept", "u1"]]);
  connection.close();
  expect(await imAdmin(["check", "--db", path])).toMatchObject({ status: 0 });
  const other = join(temporaryFolder(), "host.db");
  makeFile(other, "CREATE TABLE host (name TEXT)");
  const server = await serve(["--db", other, "--demo"], { IM_ADMIN_ADOPT: "1" });
  expect(await server.stop()).toMatchObject({ status: 0 });
  expect(await imAdmin(["check", "--db", other])).toMatchObject({ status: 0 });
});

describe("an empty file", () => {
  it("is no database of im-admin to check, and stays empty", async () => {
    const folder = temporaryFolder();
    const path = join(folder, "empty.db");
    writeFileSync(path, "");
    const before = stateOf(folder);
    for (const flags of [[], ["--repair"]]) {
      expect(await imAdmin(["check", "--db", path, ...flags])).toEqual({
        status: 1,
        stdout: "",
        stderr: `im-admin: ${path} is empty: it is no database of im-admin\n`,
      });
    }
    expect(stateOf(folder)).toStrictEqual(before);
    makeFile(path, "PRAGMA journal_mode = WAL");
    const written = stateOf(folder);
    expect((await imAdmin(["check", "--db", path])).stderr).toBe(
      `im-admin: cannot check ${path}: it has no tables: it is no database of im-admin\n`,
    );
    expect(stateOf(folder)).toStrictEqual(written);
  });

  it("is a new database to serve", async () => {
    const path = join(temporaryFolder(), "empty.db");
    writeFileSync(path, "");
    const server = await serve(["--db", path, "--demo"]);
    expect(await server.stop()).toMatchObject({ status: 0 });
  });
});

describe("--db", () => {
  it.each(lines)("may not be a folder: %s", async (line) => {
    const path = temporaryFolder();
    const { status, stderr } = await run(line, path);
    const done = line.startsWith("check") ? "check" : "open";
    expect(status).toBe(1);
    expect(stderr).toBe(
      `im-admin: cannot ${done} the database ${path}: it is a folder: name a file in it, such as im.db\n`,
    );
  });

  it.each([serveLine, "import RECORDS"])("may not be in a folder that does not exist: %s", async (line) => {
    const folder = join(temporaryFolder(), "nowhere");
    const { status, stderr } = await run(line, join(folder, "im.db"));
    expect([status, stderr]).toEqual([
      1,
      `im-admin: cannot open the database ${folder}/im.db: there is no folder ${folder}: make it first\n`,
    ]);
  });

  it("may not be below a file", async () => {
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, "");
    expect((await run(serveLine, join(file, "im.db"))).stderr).toBe(
      `im-admin: cannot open the database ${file}/im.db: ${file} is no folder\n`,
    );
  });

  it.each(lines)("may not be a socket: %s", async (line) => {
    const path = join(temporaryFolder(), "socket");
    const server = createServer().listen(path);
    onTestFinished(() => void server.close());
    await once(server, "listening");
    expect((await run(line, path)).stderr).toContain(`the database ${path}: it is no regular file\n`);
  });
});

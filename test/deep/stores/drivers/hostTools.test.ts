/** Tools of hosts go over a file that has im-admin's tables beside their own. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import BetterSqlite3 from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSqliteStore } from "../../../../src/stores/drivers/sqlite.js";
import { expectRight } from "../../../helpers/corruptedFile.js";

const deep = fileURLToPath(new URL("../../", import.meta.url));

let folder: string;
let path: string;
beforeAll(async () => {
  // It is beside the packages, so that they are found.
  folder = mkdtempSync(join(deep, ".tools-"));
  path = join(folder, "im.db");
  const host = new BetterSqlite3(path);
  host.exec("CREATE TABLE notes (id integer PRIMARY KEY NOT NULL, text text); INSERT INTO notes VALUES (1, 'a note')");
  host.close();
  const store = openSqliteStore({ path, adopt: true });
  await store.put({
    users: [...ids(200).map((userID) => ({ userID, appMangerLevel: 3 })), { userID: "u7", nickname: '王芳 "7"\\' }],
    groups: [{ groupID: "g" }],
    groupMembers: ids(3000).map((userID, joinTime) => ({
      groupID: "g",
      userID,
      joinTime,
      nickname: userID === "u7" ? "" : "Ann",
    })),
  });
  await store.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function ids(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `u${index}`);
}

/** Expects that check finds nothing wrong in a file, and that a member is found there by a keyword. */
async function expectWhole(copy: string): Promise<void> {
  await expectRight(copy);
  const store = openSqliteStore({ path: copy, adopt: true });
  const found = await store.listGroupMembers({ groupID: "g", keyword: '芳 "7"\\', offset: 0, limit: 9 });
  const { total } = (await store.listGroupMembers({ groupID: "g", keyword: "ann", offset: 0, limit: 1 })) ?? {};
  await store.close();
  expect([found?.items.map(({ userID }) => userID), total]).toEqual([["u7"], 2999]);
  const host = new BetterSqlite3(copy);
  expect(host.prepare("SELECT text FROM notes").pluck().all()).toEqual(["a note"]);
  host.close();
}

describe("a copy has all lists that is made by", () => {
  it("VACUUM INTO", async () => {
    const copy = join(folder, "vacuumed.db");
    const host = new BetterSqlite3(path);
    host.prepare("VACUUM INTO ?").run(copy);
    host.close();
    await expectWhole(copy);
  });

  it("the command .dump of sqlite3", async () => {
    const copy = join(folder, "dumped.db");
    execFileSync("sqlite3", [copy], { input: execFileSync("sqlite3", [path, ".dump"]) });
    await expectWhole(copy);
  });

  it("iterdump of Python, and its executescript", async () => {
    const copy = join(folder, "iterated.db");
    const program = `
import sqlite3, sys
given, copy = sqlite3.connect(sys.argv[1]), sqlite3.connect(sys.argv[2])
copy.executescript("\\n".join(given.iterdump()))
copy.commit()`;
    execFileSync("python3", ["-c", program, path, copy]);
    await expectWhole(copy);
  });
});

describe("drizzle-kit push", () => {
  /** Pushes a schema with a column more, and gives what the tool has printed. */
  function push(filter: string): string {
    const schema = `
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
export const notes = sqliteTable("notes", { id: integer().primaryKey(), text: text(), author: text() });`;
    const config = `
import { defineConfig } from "drizzle-kit";
export default defineConfig({ dialect: "sqlite", schema: "./schema.ts", dbCredentials: { url: "im.db" }, ${filter} });`;
    writeFileSync(join(folder, "schema.ts"), schema);
    writeFileSync(join(folder, "drizzle.config.ts"), config);
    const { stdout, stderr } = spawnSync(join(deep, "node_modules/.bin/drizzle-kit"), ["push"], {
      cwd: folder,
      encoding: "utf8",
      input: "",
    });
    return stdout + stderr;
  }

  function columns(): unknown {
    const host = new BetterSqlite3(path);
    const names = host.prepare("SELECT name FROM pragma_table_info('notes')").pluck().all();
    host.close();
    return names;
  }

  it("asks without a filter before it deletes what it does not know", async () => {
    expect(push("")).toContain("You're about to delete im_admin_group_members table with 3000 items");
    expect(columns()).toEqual(["id", "text"]);
    await expectWhole(path);
  });

  it("adds the host's column with a filter", async () => {
    expect(push('tablesFilter: ["!im_admin_*"]')).toContain("Changes applied");
    expect(columns()).toEqual(["id", "text", "author"]);
    await expectWhole(path);
  });
});

import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openSqliteStore } from "../../src/stores/drivers/sqlite.js";
import { imAdmin } from "./cliProcess.js";
import { accounts, blacksOf, compareList, filtered, groupsOf, membersOf, readRows, requestsFor } from "./listsModel.js";
import { temporaryFolder } from "./stores.js";

async function makeFile(path: string, members: number): Promise<void> {
  const store = openSqliteStore({ path, threads: 0 });
  const id = (letter: string, index: number) => `${letter}${String(index).padStart(4, "0")}`;
  const some = Array.from({ length: 100 }, (_, index) => index);
  const userIDs = Array.from({ length: members }, (_, index) => id("u", index));
  await store.put({
    users: userIDs.map((userID, index) => ({
      userID,
      nickname: `${index % 10 === 7 ? "王芳" : "Ann"} ${userID}`,
      appMangerLevel: index < 100 ? 3 : 0,
    })),
    groups: [{ groupID: "g1" }, { groupID: "g2" }],
    groupMembers: [
      ...userIDs.map((userID, joinTime) => ({ groupID: "g1", userID, joinTime, roleLevel: joinTime === 0 ? 100 : 20 })),
      { groupID: "g2", userID: "u0000", roleLevel: 60 },
    ],
    blacks: some.map((index) => ({ ownerUserID: "u0001", blackUserID: id("u", index + 10), createTime: index })),
    groupRequests: some.map((index) => ({ groupID: "g1", userID: id("v", index), reqTime: index })),
  });
  await store.close();
}

/** The lists that are compared with the rows after a repair. */
const lists = {
  ...filtered("members", "listGroupMembers", (filters) => membersOf("g1", filters)),
  "one member by a keyword": membersOf("g1", { keyword: "u0007" }),
  "many members by a keyword": membersOf("g1", { keyword: "ann u00" }),
  "members by a Chinese keyword": membersOf("g1", { keyword: "王芳" }),
  "groups of the owner": groupsOf("u0000"),
  blacks: blacksOf("u0001"),
  ...filtered("requests", "listReceivedGroupRequests", (filters) => requestsFor("u0000", filters)),
  ...filtered("accounts", "listNotificationAccounts", accounts),
};

/**
 * Makes one file for all tests of a file, and gives a function that copies it. With 300 members, its lists have nodes;
 * with 3,100, they have nodes on two levels, and leaves have words.
 */
export function fileWith(members: 300 | 3100): () => string {
  const folder = mkdtempSync(join(tmpdir(), "im-admin-"));
  beforeAll(() => makeFile(join(folder, "first.db"), members));
  afterAll(() => rmSync(folder, { recursive: true }));
  return () => {
    const path = join(temporaryFolder(), "im.db");
    copyFileSync(join(folder, "first.db"), path);
    return path;
  };
}

/** Runs SQL on a file as nobody is allowed to: also on the schema itself. */
export function force(path: string, sql: string): void {
  const connection = new BetterSqlite3(path).unsafeMode();
  connection.pragma("writable_schema = ON");
  connection.exec(sql);
  connection.close();
}

/** Writes behind the back of the triggers. */
export function corrupt(path: string, sql: string): void {
  const connection = new BetterSqlite3(path).unsafeMode();
  const triggers = connection.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
  for (const { name } of triggers as { name: string }[]) connection.exec(`DROP TRIGGER ${name}`);
  connection.pragma("writable_schema = ON");
  connection.exec(sql);
  for (const trigger of triggers as { sql: string }[]) connection.exec(trigger.sql);
  connection.close();
}

/** Writes behind the back of an index. */
export function corruptIndex(path: string, index: string, sql: string): void {
  const connection = new BetterSqlite3(path).unsafeMode();
  const triggers = connection.prepare("SELECT sql FROM sqlite_schema WHERE type = 'trigger'").pluck().all() as string[];
  const row = connection.prepare("SELECT * FROM sqlite_schema WHERE name = ?").raw().get(index);
  connection.pragma("writable_schema = ON");
  connection.prepare("DELETE FROM sqlite_schema WHERE type = 'trigger' OR name = ?").run(index);
  connection.pragma("writable_schema = RESET");
  connection.exec(sql);
  connection.pragma("writable_schema = ON");
  connection.prepare("INSERT INTO sqlite_schema VALUES (?, ?, ?, ?, ?)").run(row);
  connection.pragma("writable_schema = RESET");
  for (const trigger of triggers) connection.exec(trigger);
  connection.close();
}

/** What `im-admin check` says, without the last line. */
export async function said(path: string, ...flags: string[]): Promise<string[]> {
  const { stderr } = await imAdmin(["check", "--db", path, ...flags]);
  return stderr.trimEnd().split("\n").slice(0, -1);
}

/** Expects that check finds nothing wrong. */
export async function expectRight(path: string): Promise<void> {
  const { stderr } = await imAdmin(["check", "--db", path]);
  expect(stderr).toBe(`${path}: all lists agree with the rows\n`);
}

/** Expects that check says something of a file, and that after --repair all is right, and is answered so. */
export async function expectRepaired(path: string, sentence: string): Promise<void> {
  const { stderr, status } = await imAdmin(["check", "--db", path, "--repair"]);
  const lines = stderr.trimEnd().split("\n");
  expect(lines, lines.join("\n")).toContain(sentence);
  expect(lines.at(-1)).toBe(`${path}: the lists have been built anew and agree with the rows`);
  expect(status).toBe(0);
  expect(await wrongPages(path)).toStrictEqual({});
}

/** Tests for each sentence of check that it is said of a file that its SQL has damaged, and that --repair mends the file. */
export function expectFound(
  copy: () => string,
  damages: Readonly<Record<string, string>>,
  damage: (path: string, sql: string) => void = corrupt,
): void {
  it.each(Object.entries(damages))("check says, and --repair mends: %s", async (sentence, sql) => {
    const path = copy();
    damage(path, sql);
    await expectRepaired(path, sentence);
  });
}

/** What a store answers otherwise than the rows say, also after it has been written. */
async function wrongPages(path: string): Promise<Record<string, string>> {
  const store = openSqliteStore({ path, threads: 0 });
  const connection = new BetterSqlite3(path, { readonly: true });
  await store.put({ groupMembers: [{ groupID: "g1", userID: "new", nickname: "王芳 u0007" }] });
  await store.remove({ groupMembers: [{ groupID: "g1", userID: "u0017" }] });
  const rows = readRows(connection);
  const wrong: Record<string, string> = {};
  for (const [name, list] of Object.entries(lists)) {
    const problem = await compareList(store, rows, list, 1000);
    if (problem !== undefined) wrong[name] = problem;
  }
  connection.close();
  await store.close();
  return wrong;
}

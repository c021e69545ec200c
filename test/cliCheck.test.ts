import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openSqliteStore } from "../src/stores/sqlite.js";
import { imAdmin } from "./cliProcess.js";
import { temporaryFolder } from "./stores.js";

/** A file with a group that is large enough for nodes on three levels and for documents. */
async function makeLargeFile(path: string): Promise<void> {
  const store = openSqliteStore({ path });
  const userIDs = Array.from({ length: 6000 }, (_, index) => `u${String(index).padStart(4, "0")}`);
  await store.put({
    users: userIDs.map((userID) => ({ userID, nickname: `Ann ${userID}`, appMangerLevel: userID < "u0010" ? 3 : 0 })),
    groups: [{ groupID: "g1" }],
    groupMembers: userIDs.map((userID, index) => ({ groupID: "g1", userID, joinTime: index, roleLevel: 20 })),
    blacks: [{ ownerUserID: "u0001", blackUserID: "u0002", createTime: 1 }],
    groupRequests: [{ groupID: "g1", userID: "v1", reqTime: 1 }],
  });
  await store.put({ groupMembers: [{ groupID: "g1", userID: "u0000", roleLevel: 100 }] });
  await store.close();
}

/** Writes behind the back of the triggers. */
function corrupt(path: string, sql: string): void {
  const connection = new BetterSqlite3(path);
  const triggers = connection.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
  for (const { name } of triggers as { name: string }[]) connection.exec(`DROP TRIGGER ${name}`);
  connection.exec(sql);
  for (const trigger of triggers as { sql: string }[]) connection.exec(trigger.sql);
  connection.close();
}

const folder = mkdtempSync(join(tmpdir(), "im-admin-"));
const large = join(folder, "large.db");
beforeAll(() => makeLargeFile(large));
afterAll(() => rmSync(folder, { recursive: true }));

const members = "(SELECT id FROM lists WHERE name = 'groupMembers')";
const key = "9790000000000000007u0007";

const corruptions: Record<string, [sql: string, said: string]> = {
  "a wrong total": [
    "UPDATE lists SET total = total + 1 WHERE name = 'groupMembers'",
    "lists have a wrong total (1, such as groupMembers g1)",
  ],
  "a leaf that counts wrongly": [
    `UPDATE listNodes SET total = total - 1 WHERE list = ${members} AND level = 1 AND start = ''`,
    "leaves count another number of entries than they have (1, such as groupMembers g1, level 1, from '')",
  ],
  "a larger node that counts wrongly": [
    `UPDATE listNodes SET total = total - 1 WHERE list = ${members} AND level = 2 AND start = ''`,
    "nodes count another number of entries than their children (1, such as groupMembers g1, level 2, from '')",
  ],
  "a node that has gone": [
    `DELETE FROM listNodes WHERE list = ${members} AND level = 2 AND start = ''`,
    "lists lack the first node of a level (1, such as groupMembers g1, level 2)",
  ],
  "a height that is too small": [
    "UPDATE lists SET height = 1 WHERE name = 'groupMembers'",
    "lists have outgrown their nodes (1, such as groupMembers g1)",
  ],
  "an entry that has gone": [
    `DELETE FROM listEntries WHERE list = ${members} AND key = '${key}'`,
    `rows are no entries of groupMembers (1, such as g1 ${key})`,
  ],
  "an entry without a row": [
    `INSERT INTO listEntries (list, key, item) VALUES (${members}, '${key}x', 7)`,
    `entries of groupMembers have no row (1, such as g1 ${key}x)`,
  ],
  "a list of nobody's": [
    "INSERT INTO lists (name, owner, total) VALUES ('friends', 'u1', 0)",
    "lists are no list that there is (1, such as friends u1)",
  ],
  "a blacklist entry that was changed": [
    "UPDATE blacks SET createTime = 2",
    "rows are no entries of blacks (1, such as u0001 9999999999999997u0002)",
  ],
  "a manager who is no longer one": [
    "UPDATE groupMembers SET roleLevel = 20 WHERE roleLevel = 100",
    "entries of receivedGroupRequests have no row (1, such as u0000 9999999999999998g1\uFFFDv1)",
  ],
  "a notification account that was made": [
    "UPDATE users SET appMangerLevel = 4 WHERE userID = 'u0010'",
    "rows are no entries of notificationAccountsByLevel (1, such as  4:u0010)",
  ],
  "a document with another nickname": [
    "UPDATE users SET nickname = 'Bob' WHERE userID = 'u0007'",
    `entries have no document, or another one (1, such as groupMembers g1 ${key})`,
  ],
  "a document that has gone": [
    `DELETE FROM listDocuments WHERE key = '${key}'`,
    "the search index listTrigrams disagrees with the documents (1, such as database disk image is malformed)",
  ],
  "an index without a document": [
    `INSERT INTO listGrams (listGrams, rowid, grams) SELECT 'delete', id, grams FROM listIndexed
      WHERE id = (SELECT id FROM listDocuments WHERE key = '${key}')`,
    "the search index listGrams disagrees with the documents (1, such as database disk image is malformed)",
  ],
  "a node of no list": [
    "INSERT INTO listNodes (list, level, start, total) VALUES (999999, 1, '', 0)",
    "rows of listNodes belong to no list (1, such as 999999)",
  ],
};

it.each(Object.entries(corruptions))("check finds %s, and --repair mends it", async (_, [sql, said]) => {
  const path = join(temporaryFolder(), "im.db");
  copyFileSync(large, path);
  corrupt(path, sql);

  const found = await imAdmin(["check", "--db", path]);
  expect(found.stderr.split("\n")).toContain(said);
  expect([found.status, found.stdout]).toEqual([1, ""]);

  const repaired = await imAdmin(["check", "--db", path, "--repair"]);
  expect(repaired.stderr).toContain(`${path}: the lists have been built anew and agree with the rows`);
  expect(repaired.status).toBe(0);
  expect((await imAdmin(["check", "--db", path])).status).toBe(0);
});

it.each([
  ["TRIGGER", "groupMembersAfterInsert"],
  ["TABLE", "listNodes"],
  ["TABLE", "listGrams"],
  ["VIEW", "listTexts"],
  ["INDEX", "listsHigh"],
  ["INDEX", "groupMembersManaging"],
])("check finds that the %s %s is missing, and --repair makes it", async (kind, name) => {
  const path = join(temporaryFolder(), "im.db");
  copyFileSync(large, path);
  const connection = new BetterSqlite3(path);
  connection.exec(`DROP ${kind} ${name}`);
  connection.close();
  expect(await imAdmin(["check", "--db", path])).toEqual({
    status: 1,
    stdout: "",
    stderr: `the ${kind.toLowerCase()} ${name} is missing or another one (1, such as ${name})
im-admin: ${path}: 1 problem; --repair builds the lists anew from the rows
`,
  });
  expect((await imAdmin(["check", "--db", path, "--repair"])).status).toBe(0);
  expect((await imAdmin(["check", "--db", path])).status).toBe(0);
});

it("check says that all is well, and changes nothing", async () => {
  const path = join(temporaryFolder(), "im.db");
  copyFileSync(large, path);
  const connection = new BetterSqlite3(path);
  connection.exec("VACUUM");
  connection.close();
  for (const flags of [[], ["--repair"]]) {
    expect(await imAdmin(["check", "--db", path, ...flags])).toEqual({
      status: 0,
      stdout: "",
      stderr: `${path}: all lists agree with the rows\n`,
    });
  }
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

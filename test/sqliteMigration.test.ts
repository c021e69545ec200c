import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { expect, it } from "vitest";
import { checkLists } from "../src/stores/sql/check.js";
import { defaultSizes } from "../src/stores/sql/countedLists.js";
import { version1 } from "../src/stores/sql/migrations/version1.js";
import { createSqlStore } from "../src/stores/sql/store.js";
import { openSqliteDatabase } from "../src/stores/sqliteDatabase.js";
import { compareList, groupsOf, membersOf, readRows, requestsFor } from "./listsModel.js";
import { temporaryFolder } from "./stores.js";

const tables = ["users", "groups", "groupMembers", "blacks", "groupRequests", "conversations"];

/** A file as the first version made it, with a group of 3,000 and a row of every kind, all columns filled. */
function fileOfVersion1(path: string): Record<string, unknown[]> {
  const connection = new BetterSqlite3(path);
  for (const sql of version1) connection.exec(sql);
  connection.exec(`CREATE TABLE schemaVersion (version INTEGER NOT NULL) STRICT;
    INSERT INTO schemaVersion VALUES (1);
    INSERT INTO users VALUES ('u1', '王芳', 'https://example.com/1.png', 'ex', 3), ('u2', 'Bob', '', '', 0);
    INSERT INTO groups VALUES ('g1', 'Group', 'n', 'i', 'f', 1, 'ex', 0, 'u1', 2, 1, 1, 1, 5, 'u2');
    INSERT INTO blacks VALUES ('u1', 'u2', 1687762198048, 1, 'op', 'ex'), ('u1', 'gone', 1, 0, '', '');
    INSERT INTO conversations VALUES ('u1', 'c1', 1, 'u2', '', 2, 'a', 1, 0, 'ex', 30);
    INSERT INTO groupMembers VALUES ('g1', 'u1', 100, 7, 'own', 'f', 2, 'op', 'ex', 9, 'inv');
    INSERT INTO groupRequests VALUES ('g1', 'u9', -1, 'please', 'no', 1700000000000, 'u1', 1700000000001, 'ex', 3, 'u2');
    INSERT INTO groupMembers (groupID, userID, joinTime)
      WITH RECURSIVE numbers (number) AS (VALUES (1) UNION ALL SELECT number + 1 FROM numbers WHERE number < 3000)
      SELECT 'g1', 'm' || number, number % 7 FROM numbers;`);
  const rows = contents(connection);
  connection.close();
  return rows;
}

/** All rows but for the columns that a later version has added. */
function contents(connection: BetterSqlite3.Database): Record<string, unknown[]> {
  return Object.fromEntries(
    tables.map((table) => {
      const rows = connection.prepare(`SELECT * FROM ${table}`).all() as Record<string, unknown>[];
      const withoutID = rows.map(({ id, ...row }) => row);
      return [table, withoutID.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))];
    }),
  );
}

it("brings a file of version 1 to the current schema with all its rows, and tells of each step", async () => {
  const path = join(temporaryFolder(), "im.db");
  const before = fileOfVersion1(path);
  const steps: [number, number][] = [];
  const database = openSqliteDatabase({ path }, (done, of) => steps.push([done, of]));
  try {
    const connection = new BetterSqlite3(path, { readonly: true });
    const rows = readRows(connection);
    expect(contents(connection)).toStrictEqual(before);
    connection.close();

    expect(steps.map(([done]) => done)).toStrictEqual(steps.map((_, index) => index + 1));
    expect(new Set(steps.map(([, of]) => of))).toStrictEqual(new Set([steps.length]));
    expect(await checkLists(database, defaultSizes)).toStrictEqual([]);
    const store = createSqlStore(database);
    for (const list of [membersOf("g1"), membersOf("g1", { keyword: "M1" }), groupsOf("u1"), requestsFor("u1")]) {
      expect(await compareList(store, rows, list, 400)).toBeUndefined();
    }
  } finally {
    await database.close();
  }
});

it("keeps what others have in the file that refers to its tables", () => {
  const path = join(temporaryFolder(), "im.db");
  fileOfVersion1(path);
  const server = new BetterSqlite3(path);
  server.exec(`CREATE TABLE badges (userID TEXT REFERENCES users (userID) ON DELETE CASCADE);
    INSERT INTO badges VALUES ('u1');
    CREATE VIEW memberCount AS SELECT count(*) AS members FROM groupMembers;
    CREATE INDEX membersByInviter ON groupMembers (inviterUserID);
    CREATE TABLE log (userID TEXT);
    CREATE TRIGGER logUsers AFTER INSERT ON users BEGIN INSERT INTO log VALUES (NEW.userID); END;
    CREATE TRIGGER touch AFTER INSERT ON conversations BEGIN UPDATE users SET ex = 'touched' WHERE userID = 'u2'; END`);
  server.close();
  void openSqliteDatabase({ path }).close();

  const after = new BetterSqlite3(path);
  const value = (sql: string) => after.prepare(sql).pluck().get();
  expect(value("SELECT userID FROM badges")).toBe("u1");
  expect(value("SELECT members FROM memberCount")).toBe(3001);
  expect(value("SELECT count(*) FROM sqlite_schema WHERE name = 'membersByInviter'")).toBe(1);
  after.exec(
    "INSERT INTO users (userID) VALUES ('u3'); INSERT INTO conversations (ownerUserID, conversationID) VALUES ('u3', 'c')",
  );
  expect(value("SELECT group_concat(userID) FROM log")).toBe("u3");
  expect(value("SELECT ex FROM users WHERE userID = 'u2'")).toBe("touched");
  after.exec("DELETE FROM users WHERE userID = 'u1'");
  expect(value("SELECT count(*) FROM badges")).toBe(0);
  after.close();
});

it("leaves a file as it was where the migration fails half-way", () => {
  const path = join(temporaryFolder(), "im.db");
  const before = fileOfVersion1(path);
  expect(() =>
    openSqliteDatabase({ path }, (done) => {
      if (done === 20) throw new Error("the disk is full");
    }),
  ).toThrow("the disk is full");
  const connection = new BetterSqlite3(path, { readonly: true });
  expect(contents(connection)).toStrictEqual(before);
  expect(connection.prepare("SELECT version FROM schemaVersion").pluck().all()).toStrictEqual([1]);
  connection.close();
});

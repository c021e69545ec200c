import { expect, it } from "vitest";
import { imAdmin } from "../../helpers/cliProcess.js";
import { corrupt, expectRepaired, fileWith, force } from "../../helpers/corruptedFile.js";

const copy = fileWith(300);

const inSchema = (name: string, expression: string) =>
  `UPDATE sqlite_schema SET sql = ${expression} WHERE name = '${name}'`;

it.each([
  "trigger groupMembersAfterInsert",
  "view renewDocument",
  "table lists",
  "table listNodes",
  "table documents",
  "table groupMembersBefore",
  "table receivedGroupRequests",
  "index groupMembersInOrder",
  "index groupMembersManaging",
  "table schemaVersion",
])("check finds that the %s has gone, and --repair mends it", async (what) => {
  const path = copy();
  force(path, `DROP ${what}`);
  await expectRepaired(path, `the ${what} is missing`);
});

/** What is done to the definitions, and one of the sentences that check says of it. */
const corruptions: Record<string, [sql: string, sentence: string]> = {
  "a trigger with another body": [
    `DROP TRIGGER groupMembersAfterInsert;
      CREATE TRIGGER groupMembersAfterInsert AFTER INSERT ON groupMembers BEGIN SELECT 1; END`,
    "the trigger groupMembersAfterInsert is another one than im-admin makes",
  ],
  "a trigger that cannot be read": [
    inSchema("groupMembersAfterInsert", "'CREATE TRIGGER oops'"),
    "the database cannot be read: malformed database schema (groupMembersAfterInsert) - incomplete input",
  ],
  "a view that was replaced": [
    "DROP VIEW renewDocument; CREATE VIEW renewDocument AS SELECT 1 AS groupID, 2 AS key",
    "the view renewDocument is another one than im-admin makes",
  ],
  "a table in place of a view": [
    "DROP VIEW renewDocument; CREATE TABLE renewDocument (groupID, key)",
    "the view renewDocument is missing: the table of that name is none of ours",
  ],
  "a view in place of a table": [
    `DROP TABLE lists; CREATE VIEW lists AS SELECT 1 AS id, 'groupMembers' AS name, 'g1' AS owner, 6000 AS total,
      2 AS height, 1 AS hasDocuments, '' AS changedKey`,
    "the table lists is missing: the view of that name is none of ours",
  ],
  "a table that cannot be read": [
    inSchema("listNodes", "'CREATE TABLE listNodes ('"),
    "the database cannot be read: malformed database schema (listNodes) - incomplete input",
  ],
  "a column of a kept table with another name": [
    "ALTER TABLE listNodes RENAME COLUMN total TO amount",
    "the table listNodes is another one than im-admin makes",
  ],
  "an index without its condition": [
    "DROP INDEX notificationAccountsInOrder; CREATE INDEX notificationAccountsInOrder ON users (userID)",
    "the index notificationAccountsInOrder is another one than im-admin makes",
  ],
  "an index that cannot be read": [
    inSchema("groupMembersInOrder", "'CREATE INDEX oops'"),
    "the database cannot be read: malformed database schema (groupMembersInOrder) - incomplete input",
  ],
  "a trigger of somebody else on a kept table": [
    "CREATE TRIGGER hosts AFTER UPDATE ON listNodes BEGIN DELETE FROM listNodes; END",
    "the trigger hosts is none of ours, and stands on listNodes, which only im-admin writes",
  ],
  "an index of somebody else on a kept table": [
    "CREATE INDEX hosts ON lists (total)",
    "the index hosts is none of ours, and stands on lists, which only im-admin writes",
  ],
  "a column of users with another name": [
    "ALTER TABLE users RENAME COLUMN nickname TO name",
    "the column nickname of users is called name",
  ],
  "a column of groupMembers with another name, in quotes": [
    'ALTER TABLE groupMembers RENAME COLUMN joinTime TO "joined at"',
    "the column joinTime of groupMembers is called joined at",
  ],
  "a column of users with another name, that the indexes do not know": [
    inSchema("users", "replace(replace(sql, 'nickname TEXT', 'name TEXT'), 'instr(nickname', 'instr(name')"),
    "the database cannot be read: malformed database schema (notificationAccountsInOrder) - no such column: nickname",
  ],
  "no version": ["DELETE FROM schemaVersion", "schemaVersion does not have the one row 1 (1, such as none)"],
  "two versions": [
    "INSERT INTO schemaVersion VALUES (7)",
    "schemaVersion does not have the one row 1 (1, such as 1, 7)",
  ],
  "the version of another schema": [
    "UPDATE schemaVersion SET version = 99",
    "schemaVersion does not have the one row 1 (1, such as 99)",
  ],
  "a view in place of the version": [
    "DROP TABLE schemaVersion; CREATE VIEW schemaVersion AS SELECT 1 AS version",
    "the table schemaVersion is missing: the view of that name is none of ours",
  ],
};

it.each(Object.entries(corruptions))("check finds %s, and --repair mends it", async (_, [sql, sentence]) => {
  const path = copy();
  force(path, sql);
  await expectRepaired(path, sentence);
});

const restore = "put its rows into a new database of im-admin";

/** What is done to the tables of records, and what check says of it. */
const unmendable: Record<string, [sql: string, sentence: string]> = {
  "a view in place of groups": [
    "ALTER TABLE groups RENAME TO others; CREATE VIEW groups AS SELECT * FROM others",
    "the table groups is missing: the view of that name is none of ours: drop the view, and restore the table from a backup",
  ],
  "no conversations": ["DROP TABLE conversations", "the table conversations is missing: restore it from a backup"],
  "a column that has gone": [
    "ALTER TABLE groups DROP COLUMN ex",
    `the table groups lacks columns (1, such as ex): ${restore}`,
  ],
  "two columns with other names": [
    "ALTER TABLE users RENAME COLUMN nickname TO name; ALTER TABLE users RENAME COLUMN ex TO extra",
    `the table users lacks columns (2, such as nickname): ${restore}`,
  ],
  "a condition that has gone": [
    inSchema("groupMembers", "replace(sql, 'roleLevel BETWEEN 0 AND 999', 'true')"),
    `the table groupMembers is another one than im-admin makes: ${restore}`,
  ],
  "records that cannot be read": [
    inSchema("users", "'CREATE TABLE users ('"),
    "the database cannot be read: malformed database schema (users) - incomplete input: restore a backup, or let the command .recover of the sqlite3 shell make a new file",
  ],
};

it.each(Object.entries(unmendable))("check finds %s, and says what to do", async (_, [sql, sentence]) => {
  const path = copy();
  corrupt(path, `PRAGMA writable_schema = ON; ${sql}`);
  const { status, stderr } = await imAdmin(["check", "--db", path, "--repair"]);
  expect(stderr.split("\n")).toContain(sentence);
  expect(stderr).toMatch(/problems?; --repair cannot mend all of them: do first what is said above\n$/);
  expect(status).toBe(1);
});

it("check leaves a column alone that a host has added, and its objects on the tables of records", async () => {
  const path = copy();
  force(
    path,
    `ALTER TABLE users ADD COLUMN city TEXT NOT NULL DEFAULT '';
      CREATE INDEX usersCity ON users (city);
      CREATE TABLE audit (userID TEXT);
      CREATE TRIGGER audited AFTER INSERT ON users BEGIN INSERT INTO audit VALUES (NEW.userID); END`,
  );
  expect(await imAdmin(["check", "--db", path])).toMatchObject({ status: 0 });
  corrupt(path, "UPDATE lists SET total = 1 WHERE name = 'groupMembers'");
  await expectRepaired(path, "lists of groupMembers have a wrong total (1, such as groupMembers g1)");
});

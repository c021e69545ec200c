import { expect, it } from "vitest";
import { imAdmin } from "../../helpers/cliProcess.js";
import { corrupt, expectRepaired, fileWith, force } from "../../helpers/corruptedFile.js";

const copy = fileWith(300);

const inSchema = (name: string, expression: string) =>
  `UPDATE sqlite_schema SET sql = ${expression} WHERE name = '${name}'`;

it.each([
  "trigger im_admin_group_members_inserted",
  "table im_admin_changed",
  "table im_admin_lists",
  "table im_admin_list_nodes",
  "table im_admin_documents",
  "table im_admin_listed_group_members",
  "index im_admin_list_nodes_unfit",
  "index im_admin_group_members_in_order",
  "index im_admin_managed_groups_in_order",
  "table im_admin_schema_version",
])("check finds that the %s has gone, and --repair mends it", async (what) => {
  const path = copy();
  force(path, `DROP ${what}`);
  await expectRepaired(path, `the ${what} is missing`);
});

/** Statements that change the definitions, and one sentence of check about each. */
const corruptions: Record<string, [sql: string, sentence: string]> = {
  "a trigger with another body": [
    `DROP TRIGGER im_admin_group_members_inserted;
      CREATE TRIGGER im_admin_group_members_inserted AFTER INSERT ON im_admin_group_members BEGIN SELECT 1; END`,
    "the trigger im_admin_group_members_inserted is another one than im-admin makes",
  ],
  "a trigger that cannot be read": [
    inSchema("im_admin_group_members_inserted", "'CREATE TRIGGER oops'"),
    "the database cannot be read: malformed database schema (im_admin_group_members_inserted) - incomplete input",
  ],
  "a view in place of a table": [
    `DROP TABLE im_admin_lists; CREATE VIEW im_admin_lists AS SELECT 1 AS id, 'groupMembers' AS name, 'g1' AS owner, 6000 AS total,
      2 AS height, 1 AS has_documents, 0 AS is_unfit`,
    "the table im_admin_lists is missing: the view of that name is none of ours",
  ],
  "a table that cannot be read": [
    inSchema("im_admin_list_nodes", "'CREATE TABLE im_admin_list_nodes ('"),
    "the database cannot be read: malformed database schema (im_admin_list_nodes) - incomplete input",
  ],
  "a column of a kept table with another name": [
    "ALTER TABLE im_admin_list_nodes RENAME COLUMN total TO amount",
    "the table im_admin_list_nodes is another one than im-admin makes",
  ],
  "an index of another column": [
    "DROP INDEX im_admin_notification_accounts_in_order; CREATE INDEX im_admin_notification_accounts_in_order ON im_admin_listed_users (user_id)",
    "the index im_admin_notification_accounts_in_order is another one than im-admin makes",
  ],
  "an index that cannot be read": [
    inSchema("im_admin_group_members_in_order", "'CREATE INDEX oops'"),
    "the database cannot be read: malformed database schema (im_admin_group_members_in_order) - incomplete input",
  ],
  "a foreign trigger on a kept table": [
    "CREATE TRIGGER hosts AFTER UPDATE ON im_admin_list_nodes BEGIN DELETE FROM im_admin_list_nodes; END",
    "the trigger hosts is none of ours, and stands on im_admin_list_nodes, which only im-admin writes",
  ],
  "a foreign index on a kept table": [
    "CREATE INDEX hosts ON im_admin_lists (total)",
    "the index hosts is none of ours, and stands on im_admin_lists, which only im-admin writes",
  ],
  "a column of users with another name": [
    "ALTER TABLE im_admin_users RENAME COLUMN nickname TO name",
    "the column nickname of im_admin_users is called name",
  ],
  "a column of members with another name, in quotes": [
    'ALTER TABLE im_admin_group_members RENAME COLUMN join_time TO "joined at"',
    "the column join_time of im_admin_group_members is called joined at",
  ],
  "a column of users with another name, that the triggers do not know": [
    inSchema(
      "im_admin_users",
      "replace(replace(replace(sql, 'nickname TEXT', 'name TEXT'), 'instr(nickname', 'instr(name'), 'typeof(nickname', 'typeof(name')",
    ),
    "the column nickname of im_admin_users is called name",
  ],
  "no version": [
    "DELETE FROM im_admin_schema_version",
    "im_admin_schema_version does not have the one row 1 (1, such as none)",
  ],
  "two versions": [
    "INSERT INTO im_admin_schema_version VALUES (7)",
    "im_admin_schema_version does not have the one row 1 (1, such as 1, 7)",
  ],
  "the version of another schema": [
    "UPDATE im_admin_schema_version SET version = 99",
    "im_admin_schema_version does not have the one row 1 (1, such as 99)",
  ],
  "a view in place of the version": [
    "DROP TABLE im_admin_schema_version; CREATE VIEW im_admin_schema_version AS SELECT 1 AS version",
    "the table im_admin_schema_version is missing: the view of that name is none of ours",
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
    "ALTER TABLE im_admin_groups RENAME TO others; CREATE VIEW im_admin_groups AS SELECT * FROM others",
    "the table im_admin_groups is missing: the view of that name is none of ours: drop the view, and restore the table from a backup",
  ],
  "no conversations": [
    "DROP TABLE im_admin_conversations",
    "the table im_admin_conversations is missing: restore it from a backup",
  ],
  "a column that has gone": [
    "ALTER TABLE im_admin_groups DROP COLUMN ex",
    `the table im_admin_groups lacks columns (1, such as ex): ${restore}`,
  ],
  "two columns with other names": [
    "ALTER TABLE im_admin_users RENAME COLUMN nickname TO name; ALTER TABLE im_admin_users RENAME COLUMN ex TO extra",
    `the table im_admin_users lacks columns (2, such as nickname): ${restore}`,
  ],
  "a condition that has gone": [
    inSchema("im_admin_group_members", "replace(sql, 'role_level BETWEEN 0 AND 999', 'true')"),
    `the table im_admin_group_members is another one than im-admin makes: ${restore}`,
  ],
  "records that cannot be read": [
    inSchema("im_admin_users", "'CREATE TABLE im_admin_users ('"),
    "the database cannot be read: malformed database schema (im_admin_users) - incomplete input: restore a backup, or let the command .recover of the sqlite3 shell make a new file",
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
    `ALTER TABLE im_admin_users ADD COLUMN city TEXT NOT NULL DEFAULT '';
      CREATE INDEX users_city ON im_admin_users (city);
      CREATE TABLE audit (user_id TEXT);
      CREATE TRIGGER audited AFTER INSERT ON im_admin_users BEGIN INSERT INTO audit VALUES (NEW.user_id); END`,
  );
  expect(await imAdmin(["check", "--db", path])).toMatchObject({ status: 0 });
  corrupt(path, "UPDATE im_admin_lists SET total = 1 WHERE name = 'groupMembers'");
  await expectRepaired(path, "lists of groupMembers have a wrong total (1, such as groupMembers g1)");
});

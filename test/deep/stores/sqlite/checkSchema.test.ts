import { expect, it } from "vitest";
import { openSqliteStore } from "../../../../src/stores/drivers/sqlite.js";
import { schemaVersion } from "../../../../src/stores/sqlite/schema/migrations.js";
import { imAdmin } from "../../../helpers/cliProcess.js";
import {
  corrupt,
  expectFound,
  expectRepaired,
  expectRight,
  fileWith,
  force,
  said,
} from "../../../helpers/corruptedFile.js";

const copy = fileWith(300);

const inSchema = (name: string, expression: string) =>
  `UPDATE sqlite_schema SET sql = ${expression} WHERE name = '${name}'`;

const missing = [
  "trigger im_admin_group_members_inserted",
  "table im_admin_changed",
  "table im_admin_lists",
  "table im_admin_list_nodes",
  "table im_admin_list_words",
  "table im_admin_listed_group_members",
  "index im_admin_list_nodes_unfit",
  "index im_admin_list_words_stale",
  "index im_admin_group_members_in_order",
  "index im_admin_managed_groups_in_order",
  "table im_admin_schema_version",
];

/** What check says, and the SQL that has changed the definitions. */
expectFound(
  copy,
  {
    ...Object.fromEntries(missing.map((what) => [`the ${what} is missing`, `DROP ${what}`])),
    "the trigger im_admin_group_members_inserted is another one than im-admin makes": `DROP TRIGGER im_admin_group_members_inserted;
      CREATE TRIGGER im_admin_group_members_inserted AFTER INSERT ON im_admin_group_members BEGIN SELECT 1; END`,
    "the table im_admin_lists is missing: the view of that name is none of ours": `DROP TABLE im_admin_lists;
      CREATE VIEW im_admin_lists AS SELECT 1 AS id, 'groupMembers' AS name, 'g1' AS owner, 6000 AS total,
        2 AS height, 0 AS is_unfit`,
    "the table im_admin_list_nodes is another one than im-admin makes":
      "ALTER TABLE im_admin_list_nodes RENAME COLUMN total TO amount",
    "the index im_admin_notification_accounts_in_order is another one than im-admin makes":
      "DROP INDEX im_admin_notification_accounts_in_order; CREATE INDEX im_admin_notification_accounts_in_order ON im_admin_listed_users (user_id)",
    "the trigger hosts is none of ours, and stands on im_admin_list_nodes, which only im-admin writes":
      "CREATE TRIGGER hosts AFTER UPDATE ON im_admin_list_nodes BEGIN DELETE FROM im_admin_list_nodes; END",
    "the index hosts is none of ours, and stands on im_admin_lists, which only im-admin writes":
      "CREATE INDEX hosts ON im_admin_lists (total)",
    [`im_admin_schema_version does not have the one row ${schemaVersion} (1, such as none)`]:
      "DELETE FROM im_admin_schema_version",
    [`im_admin_schema_version does not have the one row ${schemaVersion} (1, such as ${schemaVersion}, 97)`]:
      "INSERT INTO im_admin_schema_version VALUES (97)",
    [`im_admin_schema_version does not have the one row ${schemaVersion} (1, such as 99)`]:
      "UPDATE im_admin_schema_version SET version = 99",
    "the table im_admin_schema_version is missing: the view of that name is none of ours": `DROP TABLE im_admin_schema_version; CREATE VIEW im_admin_schema_version AS SELECT ${schemaVersion} AS version`,
  },
  force,
);

const copyAdvice = "copy its records into a new file: im-admin copy --from <this file> --to <new file>";
const lacking = "give it columns of these names again, by ALTER TABLE";

/** What check says of tables of records, and what has been done to them. */
const unmendable: Record<string, string> = {
  "the table im_admin_groups is missing: the view of that name is none of ours: drop the view, and restore the table from a backup":
    "ALTER TABLE im_admin_groups RENAME TO others; CREATE VIEW im_admin_groups AS SELECT * FROM others",
  "the table im_admin_conversations is missing: restore it from a backup": "DROP TABLE im_admin_conversations",
  [`the table im_admin_groups lacks columns (1, such as ex): ${lacking}`]: "ALTER TABLE im_admin_groups DROP COLUMN ex",
  [`the table im_admin_users lacks columns (2, such as nickname, ex): ${lacking}`]:
    "ALTER TABLE im_admin_users RENAME COLUMN nickname TO name; ALTER TABLE im_admin_users RENAME COLUMN ex TO extra",
  [`the table im_admin_group_members is another one than im-admin makes: ${copyAdvice}`]: inSchema(
    "im_admin_group_members",
    "replace(sql, 'role_level BETWEEN 0 AND 999', 'true')",
  ),
  "the database cannot be read: malformed database schema (im_admin_users) - incomplete input: restore a backup, or let the command .recover of the sqlite3 shell make a new file":
    inSchema("im_admin_users", "'CREATE TABLE im_admin_users ('"),
};

it.each(Object.entries(unmendable))("check says, and --repair does nothing: %s", async (sentence, sql) => {
  const path = copy();
  corrupt(path, sql);
  const { status, stderr } = await imAdmin(["check", "--db", path, "--repair"]);
  expect(stderr.split("\n")).toContain(sentence);
  expect(stderr).toMatch(/problems?; --repair cannot mend all of them: do first what is said above\n$/);
  expect(status).toBe(1);
});

/** What has been done to definitions, after which SQLite reads nothing, or check asks for a copy. */
const copied: Record<string, string> = {
  "malformed database schema (im_admin_group_members_inserted) - incomplete input": inSchema(
    "im_admin_group_members_inserted",
    "'CREATE TRIGGER oops'",
  ),
  "malformed database schema (im_admin_list_nodes) - incomplete input": inSchema(
    "im_admin_list_nodes",
    "'CREATE TABLE im_admin_list_nodes ('",
  ),
  "malformed database schema (im_admin_group_members_in_order) - incomplete input": inSchema(
    "im_admin_group_members_in_order",
    "'CREATE INDEX oops'",
  ),
  "the table im_admin_group_members is another one than im-admin makes": inSchema(
    "im_admin_group_members",
    "replace(sql, 'role_level BETWEEN 0 AND 999', 'true')",
  ),
};

it.each(Object.entries(copied))("check says, and a copy has all records: %s", async (sentence, sql) => {
  const path = copy();
  force(path, sql);
  const sentences = await said(path, "--repair");
  expect(sentences.filter((line) => line.includes(`${sentence}: ${copyAdvice}`))).toHaveLength(1);
  const { status, stderr } = await imAdmin(["copy", "--from", path, "--to", `${path}.copy`]);
  expect([status, stderr]).toEqual([
    0,
    "300 users copied\n2 groups copied\n301 groupMembers copied\n100 blacks copied\n100 groupRequests copied\n0 conversations copied\n",
  ]);
  await expectRight(`${path}.copy`);
});

it("check says, and tells how a column gets its name back: im_admin_users lacks nickname", async () => {
  const path = copy();
  force(path, "ALTER TABLE im_admin_users RENAME COLUMN nickname TO name");
  expect(await said(path)).toContain(`the table im_admin_users lacks columns (1, such as nickname): ${lacking}`);
  force(path, "ALTER TABLE im_admin_users RENAME COLUMN name TO nickname");
  await expectRight(path);
});

it("a file of an im-admin from before the first release is refused, and can be copied", async () => {
  const path = copy();
  force(path, "DROP TABLE im_admin_list_words; CREATE TABLE im_admin_documents (list, key, member, text)");
  const sentence = `an im-admin from before the first release has made it: ${copyAdvice}`;
  expect(() => openSqliteStore({ path })).toThrow(`cannot open the database ${path}: ${sentence}`);
  expect(await said(path, "--repair")).toEqual([sentence]);
  expect(await imAdmin(["copy", "--from", path, "--to", `${path}.copy`])).toMatchObject({ status: 0 });
  await expectRight(`${path}.copy`);
});

it("check finds nothing wrong where tables were renamed away and back", async () => {
  const path = copy();
  for (const table of ["im_admin_users", "im_admin_list_nodes", "im_admin_changed"]) {
    force(path, `ALTER TABLE ${table} RENAME TO elsewhere; ALTER TABLE elsewhere RENAME TO ${table}`);
  }
  await expectRight(path);
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
  await expectRepaired(path, "lists and nodes do not count what is below them (1, such as groupMembers g1)");
});

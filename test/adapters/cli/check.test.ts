import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { expect, it } from "vitest";
import { schemaVersion } from "../../../src/stores/sqlite/schema/migrations.js";
import { otherVersion } from "../../../src/stores/sqlite/upkeep/checkAll.js";
import { imAdmin } from "../../helpers/cliProcess.js";
import { corrupt, force, said } from "../../helpers/corruptedFile.js";
import { smallFile } from "../../helpers/smallFile.js";
import { temporaryFolder } from "../../helpers/stores.js";

it("check says that all is well, and changes nothing", async () => {
  const path = await smallFile();
  const connection = new BetterSqlite3(path);
  connection.exec("VACUUM");
  connection.close();
  const before = readFileSync(path);
  for (const flags of [[], ["--repair"]]) {
    expect(await imAdmin(["check", "--db", path, ...flags])).toEqual({
      status: 0,
      stdout: "",
      stderr: `${path}: all lists agree with the rows\n`,
    });
  }
  expect(readFileSync(path).equals(before)).toBe(true);
});

it("check says what is wrong, and changes nothing without --repair", async () => {
  const path = await smallFile();
  corrupt(path, "UPDATE im_admin_lists SET total = total + 1 WHERE name = 'groupMembers'");
  const before = readFileSync(path);
  expect(await imAdmin(["check", "--db", path])).toEqual({
    status: 1,
    stdout: "",
    stderr: `lists and nodes do not count what is below them (1, such as groupMembers g1)
im-admin: ${path}: 1 problem; --repair builds the lists anew from the rows
`,
  });
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(await imAdmin(["check", "--db", path, "--repair"])).toEqual({
    status: 0,
    stdout: "",
    stderr: `lists and nodes do not count what is below them (1, such as groupMembers g1)
${path}: the lists have been built anew and agree with the rows
`,
  });
});

it("check reports all problems, even if some parts cannot be read", async () => {
  const path = await smallFile();
  corrupt(path, "INSERT INTO im_admin_listed_group_requests VALUES ('g1', 'nobody', 3, 0)");
  force(path, "DROP TABLE im_admin_list_nodes");
  const sentences = await said(path);
  for (const sentence of [
    "the table im_admin_list_nodes is missing",
    "the totals and nodes of the lists cannot be read: no such table: im_admin_list_nodes",
    "im_admin_listed_group_requests has other rows than im_admin_group_requests gives it (1, such as g1 nobody)",
  ]) {
    expect(sentences).toContain(sentence);
  }
  expect(await imAdmin(["check", "--db", path, "--repair"])).toMatchObject({ status: 0 });
});

it("check leaves a database of a newer im-admin alone", async () => {
  const path = await smallFile();
  force(path, "UPDATE im_admin_schema_version SET version = 99; DROP TRIGGER im_admin_group_members_inserted");
  expect(await imAdmin(["check", "--db", path, "--repair"])).toMatchObject({
    status: 3,
    stderr: `could not be checked: the lists: the schema has version 99, and this im-admin checks version ${schemaVersion}: use the newer im-admin that made it
${path}: nothing wrong was found, but not everything could be checked
`,
  });
});

it("check says what to do with a schema of an older version", () => {
  expect(otherVersion(1, 2)).toBe(
    "the schema has version 1, and this im-admin checks version 2: bring it to that version first, by im-admin serve or by opening a store",
  );
});

it("check makes no database", async () => {
  const path = join(temporaryFolder(), "none.db");
  expect(await imAdmin(["check", "--db", path])).toEqual({
    status: 1,
    stdout: "",
    stderr: `im-admin: there is no database ${path}\n`,
  });
  expect(existsSync(path)).toBe(false);
});

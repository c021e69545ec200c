/** import, copy and check, on a file and on PostgreSQL. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RecordName, type RecordSet, recordFields } from "../../../../src/records.js";
import { type BundledStore, openSqliteStore } from "../../../../src/stores/drivers/sqlite.js";
import { createPostgresStore } from "../../../../src/stores/postgres/index.js";
import { imAdmin } from "../../../helpers/cliProcess.js";
import { answers, expectedAnswers, ownFolder, records } from "../../../helpers/imported.js";
import { type PostgresServer, startPostgres } from "../../../helpers/postgres/server.js";
import { temporaryFolder } from "../../../helpers/stores.js";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

/** A folder with these files. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = join(temporaryFolder(), "export");
  mkdirSync(folder);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}

/** A database file with these records. */
async function fileOf(set: RecordSet): Promise<string> {
  const path = join(temporaryFolder(), "im.db");
  const store = openSqliteStore({ path });
  await store.put(set);
  await store.close();
  return path;
}

it.each(Object.keys(recordFields) as RecordName[])("every field of %s is tried", (name) => {
  for (const record of records[name] as object[]) {
    expect(Object.keys(record).sort()).toEqual(recordFields[name].map(([field]) => field).sort());
  }
});

describe.each<[string, () => [string, ...string[]], (path: string) => BundledStore]>([
  ["a file", () => [join(temporaryFolder(), "im.db")], (path: string) => openSqliteStore({ path })],
  [
    "PostgreSQL",
    () => [server.url, "--schema", "mine"],
    () => createPostgresStore({ pool: server.pool, schema: "mine" }),
  ],
])("into %s", (_, flagsOf, open) => {
  it.each([
    [
      "import",
      () => [ownFolder, "--db"],
      `users.ndjson: 2 users imported
groups.ndjson: 1 groups imported
groupMembers.ndjson: 1 groupMembers imported
blacks.ndjson: 1 blacks imported
groupRequests.ndjson: 1 groupRequests imported
conversations.ndjson: 1 conversations imported
warning: 1 conversations name a userID that is not in users, such as peer; they are kept
`,
    ],
    [
      "copy",
      async () => ["--from", await fileOf(records), "--to"],
      `2 users copied
1 groups copied
1 groupMembers copied
1 blacks copied
1 groupRequests copied
1 conversations copied
`,
    ],
  ])("%s brings every field of im-admin's own records, and the same once more", async (command, sourceOf, stderr) => {
    const [database, ...flags] = flagsOf();
    const args = [command, ...(await sourceOf()), database, ...flags];
    for (let round = 0; round < 2; round += 1) {
      expect(await imAdmin(args)).toEqual({ status: 0, stdout: "", stderr });
      const store = open(database);
      expect(await answers(store)).toEqual(await expectedAnswers());
      await store.close();
    }
    await server.pool.query("DROP SCHEMA IF EXISTS mine CASCADE");
  });
});

it("imports a file wholly or not at all into PostgreSQL", async () => {
  const lines = Array.from({ length: 12_000 }, (_, index) => `{"userID":"u${index}"}`);
  const folder = folderOf({ "users.ndjson": [...lines, "x"].join("\n"), "groups.json": `{"groupID":"g1"}` });
  const flags = ["--db", server.url, "--schema", "halves"];
  const { status, stderr } = await imAdmin(["import", folder, ...flags]);
  expect([status, stderr.split("\n").slice(1)]).toEqual([
    1,
    [
      "users.ndjson: nothing was imported: 1 invalid",
      "groups.json: 1 groups imported",
      "im-admin: 1 of 2 files were not imported",
      "",
    ],
  ]);
  const count = async () => (await server.pool.query("SELECT count(*)::integer FROM halves.users")).rows[0].count;
  expect(await count()).toBe(0);
  writeFileSync(join(folder, "users.ndjson"), lines.join("\n"));
  expect(await imAdmin(["import", folder, ...flags])).toMatchObject({ status: 0 });
  expect(await count()).toBe(12_000);
});

it("copies in several transactions, by keys of several fields", async () => {
  const ids = Array.from({ length: 40_001 }, (_, index) => index);
  const from = await fileOf({
    conversations: ids.map((id) => ({ ownerUserID: `u${id % 3}`, conversationID: `c${id}` })),
  });
  const { status, stderr } = await imAdmin(["copy", "--from", from, "--to", server.url, "--schema", "many"]);
  expect([status, stderr]).toEqual([0, expect.stringContaining("\n40,001 conversations copied\n")]);
  const { rows } = await server.pool.query(
    "SELECT owner_user_id AS owner, count(*)::integer FROM many.conversations GROUP BY 1 ORDER BY 1",
  );
  expect(rows).toEqual([
    { owner: "u0", count: 13_334 },
    { owner: "u1", count: 13_334 },
    { owner: "u2", count: 13_333 },
  ]);
});

it("checks and repairs the lists in PostgreSQL", async () => {
  const members = Array.from({ length: 1000 }, (_, index) => `{"groupID":"g1","userID":"u${index}"}`);
  await imAdmin(["import", folderOf({ "groupMembers.ndjson": members.join("\n") }), "--db", server.url]);
  const check = async (...flags: string[]) => {
    const { stderr, ...ended } = await imAdmin(["check", "--db", server.url, ...flags]);
    return { ...ended, stderr: stderr.replaceAll(/postgres:\/\/[^\s:]+(:\d+)?[^\s:]*/g, "DATABASE") };
  };
  expect(await check()).toEqual({ status: 0, stdout: "", stderr: "DATABASE: all lists agree with the rows\n" });
  await server.pool.query("UPDATE im_admin.lists SET total = total + 1 WHERE list = 'group_members'");
  const found = "lists and nodes do not count what is below them (1, such as group_members g1)\n";
  expect(await check()).toEqual({
    status: 1,
    stdout: "",
    stderr: `${found}im-admin: DATABASE: 1 problem; --repair builds the lists anew from the rows\n`,
  });
  expect(await check("--repair")).toEqual({
    status: 0,
    stdout: "",
    stderr: `${found}DATABASE: the lists have been built anew and agree with the rows\n`,
  });
});

it("prints the migration, tells whether it is needed, migrates, and settles", async () => {
  const own = ["--db", server.url, "--schema", "reviewed"];
  const run = async (...args: string[]) => {
    const { stderr, ...ended } = await imAdmin(args);
    return { ...ended, stderr: stderr.replaceAll(/postgres:\/\/[^\s:]+(:\d+)?[^\s:]*/g, "DATABASE") };
  };
  expect(await run("migrate", ...own, "--check")).toEqual({
    status: 1,
    stdout: "",
    stderr: 'im-admin: DATABASE: the schema "reviewed" has no tables of im-admin: im-admin migrate\n',
  });
  const printed = await run("migrate", ...own, "--print");
  expect(printed).toMatchObject({ status: 0, stderr: "" });
  const inPackage = readFileSync(new URL("../../../../migrations/postgres/0001.sql", import.meta.url), "utf8");
  expect(printed.stdout).toBe(inPackage.replace(/\bim_admin\b/g, '"reviewed"'));
  // Somebody else applies the SQL.
  await server.pool.query(printed.stdout);
  const current = { status: 0, stdout: "", stderr: "DATABASE: the schema has the current version\n" };
  expect(await run("migrate", ...own, "--check")).toEqual(current);
  expect(await run("migrate", ...own)).toEqual(current);
  expect(await run("migrate", "--db", server.url, "--schema", "made")).toEqual({
    ...current,
    stderr: "DATABASE: migrated\n",
  });

  await server.pool.query(
    "INSERT INTO reviewed.group_members (group_id, user_id) SELECT 'g1', 'u' || n FROM generate_series(1, 500) n",
  );
  const settled = { status: 0, stdout: "", stderr: "DATABASE: all changes are settled\n" };
  expect(await run("settle", ...own)).toEqual(settled);
  const { rows } = await server.pool.query("SELECT list, owner, total::integer FROM reviewed.lists");
  expect(rows).toEqual([{ list: "group_members", owner: "g1", total: 500 }]);
  expect(await run("check", ...own)).toMatchObject({ status: 0 });
  await server.pool.query("DELETE FROM reviewed.group_members WHERE user_id = 'u7'");
  const holder = await server.pool.connect();
  await holder.query("BEGIN; LOCK TABLE reviewed.users");
  expect(await run("settle", ...own)).toEqual({
    ...settled,
    stderr: "DATABASE: somebody else settles changes, or has locked a table\n",
  });
  await holder.query("ROLLBACK");
  holder.release();
});

it.each(["migrate", "settle"])("says that %s is for PostgreSQL", async (command) => {
  expect(await imAdmin([command, "--db", "im.db"])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining(
      "--db must be a URL that begins with postgres:// or postgresql://: a file needs no such step",
    ),
  });
});

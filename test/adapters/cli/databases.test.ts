/** What import, copy and check do with a file and with PostgreSQL. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RecordName, type RecordSet, recordFields } from "../../../src/records.js";
import { type BundledStore, openSqliteStore } from "../../../src/stores/drivers/sqlite.js";
import { createPostgresStore } from "../../../src/stores/postgres/index.js";
import { imAdmin } from "../../helpers/cliProcess.js";
import { answers, expectedAnswers, ownFolder, records } from "../../helpers/imported.js";
import { type PostgresServer, startPostgres } from "../../helpers/postgres/server.js";
import { temporaryFolder } from "../../helpers/stores.js";

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
  expect(await imAdmin(["import", folder, ...flags, "--skip-invalid"])).toMatchObject({ status: 0 });
  expect(await count()).toBe(12_000);
});

it("copies more than it writes at once, by keys of several fields", async () => {
  const ids = Array.from({ length: 40_001 }, (_, index) => index);
  const from = await fileOf({
    conversations: ids.map((id) => ({ ownerUserID: `u${id % 3}`, conversationID: `c${id}` })),
  });
  const { status, stderr } = await imAdmin(["copy", "--from", from, "--to", server.url, "--schema", "many"]);
  expect([status, stderr]).toEqual([0, expect.stringContaining("\n40001 conversations copied\n")]);
  const { rows } = await server.pool.query(
    "SELECT owner_user_id AS owner, count(*)::integer FROM many.conversations GROUP BY 1 ORDER BY 1",
  );
  expect(rows).toEqual([
    { owner: "u0", count: 13_334 },
    { owner: "u1", count: 13_334 },
    { owner: "u2", count: 13_333 },
  ]);
});

it("checks and repairs what PostgreSQL keeps for lists", async () => {
  const members = Array.from({ length: 1000 }, (_, index) => `{"groupID":"g1","userID":"u${index}"}`);
  await imAdmin(["import", folderOf({ "groupMembers.ndjson": members.join("\n") }), "--db", server.url]);
  const check = async (...flags: string[]) => {
    const { stderr, ...ended } = await imAdmin(["check", "--db", server.url, ...flags]);
    return { ...ended, stderr: stderr.replaceAll(/postgres:\/\/[^\s:]+(:\d+)?[^\s:]*/g, "DATABASE") };
  };
  expect(await check()).toEqual({ status: 0, stdout: "", stderr: "DATABASE: all lists agree with the rows\n" });
  await server.pool.query("UPDATE im_admin.list_totals SET total = total + 1 WHERE list = 1");
  const found = `lists of group_members have a wrong total (1, such as g1)
levels of lists do not add up to the total (1, such as g1)
`;
  expect(await check()).toEqual({
    status: 1,
    stdout: "",
    stderr: `${found}im-admin: DATABASE: 2 problems; --repair builds the lists anew from the rows\n`,
  });
  expect(await check("--repair")).toEqual({
    status: 0,
    stdout: "",
    stderr: `${found}DATABASE: the lists have been built anew and agree with the rows\n`,
  });
});

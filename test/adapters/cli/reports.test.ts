import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, it } from "vitest";
import { imAdmin, importFiles, start } from "../../helpers/cliProcess.js";
import { portOf } from "../../helpers/http/hosts.js";
import { temporaryFolder } from "../../helpers/stores.js";

const users = Array.from({ length: 1_200 }, (_, index) => `{ "userID": "u${index}" }\n`).join("");
const files = { "users.ndjson": users, "groups.ndjson": '{ "groupID": "" }', "blacks.ndjson": "[]" };

it("import reports the result of each file to a program, and groups digits for people", async () => {
  const { stdout, stderr, status, database } = await importFiles(files, "--json");
  expect(status).toBe(1);
  expect(JSON.parse(stdout)).toEqual({
    database,
    files: [
      { file: "users.ndjson", records: "users", imported: 1_200, mended: 0, leftOut: 0 },
      { file: "groups.ndjson", records: "groups", imported: 0, mended: 0, leftOut: 0, failure: "1 invalid" },
      { file: "blacks.ndjson", records: "blacks", imported: 0, mended: 0, leftOut: 0 },
    ],
    dangling: [],
  });
  expect(stderr).toContain("users.ndjson: 1,200 users imported\n");
});

it("import reports missing records that rows name", async () => {
  const { stdout } = await importFiles({ "blacks.json": '{ "ownerUserID": "a", "blackUserID": "b" }' }, "--json");
  expect(JSON.parse(stdout).dangling).toEqual([
    { table: "blacks", column: "ownerUserID", missingFrom: "users", rows: 1, example: "a" },
    { table: "blacks", column: "blackUserID", missingFrom: "users", rows: 1, example: "b" },
  ]);
});

it("copy reports to a program how many records it has copied", async () => {
  const { database } = await importFiles({ "users.ndjson": users });
  const to = join(temporaryFolder(), "copy.db");
  const { stdout, stderr } = await imAdmin(["copy", "--from", database, "--to", to, "--json"]);
  const copied = { users: 1_200, groups: 0, groupMembers: 0, blacks: 0, groupRequests: 0, conversations: 0 };
  expect(JSON.parse(stdout)).toEqual({ database: to, copied });
  expect(stderr).toContain("1,200 users copied\n");
});

it("check reports its findings and repairs to a program", async () => {
  const { database, store } = await importFiles({ "users.ndjson": users });
  await store.close();
  const { default: BetterSqlite3 } = await import("better-sqlite3");
  const file = new BetterSqlite3(database);
  file.exec("DROP TRIGGER im_admin_users_inserted");
  file.close();
  const found = await imAdmin(["check", "--db", database, "--json"]);
  expect(found.status).toBe(1);
  const { findings, ...rest } = JSON.parse(found.stdout);
  expect(rest).toEqual({ database, isRepaired: false });
  expect(findings).toMatchObject([{ kind: "wrong" }]);
  const repaired = await imAdmin(["check", "--repair", "--db", database, "--json"]);
  expect(JSON.parse(repaired.stdout)).toEqual({ database, isRepaired: true, findings: [] });
});

it("writes nothing to standard output without --json", async () => {
  expect((await importFiles({ "users.ndjson": users })).stdout).toBe("");
});

it("serve makes no file if it cannot listen", async () => {
  const folder = temporaryFolder();
  const port = String(await portOf(createServer().listen(0, "127.0.0.1")));
  const { status, stderr } = await start(["serve", "--demo", "--db", join(folder, "im.db"), "--port", port]).ended;
  expect([status, stderr]).toEqual([1, expect.stringContaining(`port ${port} of 127.0.0.1 is in use`)]);
  expect([existsSync(join(folder, "im.db")), existsSync(join(folder, "im.db.secret"))]).toEqual([false, false]);
});

it.each(["", "serve", "token", "import", "export", "copy", "check", "migrate", "settle", "tables", "openapi"])(
  "has no line of help longer than 80 characters: %s",
  async (command) => {
    const { stdout } = await imAdmin([command, "--help"].filter(Boolean));
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  },
);

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createPostgresStore } from "../../../src/stores/postgres/index.js";
import { imAdmin, post, serve } from "../../helpers/cliProcess.js";
import { answers, records } from "../../helpers/imported.js";
import { type PostgresServer, startPostgres } from "../../helpers/postgres/server.js";
import { memoryStore, temporaryFolder } from "../../helpers/stores.js";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

const pagination = { pageNumber: 1, showNumber: 3 };

/** A folder with these files. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = join(temporaryFolder(), "export");
  mkdirSync(folder);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}

it("serves a demo world, keeps what was changed, and names the database without what it is entered with", async () => {
  const flags = ["--demo", "--db", server.url, "--schema", "demo"];
  const first = await serve(flags);
  expect(first.stdout).toMatch(/^im-admin answers on http:\S+, from postgres:\/\/\S+$/m);
  expect(first.stdout).toContain("A token of the administrator imAdmin, good until this server ends:\n");
  const members = { groupID: "2559217223", keyword: "李", pagination };
  expect(await post(`${first.url}/group/get_group_member_list`, first.token, members)).toMatchObject({
    errCode: 0,
    data: { total: 167, members: [{}, {}, {}] },
  });
  const conversation = { conversationID: "sg_2559217223", conversationType: 3, groupID: "2559217223", ex: "changed" };
  await post(`${first.url}/conversation/set_conversations`, first.token, { userIDs: ["1001800006"], conversation });
  expect(await first.stop()).toMatchObject({ status: 0 });

  const second = await serve(flags);
  expect(await post(`${second.url}/group/get_group_member_list`, second.token, members)).toMatchObject({
    data: { total: 167 },
  });
  await second.stop();
  const store = createPostgresStore({ pool: server.pool, schema: "demo" });
  expect(await store.conversations("1001800006")).toMatchObject([{ ex: "changed" }]);
});

it("imports every field of im-admin's own records, and the same once more", async () => {
  const folder = folderOf(
    Object.fromEntries(Object.entries(records).map(([name, list]) => [`${name}.json`, JSON.stringify(list)])),
  );
  const expected = memoryStore();
  await expected.put(records);
  for (let round = 0; round < 2; round += 1) {
    const { status, stdout, stderr } = await imAdmin(["import", folder, "--db", server.url, "--schema", "imported"]);
    expect([status, stdout, stderr.split("\n")]).toEqual([
      0,
      "",
      [
        "users.json: 2 users imported",
        "groups.json: 1 groups imported",
        "groupMembers.json: 1 groupMembers imported",
        "blacks.json: 1 blacks imported",
        "groupRequests.json: 1 groupRequests imported",
        "conversations.json: 1 conversations imported",
        "warning: 1 conversations name a userID that is not in users, such as peer; they are kept",
        "",
      ],
    ]);
    const store = createPostgresStore({ pool: server.pool, schema: "imported" });
    expect(await answers(store)).toEqual(await answers(expected));
  }
});

it("imports a file wholly or not at all", async () => {
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

it("checks and repairs what is kept for lists", async () => {
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

/** Databases as the reference server makes them, and documents that it has accepted from hostile users. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import BetterSqlite3 from "better-sqlite3";
import { deserialize, EJSON, serialize } from "bson";
import { expect, it, onTestFinished } from "vitest";
import { readBson } from "../../../../adapters/cli/import/readBson.js";
import { recordNames } from "../../../../src/records.js";
import { createPostgresStore } from "../../../../src/stores/postgres/index.js";
import { ourName } from "../../../../src/stores/sqlite/sql.js";
import { randomOf, seed } from "../../../helpers/chance.js";
import { imAdmin, importFiles } from "../../../helpers/cliProcess.js";
import { hostileDocuments, totalsOf } from "../../../helpers/hostileDocuments.js";
import { expectTotals } from "../../../helpers/importedTotals.js";
import { startPostgres } from "../../../helpers/postgres/server.js";

const world = fileURLToPath(new URL("../../../helpers/imported/openim", import.meta.url));

/** The files of a folder, by their names. */
function filesIn(folder: string): Record<string, Buffer> {
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
}

/** Files with other names and contents. */
function changed(
  files: Readonly<Record<string, Buffer>>,
  change: (name: string, bytes: Buffer) => [string, string | Buffer],
) {
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => change(name, bytes)));
}

/** The same documents in canonical Extended JSON, which names the type of each number. */
function canonical(path: string): string {
  const documents = Array.from(
    readBson(path, () => {}),
    (read) => ("value" in read ? (read.value as Uint8Array) : []),
  );
  const lines = documents.map((bytes) =>
    EJSON.stringify(deserialize(bytes as Uint8Array, { promoteValues: false }), { relaxed: false }),
  );
  return `${lines.join("\n")}\n`;
}

/** All rows of a database file. */
function rowsOf(path: string): Record<string, unknown[]> {
  const connection = new BetterSqlite3(path, { readonly: true });
  onTestFinished(() => void connection.close());
  return Object.fromEntries(
    recordNames.map((table) => [table, connection.prepare(`SELECT * FROM ${ourName(table)}`).all()]),
  );
}

it("makes the same rows of what mongoexport and mongodump write", async () => {
  const packed = filesIn(join(world, "mongodump"));
  const forms = [
    filesIn(join(world, "mongoexport")),
    packed,
    changed(packed, (name, bytes) => [name.replace(".gz", ""), gunzipSync(bytes)]),
    changed(packed, (name) => [name.replace("bson.gz", "json"), canonical(join(world, "mongodump", name))]),
  ];
  const rows: Record<string, unknown[]>[] = [];
  for (const files of forms) {
    const { status, database } = await importFiles(files);
    expect(status).toBe(0);
    rows.push(rowsOf(database));
  }
  expect(Object.values(rows[0] ?? {}).map(({ length }) => length)).toEqual([76, 20, 115, 30, 25, 108]);
  for (const others of rows.slice(1)) expect(others).toEqual(rows[0]);
});

it("leaves out documents without a usable key, and mends values that no database can hold", async () => {
  const refused = filesIn(join(world, "refused"));
  const group = [
    { group_id: "g\n1", group_name: "a\0b", status: { $numberLong: "9007199254740993" } },
    { group_id: "g\0", notification: "\0", introduction: "\0" },
    { group_name: "nobody" },
  ];
  const files = { ...refused, "group.json": JSON.stringify(group) };
  const lines = [
    String.raw`warning: group.json: 5 values are changed, such as groupName of "g\n1", status of "g\n1", groupID of "g` +
      `\ufffd0": the database cannot hold them as they are`,
    'warning: group.json: 1 documents are left out, such as groupID of "": their keys are missing, empty or too long for the database',
    String.raw`warning: group.json: 1 groupID have more than 64 characters or control characters, such as "g\n1": nobody can ask for them`,
    "group.json: 2 groups IMPORTED",
    'warning: conversation.json: 2 documents are left out, such as ownerUserID of "" "sg_g_need", conversationID of "u06" "": their keys are missing, empty or too long for the database',
    "conversation.json: 0 conversations IMPORTED",
    "",
  ];
  const { status, stderr, folder, database, store } = await importFiles(files);
  expect([status, stderr.split("\n")]).toEqual([0, lines.map((line) => line.replace("IMPORTED", "imported"))]);
  const replaced = await imAdmin(["import", folder, "--db", database, "--replace", "--json"]);
  const unchanged = "0 of them new or changed, and 0 removed";
  expect([replaced.status, replaced.stderr.split("\n")]).toEqual([
    0,
    lines.map((line) => line.replace(/ IMPORTED/, `, ${unchanged}`)),
  ]);
  expect(JSON.parse(replaced.stdout)).toMatchObject({
    files: [
      { file: "group.json", imported: 2, mended: 5, leftOut: 1, changed: 0, removed: 0 },
      { file: "conversation.json", imported: 0, mended: 0, leftOut: 2, changed: 0, removed: 0 },
    ],
  });
  await store.put({ groups: [{ groupID: "old" }], conversations: [{ ownerUserID: "u", conversationID: "old" }] });
  expect(await imAdmin(["import", folder, "--db", database, "--replace", "--strict"])).toEqual({
    status: 1,
    stdout: "",
    stderr: [
      `${folder}/group.json:1: groupName must be a string of valid Unicode without U+0000`,
      `${folder}/group.json:1: groupID must be a non-empty string of valid Unicode without U+0000`,
      `${folder}/group.json:1: groupID must be a non-empty string of valid Unicode without U+0000`,
      "group.json: nothing was replaced: 3 invalid",
      `${folder}/conversation.json:1: ownerUserID must be a non-empty string of valid Unicode without U+0000`,
      `${folder}/conversation.json:2: conversationID must be a non-empty string of valid Unicode without U+0000`,
      "conversation.json: nothing was replaced: 2 invalid",
      "warning: 1 conversations name an ownerUserID that is not in users, such as u; they are kept",
      "im-admin: 2 of 2 files were not replaced",
      "",
    ].join("\n"),
  });
  expect(rowsOf(database)["groups"]).toHaveLength(3);
  expect(rowsOf(database)["conversations"]).toHaveLength(1);
});

it("keeps im-admin's own records strict", async () => {
  const { status, stderr, folder } = await importFiles({
    "users.json": JSON.stringify([{ userID: "a\nb" }, { userID: "b", ex: "\0" }]),
  });
  expect([status, stderr]).toEqual([
    1,
    [
      `${folder}/users.json:1: userID must be a non-empty string of valid Unicode without control characters`,
      `${folder}/users.json:1: ex must be a string of valid Unicode without U+0000`,
      "users.json: nothing was imported: 2 invalid",
      "im-admin: 1 of 1 files were not imported",
      "",
    ].join("\n"),
  ]);
});

it("shows the start of a long ID", async () => {
  const id = "k".repeat(100_000);
  const { status, stderr } = await importFiles({
    "black.json": JSON.stringify([{ owner_user_id: id, block_user_id: id }]),
    "users.json": JSON.stringify([{ userID: "u", [id]: 1 }]),
  });
  expect([status, stderr.split("\n").filter((line) => line.length > 300)]).toEqual([0, []]);
});

/** Hostile documents as mongodump writes them. */
const documents = hostileDocuments(randomOf(seed), 60);
const dump = Object.fromEntries(
  Object.entries(documents).map(([name, all]) => [`${name}.bson`, Buffer.concat(all.map((each) => serialize(each)))]),
);

it("takes every document that the reference server has accepted, with totals that are right", async () => {
  const totals = totalsOf(documents, () => true);
  const { status, store, folder, database } = await importFiles(dump);
  expect(status).toBe(0);
  await expectTotals(store, totals);
  const { stdout, ...replaced } = await imAdmin(["import", folder, "--db", database, "--replace", "--json"]);
  expect(replaced.status).toBe(0);
  expect(JSON.parse(stdout).files.map(({ leftOut }: { leftOut: number }) => leftOut)).toEqual(
    ["user", "group", "group_member", "black", "group_request", "conversation"].map((name) => totals.leftOut[name]),
  );
  await expectTotals(store, totals);
  expect(await imAdmin(["check", "--db", database])).toMatchObject({ status: 0 });
});

it("takes them into PostgreSQL, and leaves out keys that it cannot hold", async () => {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const totals = totalsOf(documents, (key) => !key.includes("\u0001") && Buffer.byteLength(key) <= 512);
  const { folder, database } = await importFiles(dump);
  expect(await imAdmin(["import", folder, "--db", server.url])).toMatchObject({ status: 0 });
  await expectTotals(createPostgresStore({ pool: server.pool }), totals);
  expect(await imAdmin(["import", folder, "--db", server.url, "--replace"])).toMatchObject({ status: 0 });
  await expectTotals(createPostgresStore({ pool: server.pool }), totals);
  const copied = await imAdmin(["copy", "--from", database, "--to", server.url, "--schema", "copied"]);
  expect([copied.status, copied.stderr]).toEqual([0, expect.stringContaining("users are left out: they are too long")]);
  await expectTotals(createPostgresStore({ pool: server.pool, schema: "copied" }), totals);
});

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { searchNotificationAccount } from "../../../src/index.js";
import { type BundledStore, openSqliteStore } from "../../../src/stores/drivers/sqlite.js";
import { imAdmin, importFiles, start } from "../../helpers/cliProcess.js";
import { answers } from "../../helpers/imported.js";
import { temporaryFolder } from "../../helpers/stores.js";

/** The nicknames of the users with appMangerLevel 3, by userID. */
async function nicknames(store: BundledStore): Promise<string[]> {
  const answer = await searchNotificationAccount(store, { pagination: { pageNumber: 1, showNumber: 10 } });
  return answer.errCode === 0 ? answer.data.notificationAccounts.map(({ nickName }) => nickName) : [];
}

const ann = { userID: "u1", nickname: "Ann", appMangerLevel: 3 };
const li = { userID: "u2", nickname: "李", appMangerLevel: 3 };

it.each([
  ["an object a line", "users.ndjson", `${JSON.stringify(ann)}\n${JSON.stringify(li)}\n`],
  ["lines with a BOM, CRLF and blanks", "users.jsonl", `\ufeff\r\n${JSON.stringify(ann)}\r\n\r\n${JSON.stringify(li)}`],
  ["an array on one line", "users.json", JSON.stringify([ann, li])],
  ["an array over many lines", "users.json", JSON.stringify([ann, li], null, 2)],
  [
    "an array with a BOM and CRLF",
    "users.json",
    `\ufeff${JSON.stringify([ann, li], null, "\t").replaceAll("\n", "\r\n")}\r\n`,
  ],
  ["objects over many lines", "users.json", `${JSON.stringify(ann, null, 2)}\n${JSON.stringify(li, null, 2)}\n`],
])("reads %s", async (_, name, text) => {
  const { status, stderr, store } = await importFiles({ [name]: text });
  expect([status, stderr]).toEqual([0, `${name}: 2 users imported\n`]);
  expect(await nicknames(store)).toEqual(["Ann", "李"]);
});

it.each(["", "\n \r\n\n", "[]", "\ufeff[\n]\n"])("takes a file that holds %j for empty", async (text) => {
  const { status, stderr } = await importFiles({ "users.json": text });
  expect([status, stderr]).toEqual([0, "users.json: 0 users imported\n"]);
});

it.each<[string, (values: object[]) => string]>([
  ["lines", (values) => values.map((value) => JSON.stringify(value)).join("\n")],
  ["an array on one line", (values) => JSON.stringify(values)],
])("keeps a value of megabytes whole, in %s", async (_, notation) => {
  // Characters of three bytes: some of them cross the end of a chunk.
  const ex = "读".repeat(1_500_000);
  const key = { ownerUserID: "u1", conversationID: "c1" };
  const { store } = await importFiles({
    "conversations.json": notation([
      { ...key, ex },
      { ...key, ownerUserID: "u2" },
    ]),
  });
  expect((await store.conversations("u1"))[0]?.ex === ex).toBe(true);
  expect(await store.conversations("u2")).toHaveLength(1);
});

it("reports an unknown field, and imports the rest", async () => {
  const unknown = { ...ann, color: "red", "\u001b[31m": 1 };
  const { status, stderr, store } = await importFiles({
    "users.json": JSON.stringify([unknown, { ...li, color: "" }]),
  });
  expect([status, stderr.split("\n")]).toEqual([
    0,
    [
      'warning: users.json: "color" is no field, left out 2 times',
      'warning: users.json: "\ufffd[31m" is no field, left out 1 times',
      "users.json: 2 users imported",
      "",
    ],
  ]);
  expect(await nicknames(store)).toEqual(["Ann", "李"]);
});

it("names ten unknown fields, and counts the others", async () => {
  const fields = Array.from({ length: 25 }, (_, index) => [`field${index}`, 1]);
  const unknown = { ...ann, ...Object.fromEntries(fields) };
  const { status, stderr } = await importFiles({ "users.json": JSON.stringify([unknown, unknown]) });
  expect([status, stderr.split("\n").slice(9)]).toEqual([
    0,
    [
      'warning: users.json: "field9" is no field, left out 2 times',
      "warning: users.json: other names are no fields, left out 30 times",
      "users.json: 2 users imported",
      "",
    ],
  ]);
});

it("counts references to records that are missing, and keeps the rows", async () => {
  const { status, stderr, store } = await importFiles({
    "users.json": JSON.stringify([{ userID: "u1" }]),
    "groups.json": JSON.stringify([{ groupID: "g1" }]),
    "groupMembers.json": JSON.stringify(["u1", "u8", "u9"].map((userID) => ({ groupID: "g1", userID }))),
    "blacks.json": JSON.stringify([
      { ownerUserID: "u1", blackUserID: "u7" },
      { ownerUserID: "u6", blackUserID: "u1" },
    ]),
  });
  expect(status).toBe(0);
  expect(stderr).toContain("warning: 2 groupMembers name a userID that is not in users, such as u8; they are kept\n");
  expect(stderr).toContain("warning: 1 blacks name a blackUserID that is not in users, such as u7; they are kept\n");
  expect(stderr).toContain("warning: 1 blacks name an ownerUserID that is not in users, such as u6; they are kept\n");
  expect(stderr.match(/warning/g)).toHaveLength(3);
  const { members } = await answers(store);
  expect(members).toMatchObject({
    data: { total: 3, members: [{ userID: "u1" }, { userID: "u8" }, { userID: "u9" }] },
  });
});

it("leaves nothing of a file whose import was interrupted", async () => {
  const folder = temporaryFolder();
  const database = join(folder, "im.db");
  const exported = join(folder, "export");
  mkdirSync(exported);
  // The empty lines take longer than the signal.
  writeFileSync(
    join(exported, "users.json"),
    Buffer.concat([Buffer.from(`${JSON.stringify(ann)}\n`.repeat(1000)), Buffer.alloc(40_000_000, "\n")]),
  );
  const { kill, ended } = start(["import", exported, "--db", database]);
  await expect.poll(() => existsSync(`${database}-wal`), { interval: 1, timeout: 30_000 }).toBe(true);
  kill("SIGINT");
  expect(await ended).toMatchObject({ status: "SIGINT", stdout: "", stderr: "" });
  const store = openSqliteStore({ path: database });
  expect(await nicknames(store)).toEqual([]);
  await store.close();
});

it("shows on a terminal that nothing of a file is written before its end", async () => {
  const { isTTY } = process.stderr;
  process.stderr.isTTY = true;
  vi.stubEnv("TERM", "xterm");
  try {
    const { stderr } = await importFiles({ "users.json": JSON.stringify([ann]) });
    expect(stderr).toContain("users.json: nothing written yet [");
    expect(stderr).toContain("users.json: 1 users imported\n");
  } finally {
    process.stderr.isTTY = isTTY;
    vi.unstubAllEnvs();
  }
});

it("reads no pipe and no device, which may never end", async () => {
  const folder = temporaryFolder();
  execFileSync("mkfifo", [join(folder, "users.json")]);
  symlinkSync("/dev/zero", join(folder, "groups.json"));
  expect(await imAdmin(["import", folder, "--db", ":memory:"])).toEqual({
    status: 1,
    stdout: "",
    stderr: [
      "users.json: nothing was imported: it is no regular file",
      "groups.json: nothing was imported: it is no regular file",
      "im-admin: 2 of 2 files were not imported",
      "",
    ].join("\n"),
  });
});

it("reads files with the names that MongoDB Compass gives them", async () => {
  const { status, stderr, store } = await importFiles({
    "openim_v3.user.json": JSON.stringify([{ _id: { $oid: "0".repeat(24) }, user_id: "u1", app_manger_level: 3 }]),
  });
  expect([status, stderr]).toEqual([0, "openim_v3.user.json: 1 users imported\n"]);
  expect(await nicknames(store)).toEqual([""]);
});

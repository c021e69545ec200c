import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import BetterSqlite3 from "better-sqlite3";
import { expect, it } from "vitest";
import { openHistoryFile, type SettingBegun, type SettingEnded } from "../../../adapters/node.js";
import { desktop } from "../../helpers/history.js";
import { memoryStore, openSqliteDatabase, temporaryFolder } from "../../helpers/stores.js";

const users = Array.from({ length: 20 }, (_, index) => `u${index}`);
const begun = {
  entry: "begun",
  time: 1,
  adminUserID: "desk",
  operationID: "op-1",
  conversationID: "c",
  conversationType: 3,
  userID: "",
  groupID: "g1",
  fields: { ex: "x" },
  userIDs: ["u1"],
} as const;
const done = { entry: "ended", time: 2, outcome: "done", errCode: 0, changed: 1, before: [] } as const;
const all = { offset: 0, limit: 1_000 };

/** Another program's connection to the file. */
function sqlite(path: string, use: (database: BetterSqlite3.Database) => unknown): unknown {
  const database = new BetterSqlite3(path);
  try {
    return use(database);
  } finally {
    database.close();
  }
}

it("is an SQLite file that only its owner may read, with the entries in JSON", async () => {
  const { path, set } = await desktop(memoryStore(), ["u1", "u2"]);
  await set(["u1", "u2", "u1"], { isPinned: true, ex: "é\n😀" });
  const [begun, ended] = ["requests", "ends"].map((table) =>
    sqlite(path, (database) => JSON.parse(database.prepare(`SELECT entry FROM ${table}`).pluck().get() as string)),
  ) as [SettingBegun, SettingEnded];
  expect(begun).toEqual({
    entry: "begun",
    requestID: expect.any(String),
    time: expect.any(Number),
    adminUserID: "desk",
    operationID: "op-1",
    conversationID: "sg_g1",
    conversationType: 3,
    userID: "",
    groupID: "g1",
    fields: { isPinned: true, ex: "é\n😀" },
    userIDs: ["u1", "u2"],
  });
  expect(ended).toEqual({
    entry: "ended",
    requestID: begun.requestID,
    time: expect.any(Number),
    outcome: "done",
    errCode: 0,
    changed: 2,
    before: [{ fields: { isPinned: false, ex: "" }, userIDs: ["u1", "u2"] }],
  });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(sqlite(path, (database) => database.pragma("journal_mode", { simple: true }))).toBe("wal");
  expect(sqlite(path, (database) => database.pragma("integrity_check", { simple: true }))).toBe("ok");
});

it.each(["settings", "requests", "ends", "counts", "listed", "setting_users"])(
  "lets no program change, delete or replace a row of %s",
  async (table) => {
    const { path, set, list } = await desktop(memoryStore(), users);
    await set(users, { ex: "a" });
    const before = await list();
    const rows = () => sqlite(path, (database) => database.prepare(`SELECT * FROM ${table}`).all());
    const kept = rows();
    const [[column = ""] = []] = (kept as object[]).map((row) => Object.keys(row));
    for (const text of [
      `UPDATE ${table} SET ${column} = ${column}`,
      `DELETE FROM ${table}`,
      ...(["settings", "requests", "ends"].includes(table) ? [`REPLACE INTO ${table} SELECT * FROM ${table}`] : []),
    ]) {
      expect(() => sqlite(path, (database) => database.exec(text))).toThrow("a history only grows");
    }
    expect([rows(), await list()]).toEqual([kept, before]);
  },
);

it("keeps an entry once, and no end of what has not begun", async () => {
  const { history } = await desktop(memoryStore(), users);
  const requestID = "r1";
  await history.append([
    { ...begun, requestID },
    { ...done, requestID },
  ]);
  for (const entry of [
    { ...begun, requestID },
    { ...done, requestID },
  ]) {
    await expect(history.append([entry])).rejects.toThrow("a history only grows");
  }
  await expect(
    history.append([
      { ...begun, requestID: "r2" },
      { ...done, requestID: "r3" },
    ]),
  ).rejects.toThrow("no request r3 has begun");
  expect(await history.list(all)).toMatchObject({ total: 1, items: [{ settingID: "r1", requests: 1, changed: 1 }] });
});

const minute = 60_000;

it.each([
  ["an hour has passed", [0, 40, 60, 61], { "at 0": 3, "at 61": 1 }],
  ["the clock goes back", [1_000, 900, 800, 700], { "at 1000": 1, "at 900": 1, "at 800": 1, "at 700": 1 }],
  ["processes keep their requests in another order", [100, 100.5, 99.5, 100.2], { "at 100": 4 }],
])("makes another setting of one operationID where %s", async (_, times, expected) => {
  const { history } = await desktop(memoryStore(), users);
  for (const time of times) await history.append([{ ...begun, requestID: `at ${time}`, time: time * minute }]);
  const { items } = await history.list(all);
  expect(Object.fromEntries(items.map(({ settingID, requests }) => [settingID, requests]))).toEqual(expected);
});

it("lists by time, and settings of one time in the order in which they were kept", async () => {
  const { history } = await desktop(memoryStore(), users);
  for (const [index, time] of [5, 3, 5, 4].entries()) {
    await history.append([{ ...begun, requestID: `${index}`, operationID: `${index}`, time }]);
  }
  const { items } = await history.list(all);
  expect(items.map(({ settingID }) => settingID)).toEqual(["2", "0", "3", "1"]);
});

it("cuts long texts off in a list, names them, and has all of them in the request", async () => {
  const { set, list, read } = await desktop(memoryStore(), users);
  const ex = `${"x".repeat(255)}😀${"长".repeat(65_000)}`;
  await set(["u1"], { ex, attachedInfo: "y".repeat(256), isPinned: true });
  const { settings } = await list();
  const { settingID } = settings[0];
  const fields = { isPinned: true, attachedInfo: "y".repeat(256) };
  expect(settings[0]).toMatchObject({ fields: { ...fields, ex: "x".repeat(255) }, cut: ["ex"] });
  expect((await read(settingID)).data).toMatchObject({ setting: settings[0], fields: { ...fields, ex } });
});

it("is kept by several who append in any order, and read meanwhile", async () => {
  const { path, history } = await desktop(memoryStore(), ["u1"]);
  const others = [history, await openHistoryFile(path), await openHistoryFile(path)];
  let least = 0;
  const appends = Array.from({ length: 150 }, async (_, index) => {
    const requestID = String(index);
    await others[index % 3]?.append([{ ...begun, requestID, operationID: requestID }]);
    await others[(index + 1) % 3]?.append([{ ...done, requestID }]);
    const { total } = await history.list(all);
    expect(total).toBeGreaterThanOrEqual(least);
    least = Math.max(least, total);
  });
  await Promise.all(appends);
  for (const reader of [...others, await openHistoryFile(path)]) {
    const { total, items } = await reader.list(all);
    expect([total, items.filter(({ outcome }) => outcome === "done").length]).toEqual([150, 150]);
    await reader.close();
  }
  await expect(history.list(all)).rejects.toThrow("The database connection is not open");
});

it("never has a token, and takes any text", async () => {
  const { path, history, set, list, read } = await desktop(memoryStore(), ["u1", '","userIDs":["x"]}', "\u2028 $& \\"]);
  const hostile = '"}\n{"entry":"ended"}\u2028</script>\\';
  const userIDs = ["u1", '","userIDs":["x"]}', "\u2028 $& \\"];
  await set(userIDs, { ex: hostile, attachedInfo: "__proto__" }, hostile.replaceAll(/[\n\u2028]/g, ""));
  await set(userIDs, { ex: "" }, "op-2");
  const [{ settingID, fields }, first] = (await list()).settings;
  expect(first.fields).toEqual({ attachedInfo: "__proto__", ex: hostile });
  expect(fields).toEqual({ ex: "" });
  expect((await read(settingID)).data.changed).toEqual([{ before: { ex: hostile }, userIDs }]);
  for (const userID of userIDs) expect((await list(1, 1, { userID })).total).toBe(2);
  await history.close();
  expect(readFileSync(path, "latin1")).not.toContain("token of");
});

it("waits for another program that writes the file for a moment", async () => {
  const { path, set, list } = await desktop(memoryStore(), ["u1"]);
  const other = new BetterSqlite3(path);
  other.exec("BEGIN IMMEDIATE");
  const setting = set(["u1"], { ex: "a" });
  expect((await list()).total).toBe(0);
  other.exec("COMMIT");
  other.close();
  expect((await setting).errCode).toBe(0);
});

it.each<[string, (path: string) => void]>([
  ["moved away", (path) => renameSync(path, `${path}-archived`)],
  ["emptied", (path) => truncateSync(path, 0)],
  [
    "replaced by a pipe",
    (path) => {
      rmSync(path);
      execFileSync("mkfifo", [path]);
    },
  ],
  ["restored from a copy", (path) => cpSync(path, `${path}-copy`) ?? renameSync(`${path}-copy`, path)],
])("sets nothing where its file was %s while it was open", async (_, change) => {
  const { path, set, fieldOf } = await desktop(memoryStore(), ["u1"]);
  await set(["u1"], { ex: "a" });
  change(path);
  expect(await set(["u1"], { ex: "b" }, "op-2")).toMatchObject({ errCode: 500 });
  expect(await fieldOf("u1", "ex")).toBe("a");
});

const broken = (path: string) => {
  cpSync(path, `${path}-whole`);
  writeFileSync(path, Buffer.concat([readFileSync(`${path}-whole`).subarray(0, 4_096), Buffer.alloc(80_000, 7)]));
};

it.each<[string, (path: string) => unknown, RegExp]>([
  ["a folder", (path) => mkdirSync(path), /: it is a folder: name a file in it, such as im.db$/],
  ["a pipe", (path) => execFileSync("mkfifo", [path]), /: it is no regular file$/],
  [
    "the lines of an earlier state",
    (path) => writeFileSync(path, `${JSON.stringify({ ...begun, requestID: "r1" })}\n`),
    /: it is no SQLite database, as histories now are \(before, they had lines of JSON\), or .*: move it away, or restore a backup$/,
  ],
  ["another file", (path) => writeFileSync(path, '{"name": "chat"}'), /: it is no SQLite database, .*: move it away/],
  [
    "another program's database",
    (path) => sqlite(path, (database) => database.exec("CREATE TABLE cookies (name)")),
    /: it is another database, and no history: give the history a file of its own$/,
  ],
  [
    "the database of the lists",
    (path) => openSqliteDatabase({ path }).close(),
    /: it is another database, and no history: give the history a file of its own$/,
  ],
  [
    "a history of a later version",
    async (path) => {
      await (await openHistoryFile(path)).close();
      sqlite(path, (database) => database.pragma("user_version = 2"));
    },
    /: a newer im-admin has made it, with version 2: update im-admin$/,
  ],
  [
    "a damaged history",
    async (path) => {
      await (await openHistoryFile(path)).close();
      broken(path);
    },
    /: its pages are damaged: restore a backup/,
  ],
])("does not open %s, and leaves it as it is", async (_, make, refusal) => {
  const path = `${temporaryFolder()}/history`;
  await make(path);
  const content = () => (statSync(path).isFile() ? readFileSync(path) : undefined);
  const before = content();
  await expect(openHistoryFile(path)).rejects.toThrow(refusal);
  await expect(openHistoryFile(path)).rejects.toThrow(`cannot open the history ${path}: `);
  expect(content()).toEqual(before);
});

it("does not open a file without a name or a folder", async () => {
  const folder = temporaryFolder();
  await expect(openHistoryFile(`${folder}/nowhere/history`)).rejects.toThrow(
    `cannot open the history ${folder}/nowhere/history: there is no folder ${folder}/nowhere: make it first`,
  );
  await expect(openHistoryFile("")).rejects.toThrow(new TypeError("path must be a file name"));
});

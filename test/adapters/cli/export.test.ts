import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import BetterSqlite3 from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { group, groupMember, groupRequest, itemWith } from "../../../src/items.js";
import { openSqliteStore } from "../../../src/stores/drivers/sqlite.js";
import { createPostgresStore, migratePostgres } from "../../../src/stores/postgres/index.js";
import { schemaVersion } from "../../../src/stores/sqlite/schema/migrations.js";
import { cli, imAdmin } from "../../helpers/cliProcess.js";
import { makeFile, stateOf } from "../../helpers/foreignFiles.js";
import { type PostgresServer, startPostgres } from "../../helpers/postgres/server.js";
import { temporaryFolder } from "../../helpers/stores.js";

/** More members than one page has. Their nicknames are "Name 0" to "Name 2344", or those of their profiles. */
const crowd = Array.from({ length: 2345 }, (_, index) => ({
  groupID: "crowd",
  userID: `u${String(index).padStart(4, "0")}`,
  roleLevel: index === 0 ? 100 : index < 3 ? 60 : 20,
  ...(index > 0 && { nickname: `Name ${index}` }),
}));

const records = {
  users: [
    { userID: "ann", nickname: "Ann", faceURL: "https://example.org/ann.png" },
    { userID: "ben", nickname: '=HYPERLINK("https://example.org")' },
    { userID: "u0000", nickname: "ÄRGER" },
    { userID: "news", nickname: "All News", faceURL: "https://example.org/news.png", appMangerLevel: 3 },
    { userID: "robot", nickname: "-1+1", appMangerLevel: 4 },
  ],
  groups: [
    { groupID: "readers", groupName: 'The "Readers", all', createTime: 5, creatorUserID: "ann" },
    { groupID: "writers" },
    { groupID: "crowd" },
    { groupID: "empty" },
  ],
  groupMembers: [
    { groupID: "readers", userID: "ann", roleLevel: 100, joinTime: 1 },
    { groupID: "readers", userID: "ben", roleLevel: 20, joinTime: 2, ex: "two\nlines" },
    { groupID: "writers", userID: "ann", roleLevel: 60, joinTime: 3 },
    ...crowd,
  ],
  blacks: [{ ownerUserID: "ann", blackUserID: "ben", createTime: 1_700_000_000_999, addSource: 2 }],
  groupRequests: [
    { groupID: "readers", userID: "ben", reqTime: 7, reqMsg: "+1" },
    { groupID: "writers", userID: "ben", reqTime: 6, handleResult: 1, handleUserID: "ann", handleTime: 8 },
    { groupID: "writers", userID: "news", reqTime: 5, handleResult: -1 },
  ],
};

let folder: string;
let file: string;
let server: PostgresServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "im-admin-"));
  file = join(folder, "im.db");
  const store = openSqliteStore({ path: file });
  await store.put(records);
  await store.close();
  server = await startPostgres();
  await migratePostgres(server.pool);
  await createPostgresStore({ pool: server.pool }).put(records);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await server.stop();
});

/** The line of names, in CSV. */
const csvHead = (fields: object) => `\ufeff${Object.keys(fields)}`;
const memberNames = csvHead(groupMember);
const groupNames = csvHead(group);

/** The items of an export, an object a line. */
const itemsIn = (stdout: string) =>
  stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));

/** A line of CSV. No value needs quotes but those that have them. */
const csvLine = (item: object) => Object.values(item).join();

const ann = { groupID: "readers", userID: "ann", roleLevel: 100, joinTime: 1, nickname: "Ann" };
const formula = '=HYPERLINK(""https://example.org"")';
const ben = { groupID: "readers", userID: "ben", roleLevel: 20, joinTime: 2 };
const members = [
  itemWith(groupMember, { ...ann, faceURL: "https://example.org/ann.png" }),
  itemWith(groupMember, { ...ben, nickname: '=HYPERLINK("https://example.org")', ex: "two\nlines" }),
];

describe.each([
  ["a file", () => file],
  ["PostgreSQL", () => server.url],
])("from %s", (_, databaseOf) => {
  const exported = (line: string) => imAdmin(["export", "--db", databaseOf(), ...line.split(" ")]);

  it("writes members as an object a line, with the profiles' names", async () => {
    expect(await exported("--list members --group readers")).toEqual({
      status: 0,
      stdout: `${members.map((member) => JSON.stringify(member)).join("\n")}\n`,
      stderr: "2 members exported\n",
    });
  });

  it("writes members as CSV, in which no cell is a formula", async () => {
    expect(await exported("--list members --group readers --format csv")).toEqual({
      status: 0,
      stdout: [
        memberNames,
        csvLine(itemWith(groupMember, { ...ann, faceURL: "https://example.org/ann.png" })),
        csvLine(itemWith(groupMember, { ...ben, nickname: `"'${formula}"`, ex: '"two\nlines"' })),
        "",
      ].join("\r\n"),
      stderr: "2 members exported\n",
    });
  });

  it("writes a blacklist and the groups of a user", async () => {
    expect(await exported("--list blacks --user ann --format csv")).toEqual({
      status: 0,
      stdout: [
        "\ufeffownerUserID,createTime,addSource,operatorUserID,ex,blackUserInfo.userID,blackUserInfo.nickname,blackUserInfo.faceURL,blackUserInfo.ex",
        `ann,1700000000,2,,,ben,"'${formula}",,`,
        "",
      ].join("\r\n"),
      stderr: "1 blacks exported\n",
    });
    expect((await exported("--list blacks --user ann --format csv --quote-ids")).stdout.split("\r\n")[1]).toBe(
      `"=""ann""",1700000000,2,,,"=""ben""","'${formula}",,`,
    );
    expect(itemsIn((await exported("--list groups --user ann")).stdout)).toMatchObject([
      { groupID: "writers", memberCount: 1 },
      { groupID: "readers", groupName: 'The "Readers", all', ownerUserID: "ann", createTime: 5 },
    ]);
  });

  it("writes the received join requests for some groups with some results", async () => {
    const whole = await exported("--list groupRequests --user ann --format csv");
    const names = [
      ...csvHead(groupRequest).replace("userInfo,groupInfo,", "").split(","),
      "userInfo.userID,userInfo.nickname,userInfo.faceURL,userInfo.ex",
      ...groupNames
        .slice(1)
        .split(",")
        .map((name) => `groupInfo.${name}`),
    ].join(",");
    const [head, ...rows] = whole.stdout.split("\r\n");
    expect(head).toBe(names);
    expect(rows.map((row) => row.split(",").slice(0, 6).join())).toEqual([
      "0,'+1,,7,,0",
      "1,,,6,ann,8",
      "-1,,,5,,0",
      "",
    ]);
    const some = async (flags: string) => {
      const { stdout } = await exported(`--list groupRequests --user ann ${flags}`);
      return itemsIn(stdout).map(({ userInfo, groupInfo }) => `${userInfo.userID} to ${groupInfo.groupID}`);
    };
    expect(await some("--group writers")).toEqual(["ben to writers", "news to writers"]);
    expect(await some("--group writers --group readers --handle-result 0,-1")).toEqual([
      "ben to readers",
      "news to writers",
    ]);
    expect(await some("--handle-result 1")).toEqual(["ben to writers"]);
  });

  it("writes notification accounts with a level and a keyword", async () => {
    expect((await exported("--list notificationAccounts --format csv")).stdout).toBe(
      "\ufeffuserID,faceURL,nickName\r\nnews,https://example.org/news.png,All News\r\nrobot,,'-1+1\r\n",
    );
    const robot = '{"userID":"robot","faceURL":"","nickName":"-1+1"}\n';
    expect((await exported("--list notificationAccounts --app-manager-level 4")).stdout).toBe(robot);
    expect((await exported("--list notificationAccounts --keyword BOT")).stdout).toBe(robot);
    expect((await exported("--list notificationAccounts --keyword 1+")).stdout).toBe(robot);
  });

  it("writes all pages of a long list in its order", async () => {
    const { stdout, stderr } = await exported("--list members --group crowd");
    expect(itemsIn(stdout).map(({ userID }) => userID)).toEqual(crowd.map(({ userID }) => userID));
    expect(stderr).toBe("2,345 members exported\n");
  });

  it.each([
    ["--keyword 1234", ["u1234"]],
    ["--keyword U000", ["u0000", "u0001", "u0002", "u0003", "u0004", "u0005", "u0006", "u0007", "u0008", "u0009"]],
    ["--keyword E\t7", []],
    ["--keyword ÄR", ["u0000"]],
    // Only letters of ASCII are the same in capitals.
    ["--keyword är", []],
    ["--filter 5", ["u0000", "u0001", "u0002"]],
    ["--filter 2 --keyword 2", ["u0002"]],
  ])("writes the members that match %s, from whatever page", async (flags, userIDs) => {
    const { stdout } = await exported(`--list members --group crowd ${flags}`);
    expect(itemsIn(stdout).map(({ userID }) => userID)).toEqual(userIDs);
  });

  it("writes only the names of an empty list", async () => {
    for (const [line, names] of [
      ["members --group empty", memberNames],
      ["members --group readers --keyword nobody", memberNames],
      ["groups --user news", groupNames],
    ]) {
      expect((await exported(`--list ${line} --format csv`)).stdout).toBe(`${names}\r\n`);
    }
    expect(await exported("--list blacks --user ben")).toEqual({
      status: 0,
      stdout: "",
      stderr: "0 blacks exported\n",
    });
  });

  it("writes nothing if the group or the user does not exist", async () => {
    for (const [line, missing] of [
      ["members --group myToken --format csv", "group myToken"],
      ["blacks --user nobody", "user nobody"],
      ["groups --user nobody", "user nobody"],
      ["groupRequests --user nobody --group readers", "user nobody"],
    ]) {
      const { status, stdout, stderr } = await exported(`--list ${line}`);
      expect([status, stdout]).toEqual([1, ""]);
      expect(stderr).toMatch(new RegExp(`^im-admin: \\S+ has no ${missing}\\n$`));
    }
  });
});

it.each([
  ["", "a list is needed: --list or IM_ADMIN_LIST"],
  ["--list friends", "Allowed choices are members, blacks, groups, groupRequests, notificationAccounts."],
  ["--list members", "--list members needs --group"],
  ["--list members --group a --group b", "--list members takes one --group only"],
  ["--list members --group a --user b", "--list members does not take --user"],
  ["--list groupRequests --group a", "--list groupRequests needs --user"],
  ["--list blacks --user a --handle-result 0", "--list blacks does not take --handle-result"],
  ["--list notificationAccounts --group a", "--list notificationAccounts does not take --group"],
  ["--list members --group a --filter 6", "Allowed choices are 0, 1, 2, 3, 4, 5."],
  ["--list groupRequests --user a --handle-result 2", "It must be 0, 1 or -1."],
  ["--list notificationAccounts --app-manager-level 2", "Allowed choices are 3, 4."],
  ["--list members --group a --quote-ids", "--quote-ids is for --format csv"],
  ["--list members --group a --format xlsx", "Allowed choices are ndjson, csv."],
  [
    `--list members --group ${"g".repeat(65)}`,
    "groupID must be a string of 1 to 64 characters without control characters",
  ],
])("exits with 2 and says what is wrong with export %s", async (line, sentence) => {
  const { status, stdout, stderr } = await imAdmin(["export", "--db", file, ...line.split(" ").filter(Boolean)]);
  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(`${sentence}\nim-admin export --help tells what there is.\n`);
});

it("says why it cannot export a database, and makes none", async () => {
  const others = temporaryFolder();
  writeFileSync(join(others, "text.db"), "This is a text, and longer than the header of a database. ".repeat(9));
  const schema = readFileSync(new URL("../../../migrations/0001.sql", import.meta.url), "utf8");
  makeFile(join(others, "old.db"), `${schema}; UPDATE im_admin_schema_version SET version = 0`);
  writeFileSync(join(others, "damaged.db"), readFileSync(file));
  truncateSync(join(others, "damaged.db"), 50_000);
  const exported = async (...flags: string[]) => {
    const { stderr, ...ended } = await imAdmin(["export", "--list", "notificationAccounts", ...flags]);
    expect(ended).toEqual({ status: 1, stdout: "" });
    return stderr.replaceAll(others, "FOLDER");
  };
  expect(await exported("--db", join(others, "none.db"))).toBe("im-admin: there is no database FOLDER/none.db\n");
  expect(await exported("--db", join(others, "text.db"))).toMatch(
    /^im-admin: cannot export FOLDER\/text\.db: it is no SQLite database, /,
  );
  expect(await exported("--db", join(others, "old.db"))).toBe(
    `im-admin: cannot export FOLDER/old.db: its schema has version 0 of ${schemaVersion}: open it once for writing, by im-admin serve\n`,
  );
  expect(await exported("--db", join(others, "damaged.db"))).toMatch(
    /^im-admin: cannot export FOLDER\/damaged\.db: its pages are damaged: restore a backup, /,
  );
  expect(existsSync(join(others, "none.db"))).toBe(false);
  expect(await exported("--db", server.url, "--schema", "nothing")).toMatch(
    /^im-admin: cannot use the database \S+: the schema "nothing" has no tables of im-admin: im-admin migrate\n$/,
  );
});

it("leaves nothing beside the file", async () => {
  const before = stateOf(folder);
  await imAdmin(["export", "--db", file, "--list", "members", "--group", "crowd"]);
  expect(stateOf(folder)).toStrictEqual(before);
});

it("exports tables of a host's own, over which a map was put", async () => {
  const path = join(temporaryFolder(), "chat.db");
  const chat = new BetterSqlite3(path);
  chat.exec(`
    CREATE TABLE room (id INTEGER PRIMARY KEY, title TEXT);
    CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE inside (room INTEGER, person INTEGER, PRIMARY KEY (room, person));
    INSERT INTO room VALUES (7, 'Readers');
    INSERT INTO person VALUES (1, 'Ann'), (2, 'Ben');
    INSERT INTO inside VALUES (7, 1), (7, 2);`);
  chat.close();
  const map = join(temporaryFolder(), "map.json");
  writeFileSync(
    map,
    JSON.stringify({
      users: { from: "person", key: { userID: "id" }, fields: { nickname: "name" } },
      groups: { from: "room", key: { groupID: "id" }, fields: { groupName: "title" } },
      groupMembers: { from: "inside", key: { groupID: "room", userID: "person" } },
    }),
  );
  expect((await imAdmin(["tables", "--map", map, "--db", path])).status).toBe(0);
  const { stdout } = await imAdmin(["export", "--db", path, "--list", "members", "--group", "7"]);
  expect(itemsIn(stdout)).toMatchObject([
    { groupID: "7", userID: "1", nickname: "Ann" },
    { groupID: "7", userID: "2", nickname: "Ben" },
  ]);
});

/** Runs a line of the shell in which `export` is the command. */
async function inShell(line: string) {
  const command = line.replace("export", `'${process.execPath}' '${cli}' export --db '${file}'`);
  return promisify(execFile)("bash", ["-c", command]).catch(({ code, stdout, stderr }) => ({ code, stdout, stderr }));
}

it("ends in silence, and well, if its reader has read enough", async () => {
  // More than a pipe holds, so the export cannot have ended before.
  expect(await inShell("set -o pipefail; export --list members --group crowd | head -n 1")).toEqual({
    stdout: expect.stringMatching(/^\{"groupID":"crowd",.*\}\n$/),
    stderr: "",
  });
});

// Linux has a disk that is always full.
it("says once that its output cannot be written", async () => {
  expect(await inShell("export --list members --group crowd >/dev/full")).toEqual({
    code: 1,
    stdout: "",
    stderr: "im-admin: ENOSPC: no space left on device, write\n",
  });
});

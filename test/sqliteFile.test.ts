import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { getGroupMemberList, searchNotificationAccount, setConversations } from "../src/index.js";
import { openSqliteStore, type SqliteStoreOptions } from "../src/stores/sqlite.js";
import { temporaryFolder } from "./stores.js";

const pagination = { pageNumber: 1, showNumber: 10 };

function open(options: SqliteStoreOptions) {
  const store = openSqliteStore(options);
  onTestFinished(() => store.close());
  return store;
}

/** A file with a group of one member, who is a notification account. */
async function filledFile(): Promise<string> {
  const path = join(temporaryFolder(), "im.db");
  const store = openSqliteStore({ path });
  await store.put({
    users: [{ userID: "u1", nickname: "Ann", appMangerLevel: 3 }],
    groups: [{ groupID: "g1" }],
    groupMembers: [{ groupID: "g1", userID: "u1" }],
  });
  await store.close();
  return path;
}

/** Runs SQL of one's own on a file, and answers the rows of its last statement. */
function sql(path: string, ...statements: string[]): unknown[] {
  const connection = new BetterSqlite3(path);
  try {
    for (const statement of statements.slice(0, -1)) connection.exec(statement);
    const last = connection.prepare(statements.at(-1) ?? "");
    return last.reader ? last.raw().all() : [last.run()];
  } finally {
    connection.close();
  }
}

describe("opening a file", () => {
  it("makes a new one, and finds what was put there when it is opened again", async () => {
    const path = await filledFile();
    expect(await searchNotificationAccount(open({ path }), { pagination })).toMatchObject({
      data: { total: 1, notificationAccounts: [{ userID: "u1", faceURL: "", nickName: "Ann" }] },
    });
  });

  it("lets others read while somebody writes (WAL)", async () => {
    expect(sql(await filledFile(), "PRAGMA journal_mode")).toStrictEqual([["wal"]]);
  });

  it.each([false, true])(
    "refuses a file of a newer version and leaves it as it is (readonly: %s)",
    async (readonly) => {
      const path = await filledFile();
      sql(path, "UPDATE schemaVersion SET version = 1000", "PRAGMA journal_mode = DELETE");
      const before = readFileSync(path);
      expect(() => openSqliteStore({ path, readonly })).toThrow(
        /^cannot open the database .*im\.db: its schema has version 1000, .* use the newer im-admin that made it$/,
      );
      expect(readFileSync(path).equals(before)).toBe(true);
    },
  );

  it("refuses a file that is no database and leaves it as it is", () => {
    const path = join(temporaryFolder(), "letter.txt");
    writeFileSync(path, "Dear reader");
    expect(() => openSqliteStore({ path })).toThrow("letter.txt: file is not a database");
    expect(readFileSync(path, "utf8")).toBe("Dear reader");
  });

  it("refuses another program's database whose tables have the same names, and leaves it as it is", () => {
    const path = join(temporaryFolder(), "other.db");
    sql(path, "CREATE TABLE users (id INTEGER PRIMARY KEY)");
    const before = readFileSync(path);
    expect(() => openSqliteStore({ path })).toThrow("other.db: table users already exists");
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it("fails where the folder does not exist", () => {
    const path = join(temporaryFolder(), "nowhere", "im.db");
    expect(() => openSqliteStore({ path })).toThrow("nowhere/im.db: Cannot open database because the directory");
  });

  it.each([undefined, "", 7])("fails where the path is %j", (path) => {
    expect(() => openSqliteStore({ path } as never)).toThrow('path must be a file name, or ":memory:"');
  });
});

describe("opening a file for reading only", () => {
  it("answers lists and refuses all writes", async () => {
    const store = open({ path: await filledFile(), readonly: true });
    const conversation = { conversationID: "c1", conversationType: 3 as const, groupID: "g1", isPinned: true };
    expect(await getGroupMemberList(store, { groupID: "g1", pagination })).toMatchObject({ data: { total: 1 } });
    expect(await setConversations(store, { userIDs: ["u1"], conversation })).toMatchObject({ errCode: 500 });
    await expect(store.put({ users: [{ userID: "u2" }] })).rejects.toThrow("readonly");
    await expect(store.remove({ users: [{ userID: "u1" }] })).rejects.toThrow("readonly");
  });

  it("fails where there is no file, and makes none", () => {
    const path = join(temporaryFolder(), "im.db");
    expect(() => openSqliteStore({ path, readonly: true })).toThrow("im.db: unable to open database file");
    expect(existsSync(path)).toBe(false);
  });

  it("fails where the file is empty", () => {
    const path = join(temporaryFolder(), "im.db");
    writeFileSync(path, "");
    expect(() => openSqliteStore({ path, readonly: true })).toThrow("it does not have schema version 2 yet");
  });
});

it("answers 500 without a word of the driver's once it is closed, and tells the observer", async () => {
  const store = openSqliteStore({ path: ":memory:" });
  await store.close();
  const errors: unknown[] = [];
  const observer = { onError: ({ error }: { error: unknown }) => errors.push(String(error)) };
  expect(await searchNotificationAccount(store, { pagination }, { observer })).toStrictEqual({
    errCode: 500,
    errMsg: "ServerInternalError",
    errDlt: "500 ServerInternalError",
  });
  expect(errors).toStrictEqual(["TypeError: The database connection is not open"]);
});

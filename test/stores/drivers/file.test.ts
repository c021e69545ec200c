import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import BetterSqlite3 from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { getGroupMemberList, searchNotificationAccount, setConversations } from "../../../src/index.js";
import { requireSqlite } from "../../../src/stores/drivers/migrateFile.js";
import { openSqliteStore, type SqliteStoreOptions } from "../../../src/stores/drivers/sqlite.js";
import { schemaVersion } from "../../../src/stores/sqlite/schema/migrations.js";
import { makeUnfinishedFile } from "../../helpers/foreignFiles.js";
import { temporaryFolder } from "../../helpers/stores.js";

const pagination = { pageNumber: 1, showNumber: 10 };

function open(options: SqliteStoreOptions) {
  const store = openSqliteStore(options);
  onTestFinished(() => store.close());
  return store;
}

/** A file with a group of one member, who is a notification account. */
async function filledFile(name = "im.db"): Promise<string> {
  const path = join(temporaryFolder(), name);
  mkdirSync(dirname(path), { recursive: true });
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
  it("makes a new one, and finds its records when it is opened again", async () => {
    const path = await filledFile();
    expect(await searchNotificationAccount(open({ path }), { pagination })).toMatchObject({
      data: { total: 1, notificationAccounts: [{ userID: "u1", faceURL: "", nickName: "Ann" }] },
    });
  });

  it("lets others read while one writes (WAL)", async () => {
    expect(sql(await filledFile(), "PRAGMA journal_mode")).toStrictEqual([["wal"]]);
  });

  it("keeps no more than 64 MiB of the log that a large write has needed", async () => {
    const path = join(temporaryFolder(), "im.db");
    const store = open({ path });
    sql(path, "CREATE TABLE host (content)", "INSERT INTO host VALUES (zeroblob(72000000))");
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(72_000_000);
    await store.put({ users: [{ userID: "last" }] });
    expect(statSync(`${path}-wal`).size).toBe(67_108_864);
  });

  it.each([false, true])(
    "refuses a file of a newer version and leaves it as it is (readonly: %s)",
    async (readonly) => {
      const path = await filledFile();
      sql(path, "UPDATE im_admin_schema_version SET version = 1000", "PRAGMA journal_mode = DELETE");
      const before = readFileSync(path);
      expect(() => openSqliteStore({ path, readonly })).toThrow(
        /^cannot open the database .*im\.db: its schema has version 1000, .* use the newer im-admin that made it$/,
      );
      expect(readFileSync(path).equals(before)).toBe(true);
    },
  );

  it("refuses an SQLite that is too old, and says what to do", () => {
    expect(() => requireSqlite("3.43.2")).toThrow(
      "this program opens it with SQLite 3.43.2, and im-admin needs 3.44 or later: update the driver",
    );
    for (const version of ["3.44.0", "3.50.1", "4.0.0"]) expect(() => requireSqlite(version)).not.toThrow();
  });

  it("refuses a file in UTF-16, says what to do, and leaves it as it is", () => {
    const path = join(temporaryFolder(), "wide.db");
    sql(path, "PRAGMA encoding = 'UTF-16le'", "CREATE TABLE host (name TEXT)", "PRAGMA application_id = 1768767844");
    const before = readFileSync(path);
    expect(() => openSqliteStore({ path, adopt: true })).toThrow(
      /^cannot open the database .*wide\.db: its texts are in UTF-16le, which SQLite sorts in another order than UTF-8, so that pages would be wrong: make a new file, and copy the rows there$/,
    );
    expect(() => openSqliteStore({ path, readonly: true })).toThrow("its texts are in UTF-16le");
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(dirname(path))).toStrictEqual(["wide.db"]);
  });

  it("takes a name that begins with file: for a plain one, also without its folder", async () => {
    const folder = process.cwd();
    process.chdir(temporaryFolder());
    try {
      await openSqliteStore({ path: "file:x?mode=memory" }).close();
      expect(readdirSync(".")).toStrictEqual(["file:x?mode=memory"]);
    } finally {
      process.chdir(folder);
    }
  });

  it("finds a file again when the working folder has changed", async () => {
    const folder = process.cwd();
    process.chdir(temporaryFolder());
    try {
      const store = open({ path: "im.db" });
      process.chdir(folder);
      await store.put({ users: [{ userID: "u1" }] });
    } finally {
      process.chdir(folder);
    }
  });

  it("maps nothing of the file into memory", async () => {
    const path = await filledFile();
    const isMapped = () => readFileSync("/proc/self/maps", "utf8").includes(`${path}\n`);
    const store = openSqliteStore({ path });
    await store.conversations("u1");
    expect(isMapped()).toBe(false);
    await store.close();
    // A connection that maps the file would be seen.
    const mapping = new BetterSqlite3(path);
    mapping.pragma("mmap_size = 1000000");
    mapping.prepare("SELECT count(*) FROM im_admin_users").get();
    expect(isMapped()).toBe(true);
    mapping.close();
  });

  it("fails where the folder does not exist", () => {
    const path = join(temporaryFolder(), "nowhere", "im.db");
    expect(() => openSqliteStore({ path })).toThrow(`${path}: there is no folder ${dirname(path)}: make it first`);
  });

  const path = 'path must be a file name, or ":memory:"';
  const threads = "threads must be an integer from 0 to 64";
  it.each<[object, string]>([
    ...[undefined, "", 7].map((value): [object, string] => [{ path: value }, path]),
    ...[-1, 1.5, 65, Number.NaN, "2"].map((value): [object, string] => [{ threads: value }, threads]),
    ...["no", 0, null].map((value): [object, string] => [{ readonly: value }, "readonly must be true or false"]),
    ...["yes", 1, null].map((value): [object, string] => [{ adopt: value }, "adopt must be true or false"]),
    [{ readOnly: true }, 'openSqliteStore does not know "readOnly"; it takes path, readonly, adopt, threads'],
  ])("refuses the options %j", (options, message) => {
    expect(() => openSqliteStore({ path: ":memory:", ...options } as never)).toThrow(new TypeError(message));
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
    expect(() => openSqliteStore({ path, readonly: true })).toThrow("im.db: there is no such file");
    expect(existsSync(path)).toBe(false);
  });

  it("fails where the file is empty", () => {
    const path = join(temporaryFolder(), "im.db");
    writeFileSync(path, "");
    expect(() => openSqliteStore({ path, readonly: true })).toThrow(
      `it does not have schema version ${schemaVersion} yet`,
    );
  });
});

describe("opening a file for reading only that nobody can write", () => {
  const answered = { total: 1, refused: "SqliteError: attempt to write a readonly database" };

  let nobody: ChildProcess;
  beforeAll(async () => {
    nobody = fork(new URL("../../children/sqliteReadonly.mjs", import.meta.url));
    await once(nobody, "message");
  });
  afterAll(() => void nobody.kill("SIGKILL"));

  /** The output of a process that may not write a file, or the last file. */
  async function told(path?: string): Promise<unknown> {
    nobody.send({ path });
    return (await once(nobody, "message"))[0];
  }

  it.each([
    ["answers lists and refuses writes, in a folder that cannot be written either", 0o555, "WAL"],
    ["answers lists where the folder could be written", 0o777, "WAL"],
    ["answers lists of a file without WAL mode", 0o555, "DELETE"],
  ])("%s", async (_, mode, journal) => {
    const path = await filledFile();
    sql(path, `PRAGMA journal_mode = ${journal}`);
    protect(path, mode);
    expect(await told(path)).toStrictEqual(answered);
  });

  it("makes nothing beside the file", async () => {
    const path = await filledFile();
    protect(path);
    await told(path);
    expect(readdirSync(dirname(path))).toStrictEqual(["im.db"]);
  });

  it("refuses a file whose -wal has changes that it cannot read", async () => {
    const path = await filledFile();
    makeUnfinishedFile(path, "INSERT INTO im_admin_users (user_id) VALUES ('u2')");
    rmSync(`${path}-shm`);
    protect(path);
    expect(await told(path)).toMatch(
      /im\.db-wal has changes that SQLite cannot read where nothing can be written: open the database once where it can be written$/,
    );
  });

  it("fails after another process has changed the file", async () => {
    const path = await filledFile();
    protect(path);
    expect(await told(path)).toStrictEqual(answered);
    chmodSync(dirname(path), 0o755);
    chmodSync(path, 0o644);
    sql(path, "INSERT INTO im_admin_users (user_id) VALUES ('u2')");
    expect(await told()).toMatch(
      /^Error: the database file .*im\.db was changed since it was read into memory: open it again$/,
    );
  });

  /** Forbids everybody to write a file, and its folder or not. */
  function protect(path: string, mode = 0o555): void {
    chmodSync(path, 0o444);
    chmodSync(dirname(path), mode);
    onTestFinished(() => chmodSync(dirname(path), 0o755));
  }
});

describe("a file that is no longer what was opened", () => {
  const gone = /^the database file .*im\.db was replaced, moved or deleted while it was open: open it again$/;
  const withoutLog = /im\.db-wal was replaced, moved or deleted while the database was open: open the database again$/;

  function relink(link: string, target: string): void {
    rmSync(link, { force: true });
    symlinkSync(target, link);
  }

  it.each<[string, (path: string, other: string) => void, RegExp]>([
    ["it was deleted", (path) => rmSync(path), gone],
    ["it was moved", (path) => renameSync(path, `${path}.old`), gone],
    ["another file was moved in its place", (path, other) => renameSync(other, path), gone],
    ["the folder above it was moved", (path) => renameSync(dirname(path), join(dirname(path), "../old")), gone],
    ["its -wal was deleted", (path) => rmSync(`${path}-wal`), withoutLog],
    ["its -wal was replaced", (path) => renameSync(`${path}-wal`, `${path}-wal.old`), withoutLog],
    ["its -shm was deleted", (path) => rmSync(`${path}-shm`), /im\.db-shm was replaced, moved or deleted/],
  ])("fails where %s", async (_, change, failure) => {
    await expectFailures(await filledFile("folder/im.db"), change, failure);
  });

  it("fails where a symbolic link leads to another file", async () => {
    const link = join(temporaryFolder(), "im.db");
    relink(link, await filledFile());
    await expectFailures(link, relink, gone);
  });

  async function expectFailures(path: string, change: (path: string, other: string) => void, failure: RegExp) {
    const [store, other] = [open({ path }), await filledFile()];
    await store.put({ users: [{ userID: "u2", appMangerLevel: 3 }] });
    change(path, other);
    await expect(store.conversations("u1")).rejects.toThrow(failure);
    await expect(store.put({ users: [{ userID: "u3" }] })).rejects.toThrow(failure);
    await expect(store.listBlacks({ ownerUserID: "u1", offset: 0, limit: 1 })).rejects.toThrow(failure);
  }

  it("goes on where it was moved and is back", async () => {
    const path = await filledFile();
    const store = open({ path });
    renameSync(path, `${path}.old`);
    await expect(store.conversations("u1")).rejects.toThrow(gone);
    renameSync(`${path}.old`, path);
    expect(await store.conversations("u1")).toStrictEqual([]);
  });

  it("has everything when it is opened again after its -wal was deleted", async () => {
    const path = await filledFile();
    const store = openSqliteStore({ path });
    await store.put({ users: [{ userID: "u2", appMangerLevel: 3 }] });
    rmSync(`${path}-wal`);
    await expect(store.conversations("u1")).rejects.toThrow(withoutLog);
    await store.close();
    expect((await open({ path }).listNotificationAccounts({ keyword: "", offset: 0, limit: 10 })).total).toBe(2);
  });

  it("fails where it is read only", async () => {
    const path = await filledFile();
    const store = open({ path, readonly: true });
    expect(await store.conversations("u1")).toStrictEqual([]);
    rmSync(path);
    await expect(store.conversations("u1")).rejects.toThrow(gone);
  });

  it("fails also where nothing in the folder has changed for long", async () => {
    const path = await filledFile();
    const store = open({ path });
    expect(await store.conversations("u1")).toStrictEqual([]);
    // After 100 ms without a change, the time of the folder tells of the next one.
    await setTimeout(150);
    expect(await store.conversations("u1")).toStrictEqual([]);
    const { mtime, atime } = statSync(dirname(path));
    rmSync(path);
    utimesSync(dirname(path), atime, mtime);
    await expect(store.conversations("u1")).rejects.toThrow(gone);
  });

  it("reports a write as failed where the file was gone before it was over", async () => {
    const path = await filledFile();
    const store = open({ path });
    function* users() {
      yield { userID: "u2" };
      rmSync(path);
      yield { userID: "u3" };
    }
    await expect(store.put({ users: users() })).rejects.toThrow(gone);
  });

  it.each([0, 4096, 100_000])("fails to write where it was truncated to %i bytes", async (length) => {
    const path = await filledFile();
    const store = open({ path });
    // SQLite has in memory from now on what the next write needs, and would not notice.
    await store.put({ users: [{ userID: "u2" }] });
    truncateSync(path, length);
    await expect(store.put({ users: [{ userID: "u3" }] })).rejects.toThrow(
      /^the database file .*im\.db was truncated while it was open: restore it from a backup$/,
    );
  });

  it("goes on where a host has made it smaller", async () => {
    const path = await filledFile();
    const store = open({ path });
    await store.put({ users: Array.from({ length: 4000 }, (_, index) => ({ userID: `many ${index}` })) });
    sql(path, "PRAGMA wal_checkpoint(TRUNCATE)");
    const before = statSync(path).size;
    sql(path, "DELETE FROM im_admin_users WHERE user_id LIKE 'many%'", "VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)");
    expect(statSync(path).size).toBeLessThan(before);
    for (let index = 0; index < 20; index += 1) await store.put({ users: [{ userID: `ours ${index}` }] });
    expect(sql(path, "SELECT count(*) FROM im_admin_users")).toStrictEqual([[21]]);
  });

  it("goes on where other processes open and close it, and other files come and go", async () => {
    const path = await filledFile();
    const store = open({ path });
    for (const number of [1, 2, 3]) {
      sql(path, `INSERT INTO im_admin_users (user_id) VALUES ('other ${number}')`, "PRAGMA wal_checkpoint(TRUNCATE)");
      mkdirSync(join(dirname(path), `folder ${number}`));
      await store.put({ users: [{ userID: `ours ${number}` }] });
    }
    sql(path, "VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)");
    await store.put({ users: [{ userID: "last" }] });
    expect(sql(path, "SELECT count(*) FROM im_admin_users")).toStrictEqual([[8]]);
  });

  it("goes on reading where writers open and close it", async () => {
    const path = await filledFile();
    const store = open({ path, readonly: true });
    for (const number of [1, 2, 3]) {
      sql(path, `INSERT INTO im_admin_users (user_id, app_manger_level) VALUES ('other ${number}', 3)`);
      expect((await store.listNotificationAccounts({ keyword: "", offset: 0, limit: 10 })).total).toBe(1 + number);
    }
  });

  it("leaves another database alone that stands in its place, when it is closed", async () => {
    const [path, other] = [await filledFile(), await filledFile()];
    const store = openSqliteStore({ path });
    await store.put({ users: [{ userID: "u2" }] });
    for (const name of [path, `${path}-wal`, `${path}-shm`]) renameSync(name, `${name}.old`);
    renameSync(other, path);
    const second = open({ path });
    await second.put({ users: [{ userID: "u3" }] });
    await store.close();
    await second.put({ users: [{ userID: "u4" }] });
    expect(sql(path, "SELECT group_concat(user_id) FROM im_admin_users")).toStrictEqual([["u1,u3,u4"]]);
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

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setImmediate, setTimeout } from "node:timers/promises";
import BetterSqlite3 from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { setConversations } from "../../../../src/index.js";
import { openSqliteStore } from "../../../../src/stores/drivers/sqlite.js";
import { defaultSizes } from "../../../../src/stores/sqlite/schema/sizes.js";
import { checkLists } from "../../../../src/stores/sqlite/upkeep/checkAll.js";
import { randomOf, rounds, seed } from "../../../helpers/chance.js";
import { openSqliteDatabase, temporaryFolder } from "../../../helpers/stores.js";

const random = randomOf(seed);

const openFiles = new URL("../../../children/sqliteOpen.mjs", import.meta.url);
const putMany = new URL("../../../children/sqlitePut.mjs", import.meta.url);
const putUsers = new URL("../../../children/sqliteWriters.mjs", import.meta.url);
const writeRounds = new URL("../../../children/sqliteWrite.mjs", import.meta.url);

/** Starts a program, which is stopped at the latest when the test is over. */
function start(program: URL, ...args: (string | number)[]): ChildProcess {
  const child = fork(program, args.map(String), { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  child.once("exit", (code) => code && child.emit("error", new Error(`${program} failed`)));
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** Kills a process at any moment within some milliseconds, if it has not ended before. */
async function kill(child: ChildProcess, within = 100): Promise<void> {
  const exited = once(child, "exit");
  await setTimeout(random() * within);
  child.kill("SIGKILL");
  await exited;
}

function exitsOf(children: ChildProcess[]): Promise<unknown[]> {
  return Promise.all(children.map(async (child) => (await once(child, "exit"))[0]));
}

/** A file with 2,000 users. All are members of a group and have a conversation with the same `ex`. */
async function fileOf2000(): Promise<string> {
  const path = join(temporaryFolder(), "im.db");
  const store = openSqliteStore({ path });
  const userIDs = Array.from({ length: 2000 }, (_, index) => `u${index}`);
  const ex = "at first";
  await store.put({
    users: userIDs.map((userID) => ({ userID })),
    groups: [{ groupID: "g1" }],
    groupMembers: userIDs.map((userID) => ({ groupID: "g1", userID, ex })),
  });
  await setConversations(store, {
    userIDs,
    conversation: { conversationID: "c1", conversationType: 3, groupID: "g1", ex },
  });
  await store.close();
  return path;
}

/** How many conversations and members there are, and how many different `ex`. */
const state = `SELECT (SELECT count(*) FROM im_admin_conversations), (SELECT count(DISTINCT ex) FROM im_admin_conversations),
  (SELECT count(*) FROM im_admin_group_members), (SELECT count(DISTINCT ex) FROM im_admin_group_members)`;
const consistent = [2000, 1, 2000, 1];

function read(path: string, sql: string): unknown {
  const connection = new BetterSqlite3(path, { readonly: true });
  try {
    return connection.prepare(sql).raw().get();
  } finally {
    connection.close();
  }
}

/** Whatever is kept for the lists and disagrees with the rows. */
async function problems(path: string): Promise<unknown[]> {
  const database = openSqliteDatabase({ path });
  try {
    return await checkLists(database, defaultSizes);
  } finally {
    await database.close();
  }
}

it("shows a reader all of a write or nothing, while two processes write the same rows", async () => {
  const path = await fileOf2000();
  const writers = ["Ann", "Bob"].map((name) => start(writeRounds, path, name, 20));
  const exits = exitsOf(writers);
  while (writers.some(({ exitCode }) => exitCode === null)) {
    expect(read(path, state)).toStrictEqual(consistent);
    await setImmediate();
  }
  expect(await exits).toStrictEqual([0, 0]);
  expect(read(path, state)).toStrictEqual(consistent);
  expect(read(path, "SELECT max(ex) FROM im_admin_conversations")).toStrictEqual([
    expect.stringMatching(/^(Ann|Bob) 19$/),
  ]);
});

it("lets no write of two processes with 32 writers each fail or starve", async () => {
  const path = join(temporaryFolder(), "im.db");
  await openSqliteStore({ path }).close();
  const writers = ["Ann", "Bob"].map((name) => start(putUsers, path, name, 15_000));
  const told = await Promise.all(writers.map(async (writer) => (await once(writer, "message"))[0]));
  expect(told.map(({ failures }) => failures)).toStrictEqual([[], []]);
  for (const { longest } of told) expect(longest).toBeLessThan(10_000);
  const puts = told.map(({ puts }) => puts);
  expect(Math.min(...puts)).toBeGreaterThan(Math.max(...puts) / 4);
  expect(read(path, "SELECT count(*) FROM im_admin_users")).toStrictEqual([puts[0] + puts[1]]);
});

it("holds all of a write or nothing, whenever the writing process is killed", async () => {
  const path = await fileOf2000();
  for (let attempt = 0; attempt < Math.max(6, rounds(20)); attempt += 1) {
    const writer = start(writeRounds, path, `attempt ${attempt}`, Number.POSITIVE_INFINITY);
    await once(writer, "message");
    await kill(writer);
    expect(read(path, state)).toStrictEqual(consistent);
    expect(read(path, "PRAGMA integrity_check")).toStrictEqual(["ok"]);
    expect(await problems(path)).toStrictEqual([]);
    expect(read(path, "SELECT ex FROM im_admin_conversations")).toStrictEqual([
      expect.stringContaining(`attempt ${attempt} `),
    ]);
  }
});

it("holds all records of a put or none, whenever the putting process is killed", async () => {
  const folder = temporaryFolder();
  for (let attempt = 0; attempt < Math.max(6, rounds(20)); attempt += 1) {
    const path = join(folder, `${attempt}.db`);
    const child = start(putMany, path, Math.floor(random() * 10_000));
    await once(child, "message");
    // Until after the lists have been built, which takes longer than the records.
    await kill(child, 1000);
    const store = openSqliteStore({ path });
    const { total } = await store.listNotificationAccounts({ keyword: "", offset: 0, limit: 1 });
    await store.close();
    expect([0, 10_000]).toContain(total);
    const rows = "SELECT (SELECT count(*) FROM im_admin_users), (SELECT count(*) FROM im_admin_group_members)";
    expect(read(path, rows)).toStrictEqual([total, total]);
    expect(read(path, "PRAGMA integrity_check")).toStrictEqual(["ok"]);
    expect(await problems(path)).toStrictEqual([]);
  }
});

it("lets four processes open the same new file at the same moment", async () => {
  const folder = temporaryFolder();
  const children = [1, 2, 3, 4].map(() => start(openFiles));
  const answers = () => Promise.all(children.map(async (child) => (await once(child, "message"))[0]));
  expect(await answers()).toStrictEqual(["ready", "ready", "ready", "ready"]);
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const path = join(folder, `${attempt}.db`);
    const answered = answers();
    for (const child of children) child.send(path);
    expect(await answered).toStrictEqual(["done", "done", "done", "done"]);
    expect(read(path, "SELECT count(*) FROM im_admin_users")).toStrictEqual([4]);
  }
});

it("opens a new file again whenever the process that makes it is killed", async () => {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const path = join(temporaryFolder(), "im.db");
    const child = start(openFiles);
    await once(child, "message");
    child.send(path);
    await kill(child, attempt);
    await openSqliteStore({ path }).close();
    expect(await problems(path)).toStrictEqual([]);
  }
});

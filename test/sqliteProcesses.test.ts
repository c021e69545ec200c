import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setImmediate, setTimeout } from "node:timers/promises";
import BetterSqlite3 from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { setConversations } from "../src/index.js";
import { openSqliteStore } from "../src/stores/sqlite.js";
import { temporaryFolder } from "./stores.js";

const openFiles = new URL("./children/sqliteOpen.mjs", import.meta.url);
const putMany = new URL("./children/sqlitePut.mjs", import.meta.url);
const writeRounds = new URL("./children/sqliteWrite.mjs", import.meta.url);

/** Starts a program, which is stopped at the latest when the test is over. */
function start(program: URL, ...args: (string | number)[]): ChildProcess {
  const child = fork(program, args.map(String), { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  child.once("exit", (code) => code && child.emit("error", new Error(`${program} failed`)));
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** Kills a process at any moment within a tenth of a second. */
async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, "exit");
  await setTimeout(Math.random() * 100);
  child.kill("SIGKILL");
  await exited;
}

/** A file with 2,000 users who are members of a group and have a conversation, all with the same `ex`. */
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
const state = `SELECT (SELECT count(*) FROM conversations), (SELECT count(DISTINCT ex) FROM conversations),
  (SELECT count(*) FROM groupMembers), (SELECT count(DISTINCT ex) FROM groupMembers)`;
const consistent = [2000, 1, 2000, 1];

function read(path: string, sql: string): unknown {
  const connection = new BetterSqlite3(path, { readonly: true });
  try {
    return connection.prepare(sql).raw().get();
  } finally {
    connection.close();
  }
}

it("shows a reader all of a write or nothing, while two processes write the same rows", async () => {
  const path = await fileOf2000();
  const writers = [start(writeRounds, path, "Ann", 20), start(writeRounds, path, "Bob", 20)];
  const exits = Promise.all(writers.map((writer) => once(writer, "exit")));
  while (writers.some(({ exitCode }) => exitCode === null)) {
    expect(read(path, state)).toStrictEqual(consistent);
    await setImmediate();
  }
  expect(await exits).toStrictEqual([
    [0, null],
    [0, null],
  ]);
  expect(read(path, state)).toStrictEqual(consistent);
  expect(read(path, "SELECT max(ex) FROM conversations")).toStrictEqual([expect.stringMatching(/^(Ann|Bob) 19$/)]);
});

it("holds all of a write or nothing, whenever the writing process is killed", async () => {
  const path = await fileOf2000();
  for (let attempt = 0; attempt < 15; attempt += 1) {
    const writer = start(writeRounds, path, `attempt ${attempt}`, Number.POSITIVE_INFINITY);
    await once(writer, "message");
    await kill(writer);
    expect(read(path, state)).toStrictEqual(consistent);
    expect(read(path, "PRAGMA integrity_check")).toStrictEqual(["ok"]);
    expect(read(path, "SELECT ex FROM conversations")).toStrictEqual([expect.stringContaining(`attempt ${attempt} `)]);
  }
});

it("holds all records of a put or none, whenever the putting process is killed", async () => {
  const folder = temporaryFolder();
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const path = join(folder, `${attempt}.db`);
    const child = start(putMany, path, Math.floor(Math.random() * 20_000));
    await once(child, "message");
    await kill(child);
    const store = openSqliteStore({ path });
    const { total } = await store.listNotificationAccounts({ keyword: "", offset: 0, limit: 1 });
    await store.close();
    expect([0, 20_000]).toContain(total);
    expect(read(path, "SELECT count(*) FROM users")).toStrictEqual([total]);
    expect(read(path, "PRAGMA integrity_check")).toStrictEqual(["ok"]);
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
    expect(read(path, "SELECT count(*) FROM users")).toStrictEqual([4]);
  }
});

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import BetterSqlite3 from "better-sqlite3";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { getGroupMemberList, setConversations } from "../../../src/index.js";
import { type BundledStore, openSqliteStore } from "../../../src/stores/drivers/sqlite.js";
import { randomOf, rounds, seed } from "../../helpers/chance.js";
import { temporaryFolder } from "../../helpers/stores.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const size = 10_000;
/** Groups of a manager who has few requests for them. */
const managed = Array.from({ length: 40 }, (_, index) => `g${index}`);

function* members(groupID: string, count = size) {
  for (let index = 0; index < count; index++) {
    yield { groupID, userID: `u${index}`, roleLevel: index % 100 === 0 ? 60 : 20, joinTime: index, nickname: "Ann" };
  }
}

/** The threads that have been started since the test began. */
function startedThreads(): Worker[] {
  const threads: Worker[] = [];
  const add = (thread: Worker) => void threads.push(thread);
  process.on("worker", add);
  onTestFinished(() => void process.off("worker", add));
  return threads;
}

let path: string;
beforeAll(async () => {
  path = join(mkdtempSync(join(tmpdir(), "im-admin-lane-")), "im.db");
  const store = openSqliteStore({ path, threads: 0 });
  const userIDs = Array.from({ length: 3_000 }, (_, index) => `u${index}`);
  await store.put({
    users: [
      ...userIDs.slice(0, 2_000).map((userID) => ({ userID, nickname: "Ann", appMangerLevel: 3 })),
      { userID: "boss", appMangerLevel: 4, nickname: "Ann" },
    ],
    groups: ["large", "small", ...managed].map((groupID) => ({ groupID })),
    groupMembers: [
      ...members("small", 50),
      ...["large", ...managed].map((groupID) => ({ groupID, userID: "boss", roleLevel: 100 })),
      ...members("large"),
    ],
    groupRequests: userIDs.map((userID, index) => ({
      groupID: "large",
      userID,
      handleResult: (index % 3) - 1,
      reqTime: index,
    })),
  });
  await store.close();
});
afterAll(() => rmSync(join(path, ".."), { recursive: true }));

function opened(threads?: number): BundledStore {
  const store = openSqliteStore({ path, threads });
  onTestFinished(() => store.close());
  return store;
}

const page = { offset: 0, limit: 20 };
const slow = { groupID: "large", keyword: "nn", ...page };

const conversation = { conversationID: "c1", conversationType: 3, groupID: "large" } as const;

/** Calls that may take long, by what makes them so. */
const heavy: Record<string, (store: BundledStore) => Promise<unknown>> = {
  "a keyword in a large group": (store) => store.listGroupMembers(slow),
  "a keyword and levels, last page": (store) =>
    store.listGroupMembers({ ...slow, roleLevels: [60, 20], offset: size - 10 }),
  "a page of a thousand": (store) => store.listGroupMembers({ ...slow, keyword: "", limit: 1_000 }),
  "a keyword in many accounts": (store) =>
    store.listNotificationAccounts({ keyword: "nn", ...page, appMangerLevel: 4 }),
  "requests for some groups": (store) =>
    store.listReceivedGroupRequests({ userID: "boss", groupIDs: ["large"], offset: 2_990, limit: 20 }),
  "requests with some results in many groups": (store) =>
    store.listReceivedGroupRequests({ userID: "boss", handleResults: [0, 1], ...page }),
  "a conversation of many users": (store) =>
    store.setConversations({
      ...conversation,
      userIDs: Array.from({ length: 500 }, (_, index) => `u${index}`),
      userID: "",
      fields: {},
    }),
};

describe("heavy calls", () => {
  it.each(Object.entries(heavy))("are answered alike by a thread: %s", async (_name, call) => {
    const expected = await call(opened(0));
    const threads = startedThreads();
    expect(await call(opened())).toEqual(expected);
    expect(threads).toHaveLength(1);
  });

  it("leave the thread of the caller to others, light ones do not", async () => {
    const store = opened();
    const order: string[] = [];
    const first = store.listGroupMembers(slow).then(() => order.push("heavy"));
    await store.listGroupMembers({ groupID: "small", keyword: "", ...page });
    await store.listGroupMembers({ groupID: "small", keyword: "nn", ...page });
    order.push("light");
    await first;
    expect(order).toEqual(["light", "heavy"]);
  });

  it("start no thread where they are not to, and none for a database in memory", async () => {
    const threads = startedThreads();
    await opened(0).listGroupMembers(slow);
    const memory = openSqliteStore({ path: ":memory:" });
    await memory.put({ users: Array.from({ length: 1_001 }, (_, index) => ({ userID: `u${index}` })) });
    await opened().listGroupMembers({ groupID: "small", keyword: "", offset: 0, limit: 1_000 });
    // There are many requests, in few lists.
    await opened().listReceivedGroupRequests({ userID: "u0", handleResults: [0, 1], ...page });
    expect(threads).toEqual([]);
  });

  it("are made by as many threads as there may be", async () => {
    const threads = startedThreads();
    const store = opened(2);
    await Promise.all(Array.from({ length: 6 }, () => store.listGroupMembers(slow)));
    expect(threads).toHaveLength(2);
  });

  it("fail where their thread dies, and the next one has another", async () => {
    const threads = startedThreads();
    const store = opened();
    process.once("worker", (thread) => void thread.terminate());
    const call = store.listGroupMembers(slow);
    await expect(call).rejects.toThrow("the thread that made the call has ended");
    expect(await store.listGroupMembers(slow)).toMatchObject({ total: size + 1 });
    expect(threads).toHaveLength(2);
  });

  it("fail where a thread cannot be given what the host gave, and hold up no others", async () => {
    const store = openSqliteStore({ path: join(temporaryFolder(), "im.db") });
    onTestFinished(() => store.close());
    const users = Array.from({ length: 1_500 }, (_, index) => ({ userID: `u${index}`, describe() {} }));
    await expect(store.remove({ users })).rejects.toThrow("could not be cloned");
    await store.put({ users: [{ userID: "u1", appMangerLevel: 3 }] });
    expect(await store.listNotificationAccounts({ keyword: "", ...page })).toMatchObject({ total: 1 });
  });

  it("of one administrator hold up neither another's nor the same one's pages", async () => {
    const store = opened();
    const order: string[] = [];
    const ask = async (adminUserID: string, what: string, query: object) => {
      await store.listGroupMembers({ ...slow, ...query }, { adminUserID });
      order.push(`${what} of ${adminUserID}`);
    };
    const searches = Array.from({ length: 50 }, () => ask("ann", "search", {}));
    const page = { keyword: "", limit: 1_000 };
    await Promise.all([ask("bob", "search", {}), ask("bob", "page", page), ask("ann", "page", page), ...searches]);
    expect(order.slice(0, 5)).toEqual([
      "search of ann",
      "search of ann",
      "search of bob",
      "page of bob",
      "page of ann",
    ]);
  });

  it("are refused at once where too many wait, to the caller with the most of them", async () => {
    const store = opened();
    const searches = Array.from({ length: 1_100 }, () => store.listGroupMembers(slow, { adminUserID: "ann" }));
    const outcomes = Promise.allSettled(searches);
    expect(await store.listGroupMembers(slow, { adminUserID: "bob" })).toMatchObject({ total: size + 1 });
    await store.close();
    const refused = (await outcomes).flatMap((outcome) => (outcome.status === "rejected" ? [`${outcome.reason}`] : []));
    const tooMany = "Error: 1000 heavy calls are waiting for the store's threads already";
    expect(refused.filter((reason) => reason === tooMany).length).toBeGreaterThanOrEqual(90);
  });

  it("are pages of a list whose items are long, also the first one where it has many", async () => {
    const store = openSqliteStore({ path: join(temporaryFolder(), "im.db") });
    onTestFinished(() => store.close());
    const ex = "界".repeat(20_000);
    const userIDs = Array.from({ length: 21 }, (_, index) => `u${index}`);
    const blacks = userIDs.map((blackUserID) => ({ ownerUserID: "u0", blackUserID, ex }));
    const groupMembers = userIDs.slice(1).map((userID) => ({ groupID: "g", userID, ex }));
    await store.put({ users: [{ userID: "u0" }], groups: [{ groupID: "g" }], blacks, groupMembers });
    const sent = vi.spyOn(Worker.prototype, "postMessage");
    onTestFinished(() => void vi.restoreAllMocks());
    expect(await store.listBlacks({ ownerUserID: "u0", offset: 0, limit: 21 })).toMatchObject({ total: 21 });
    expect(sent).toHaveBeenCalledTimes(1);
    const query = { groupID: "g", keyword: "", ...page };
    const first = await store.listGroupMembers(query);
    expect(sent).toHaveBeenCalledTimes(1);
    expect(await store.listGroupMembers(query)).toEqual(first);
    expect(sent).toHaveBeenCalledTimes(2);
    expect(first?.items[19]?.ex).toBe(ex);
    // A page of fewer items says nothing of longer ones.
    await store.listGroupMembers({ ...query, limit: 1 });
    await store.listGroupMembers(query);
    expect(sent).toHaveBeenCalledTimes(3);
  });
});

it("a heavy read comes past heavy writes that wait for another program's lock", async () => {
  const store = opened();
  const other = new BetterSqlite3(path);
  onTestFinished(() => void other.close());
  other.exec("BEGIN IMMEDIATE");
  const order: string[] = [];
  const userIDs = Array.from({ length: 500 }, (_, index) => `u${1_000 + index}`);
  const change = { ...conversation, userIDs, userID: "", fields: { isPinned: true } };
  const writes: Promise<unknown>[] = [];
  await new Promise<void>((begun) => {
    writes.push(store.setConversations(change, { operationID: "", begun }).then(() => order.push("set")));
    writes.push(store.put({ groupMembers: members("small", 2_000) }).then(() => order.push("put")));
  });
  await store.listGroupMembers(slow);
  order.push("read");
  other.exec("ROLLBACK");
  await Promise.all(writes);
  expect(order).toEqual(["read", "set", "put"]);
});

describe("light writes", () => {
  it("leave the thread of the caller to others after 10 ms", async () => {
    const store = opened();
    let now = performance.now();
    vi.spyOn(performance, "now").mockImplementation(() => {
      now += 6;
      return now;
    });
    onTestFinished(() => void vi.restoreAllMocks());
    const order: string[] = [];
    const write = async () => {
      await store.put({ users: [{ userID: "u1" }] });
      order.push("write");
    };
    setImmediate(() => order.push("other"));
    await Promise.all([write(), write(), write(), write()]);
    expect(order).toEqual(["write", "write", "other", "write", "write"]);
  });
});

describe("a call that is given up", () => {
  const pagination = { pageNumber: 1, showNumber: 20 };
  const failure = { errCode: 500, errMsg: "ServerInternalError", errDlt: "500 ServerInternalError" };
  const pinned = { ...conversation, isPinned: true };

  it("ends while a thread reads for it, and while it waits for one", async () => {
    const store = opened();
    const errors: unknown[] = [];
    const observer = { onError: ({ error }: { error: unknown }) => errors.push(error) };
    const [first, second] = [new AbortController(), new AbortController()];
    const ask = ({ signal }: AbortController) =>
      getGroupMemberList(store, { groupID: "large", keyword: "nn", pagination }, { signal, observer });
    const [reading, waiting, kept] = [ask(first), ask(second), ask(new AbortController())];
    second.abort(new Error("no longer needed"));
    expect(await waiting).toEqual(failure);
    first.abort(new Error("too slow"));
    expect(await reading).toEqual(failure);
    expect(await kept).toMatchObject({ errCode: 0, data: { total: size + 1 } });
    expect(errors.map(String)).toEqual(["Error: no longer needed", "Error: too slow"]);
  });

  it("leaves no file open, whenever it is given up", async () => {
    const random = randomOf(seed);
    const openFiles = () => readdirSync("/dev/fd").length;
    const store = openSqliteStore({ path, threads: 1 });
    const before = openFiles();
    for (let round = 0; round < Math.max(20, rounds(200)); round++) {
      const signal = AbortSignal.timeout(Math.floor(100 * random()));
      const call = { operationID: "", signal };
      await store.listGroupMembers({ groupID: "large", keyword: "nn", ...page }, call).catch(() => {});
    }
    await store.close();
    expect(openFiles()).toBeLessThanOrEqual(before);
  });

  it("is not begun where it is given up before", async () => {
    const errors: unknown[] = [];
    const options = {
      signal: AbortSignal.abort(new Error("never mind")),
      observer: { onError: (report: unknown) => errors.push(report) },
    };
    const store = opened();
    expect(await setConversations(store, { userIDs: ["u1"], conversation: pinned }, options)).toEqual(failure);
    expect(await store.conversations("u1")).toEqual([]);
    expect(errors).toHaveLength(1);
  });

  it("leaves the queue of writes unwritten", async () => {
    const store = opened();
    const controller = new AbortController();
    const put = store.put({ groupMembers: members("small", 3_000) });
    const options = { signal: controller.signal, observer: { onError() {} } };
    const waiting = setConversations(store, { userIDs: ["u1"], conversation: pinned }, options);
    controller.abort();
    expect(await waiting).toEqual(failure);
    await put;
    expect(await store.conversations("u1")).toEqual([]);
  });

  it("is answered with its outcome if it has begun to write", async () => {
    const store = opened();
    const controller = new AbortController();
    const userIDs = Array.from({ length: 1_000 }, (_, index) => `u${index}`);
    const threads = startedThreads();
    const written = setConversations(store, { userIDs, conversation: pinned }, { signal: controller.signal });
    await expect.poll(() => threads.length).toBe(1);
    controller.abort();
    expect(await written).toEqual({ errCode: 0, errMsg: "", errDlt: "", data: null });
    expect(await store.conversations("u999")).toMatchObject([{ conversationID: "c1", isPinned: true }]);
  });
});

describe("a put from an iterator", () => {
  const everybody = { groupID: "g1", keyword: "", ...page };

  function fresh(path = join(temporaryFolder(), "im.db")): BundledStore {
    const store = openSqliteStore({ path });
    onTestFinished(() => store.close());
    return store;
  }

  it("lets others have their turn while it goes on", async () => {
    const store = fresh();
    let turns = 0;
    let isOver = false;
    const put = store.put({ groupMembers: members("g1") }).then(() => {
      isOver = true;
    });
    while (!isOver) {
      await new Promise((resolve) => setImmediate(resolve));
      turns += 1;
    }
    await put;
    // It is sent in 50 parts.
    expect(turns).toBeGreaterThan(20);
    await store.put({ groups: [{ groupID: "g1" }] });
    expect(await store.listGroupMembers(everybody)).toMatchObject({ total: size });
  });

  it("writes nothing where the iteration fails, and says why", async () => {
    const store = fresh();
    let isClosed = false;
    function* failing() {
      try {
        yield* members("g1", 5_000);
        throw new Error("the source is gone");
      } finally {
        isClosed = true;
      }
    }
    await store.put({ groups: [{ groupID: "g1" }] });
    await expect(store.put({ groupMembers: failing() })).rejects.toThrow("the source is gone");
    await expect(store.put({ groupMembers: [...members("g1", 1_500), { groupID: "g1" }] as never })).rejects.toThrow(
      "groupMembers[1500].userID must be",
    );
    expect(isClosed).toBe(true);
    expect(await store.listGroupMembers(everybody)).toMatchObject({ total: 0 });
  });

  it("may come from a generator that asks the same store", async () => {
    const store = fresh();
    await store.put({ groups: [{ groupID: "g1" }] });
    const totals: Promise<unknown>[] = [];
    function* asking() {
      for (const member of members("g1", 1_000)) {
        if (member.joinTime % 250 === 0) totals.push(store.listGroupMembers(everybody));
        yield member;
      }
    }
    await store.put({ groupMembers: asking() });
    expect(await Promise.all(totals)).toHaveLength(4);
    expect(await store.listGroupMembers(everybody)).toMatchObject({ total: 1_000 });
  });

  it("comes before writes that were asked for after it, and close() waits for both", async () => {
    const path = join(temporaryFolder(), "im.db");
    const store = openSqliteStore({ path });
    const put = store.put({ users: members("g1", 3_000) as never });
    const after = store.put({ users: [{ userID: "u7", nickname: "Last" }] });
    await store.close();
    await Promise.all([put, after]);
    const again = fresh(path);
    await again.put({ users: [{ userID: "u7", appMangerLevel: 3, nickname: "Last" }] });
    expect(await again.listNotificationAccounts({ keyword: "", ...page })).toMatchObject({ total: 1 });
  });
});

describe("a program that uses the store", () => {
  const program = (from: string) => `
    import { openSqliteStore } from "${from}";
    let threads = 0;
    process.on("worker", () => { threads += 1; });
    const store = openSqliteStore({ path: process.argv[2] });
    const { total } = await store.listGroupMembers({ groupID: "large", keyword: "nn", offset: 0, limit: 20 });
    await openSqliteStore({ path: process.argv[2] }).close();
    console.log(JSON.stringify({ total, threads }));`;

  function run(file: string) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [file, path], { encoding: "utf8" });
    return { status, stdout, stderr: stderr.replace(/\(node:\d+\) /, "").replace(/\(Use .*\n/, "") };
  }

  it("ends by itself although it does not close it", () => {
    const folder = mkdtempSync(join(root, ".lane-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "program.mjs");
    writeFileSync(file, program("im-admin/sqlite"));
    expect(run(file)).toEqual({ status: 0, stdout: `{"total":${size + 1},"threads":1}\n`, stderr: "" });
  });

  async function bundled(folder: string): Promise<string> {
    const outfile = join(folder, "bundle.mjs");
    await build({
      stdin: { contents: program("im-admin/sqlite"), resolveDir: root },
      bundle: true,
      platform: "node",
      format: "esm",
      external: ["better-sqlite3"],
      outfile,
    });
    return outfile;
  }

  it("has threads in a bundle, where im-admin is installed beside it", async () => {
    const folder = temporaryFolder();
    const file = await bundled(folder);
    const packages = join(folder, "node_modules");
    mkdirSync(packages);
    symlinkSync(root, join(packages, "im-admin"));
    symlinkSync(join(root, "node_modules/better-sqlite3"), join(packages, "better-sqlite3"));
    expect(run(file)).toEqual({ status: 0, stdout: `{"total":${size + 1},"threads":1}\n`, stderr: "" });
  });

  it("says once that it has none in a bundle where it is not, and works", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(join(root, "node_modules/better-sqlite3"), join(folder, "node_modules/better-sqlite3"));
    const { status, stdout, stderr } = run(await bundled(folder));
    expect({ status, stdout }).toEqual({ status: 0, stdout: `{"total":${size + 1},"threads":0}\n` });
    expect(stderr).toBe(
      "[IM_ADMIN_NO_THREADS] Warning: im-admin does not find laneThread.js, and makes heavy calls on the thread of the caller: install im-admin where the program runs, or set threads to 0\n",
    );
  });
});

it("has threads in a program that is given as a text", () => {
  const program = `
    import { openSqliteStore } from "im-admin/sqlite";
    const store = openSqliteStore({ path: ${JSON.stringify(join(temporaryFolder(), "im.db"))} });
    await store.put({ users: Array.from({ length: 101 }, (_, index) => ({ userID: "u" + index })) });
    await store.close();`;
  const { stderr, status } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], { cwd: root });
  expect([String(stderr), status]).toEqual(["", 0]);
});

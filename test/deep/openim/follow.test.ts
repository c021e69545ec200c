import Database from "better-sqlite3";
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { type FollowProgress, followOpenIm } from "../../../src/openim/index.js";
import { recordFields, recordNames } from "../../../src/records.js";
import type { BundledStore } from "../../../src/stores/bundledStore.js";
import { openSqliteStore } from "../../../src/stores/drivers/sqlite.js";
import { followingOf } from "../../../src/stores/following.js";
import { createPostgresStore, migratePostgres } from "../../../src/stores/postgres/index.js";
import { schemaName } from "../../../src/stores/postgres/names.js";
import { checkLists as checkPostgres } from "../../../src/stores/postgres/upkeep/checkAll.js";
import { snakeCase } from "../../../src/stores/snakeCase.js";
import { everyRecord } from "../../../src/stores/sqlite/records/read.js";
import { noteImport } from "../../../src/stores/sqlite/schema/lastImport.js";
import { defaultSizes } from "../../../src/stores/sqlite/schema/sizes.js";
import { checkLists } from "../../../src/stores/sqlite/upkeep/checkAll.js";
import { randomOf, rounds, seed } from "../../helpers/chance.js";
import { type Document, type Faults, MongoLog, mongoError } from "../../helpers/openim/mongoLog.mjs";
import { type AllRecords, byKeys, importedRecords, RandomOpenim } from "../../helpers/openim/randomOpenim.js";
import { postgresForFile } from "../../helpers/postgres/server.js";
import { openSqliteDatabase, temporaryFolder } from "../../helpers/stores.js";

/** A database that follows. */
interface Copy {
  store: BundledStore;
  records(): Promise<AllRecords>;
  /** What is wrong with its lists. */
  findings(): Promise<readonly object[]>;
  /** Lets the statement fail that comes after so many others, until the result is called. */
  failAfter(statements: number): () => void;
}

const server = postgresForFile((pool) => migratePostgres(pool));

async function newFile(): Promise<Copy & { noteImport(): Promise<void> }> {
  const path = `${temporaryFolder()}/im.db`;
  const store = openSqliteStore({ path });
  const database = openSqliteDatabase({ path });
  onTestFinished(async () => {
    await database.close();
    await store.close();
  });
  return {
    store,
    async records() {
      const found: Record<string, object[]> = {};
      for (const name of recordNames) {
        found[name] = [];
        for await (const some of everyRecord(database, name, 1000)) found[name].push(...some);
      }
      return byKeys(found);
    },
    noteImport: () => noteImport(database),
    findings: () => checkLists(database, defaultSizes, () => {}),
    failAfter(statements) {
      const statement = Object.getPrototypeOf(new Database(":memory:").prepare("SELECT 1"));
      return failAfter(statements, statement, ["run", "all"]);
    },
  };
}

async function newSchema(): Promise<Copy> {
  const { pool } = server;
  const schema = `s${Math.random().toString(36).slice(2)}`;
  await migratePostgres(pool, { schema });
  return {
    store: createPostgresStore({ pool, schema }),
    async records() {
      const found: Record<string, object[]> = {};
      for (const name of recordNames) {
        const fields = recordFields[name].map(([field]) => `${snakeCase(field)} AS "${field}"`);
        const { rows } = await pool.query(
          `SELECT row_to_json(r) AS r FROM (SELECT ${fields} FROM ${schema}.${snakeCase(name)}) r`,
        );
        found[name] = rows.map(({ r }) => r);
      }
      return byKeys(found);
    },
    findings: () => checkPostgres(pool, schemaName(schema), () => {}),
    failAfter: (statements) => failAfter(statements, pg.Client.prototype, ["query"]),
  };
}

const copies = { SQLite: newFile, PostgreSQL: newSchema };

/** Lets a call of methods fail that comes after so many others. */
function failAfter(calls: number, owner: object, methods: readonly string[]): () => void {
  const owned = owner as Record<string, (...given: unknown[]) => unknown>;
  const originals = methods.map((method) => [method, owned[method]] as const);
  let left = calls;
  for (const [method, original] of originals) {
    owned[method] = function (this: unknown, ...given: unknown[]) {
      left -= 1;
      if (left === -1) throw new Error("the disk is full");
      return original?.apply(this, given);
    };
  }
  return () => Object.assign(owner, Object.fromEntries(originals));
}

/** Follows until the result is called. */
function follow(store: BundledStore, log: MongoLog, faults?: Faults, yes = false) {
  const end = new AbortController();
  const told: FollowProgress[] = [];
  const following = followOpenIm({
    client: () => log.client(faults),
    store,
    signal: end.signal,
    onChange: (progress) => told.push(progress),
    yes,
  });
  const stop = async () => {
    end.abort();
    await following;
  };
  onTestFinished(async () => {
    end.abort();
    await following.catch(() => {});
  });
  return { stop, told, following };
}

function newLog(): MongoLog {
  return new MongoLog(`${temporaryFolder()}/log`);
}

it("lets MongoDB send 1,000 documents at a time, since its driver keeps all of them", async () => {
  const log = newLog();
  log.insert("user", { _id: 1, user_id: "u1" });
  const asked: unknown[] = [];
  follow((await newFile()).store, log, {
    failing(what, options) {
      if (options !== undefined) asked.push([what, options.batchSize]);
    },
  });
  // The first stream only tells the place from which to follow.
  await expect
    .poll(() => asked)
    .toEqual([
      ["watch", undefined],
      ["find", 1_000],
      ["watch", 1_000],
    ]);
});

describe.each(Object.entries(copies))("in %s", (_name, newCopy) => {
  it("has what a whole import has, whenever it was stopped", async () => {
    const log = newLog();
    const openim = new RandomOpenim(log, randomOf(seed));
    openim.write(100);
    const copy = await newCopy();
    for (let round = 0; round < rounds(100); round += 1) {
      const { stop, told } = follow(copy.store, log);
      // Some are stopped within a copy, and most while they follow.
      const isFollowing = () => told.some(({ copies, changes }) => copies + changes > 0);
      if (round % 4 < 3) await expect.poll(isFollowing, { interval: 5 }).toBe(true);
      openim.write(100);
      await new Promise((resolve) => setTimeout(resolve, 5 * (round % 8)));
      await stop();
      openim.write(100);
    }
    follow(copy.store, log);
    await expect.poll(copy.records).toEqual(importedRecords((coll) => log.documents(coll)));
    expect(await copy.findings()).toEqual([]);
  });

  it("loses nothing, whichever statement fails", async () => {
    const log = newLog();
    const copy = await newCopy();
    log.insert("user", { _id: 1, user_id: "u1" });
    const first = follow(copy.store, log);
    await expect.poll(() => first.told.at(-1)?.copies).toBe(1);
    await first.stop();
    for (let statement = 0, isOver = false; !isOver; statement += 1) {
      log.write([
        { operationType: "delete", ns: { coll: "user" }, documentKey: { _id: statement + 1 } },
        insertion("user", { _id: statement + 2, user_id: `u${statement + 2}` }),
        insertion("group", { _id: statement + 2, group_id: `g${statement + 2}` }),
      ]);
      let restore = () => {};
      const failing = follow(copy.store, log, {
        failing(what) {
          if (what === "watch") restore = copy.failAfter(statement);
        },
      });
      await expect
        .poll(() => failing.told.some(({ failure, changes }) => failure !== undefined || changes > 0))
        .toBe(true);
      isOver = failing.told.every(({ failure }) => failure === undefined);
      restore();
      await failing.stop();
      const mended = follow(copy.store, log);
      await expect.poll(copy.records).toEqual(importedRecords((coll) => log.documents(coll)));
      await mended.stop();
    }
  });
});

describe.each(Object.entries(copies))("in %s", (_name, newCopy) => {
  it("is no newer than it is, when a clock that was wrong is right again", async () => {
    const log = newLog();
    const { store } = await newCopy();
    log.insert("user", user(1));
    const first = follow(store, log);
    await expect.poll(() => first.told.at(-1)?.copies).toBe(1);
    await first.stop();
    const copy = followingOf(store);
    const token = (await copy?.place())?.token ?? "";
    await copy?.apply(new Map(), { from: token, to: token, time: Date.now() + 3_600_000 });
    const { told } = follow(store, log);
    log.insert("user", user(2));
    await expect.poll(() => told.at(-1)?.changes).toBe(1);
    const now = Date.now();
    expect(told.at(-1)?.heardAt).toBeLessThanOrEqual(now);
    expect((await copy?.place())?.time).toBeLessThanOrEqual(now);
  });
});

describe.each(Object.entries(copies))("in %s", (_name, newCopy) => {
  it("shows the document with the greatest _id of several with one key, whether copied or followed", async () => {
    const log = newLog();
    const named = (_id: unknown, user_id: unknown, nickname: string): Document => ({ _id, user_id, nickname });
    log.insert("user", named("b", 5, "number"));
    log.insert("user", named("a", "5", "text"));
    for (const number of [6, 7, 8]) log.insert("user", named(`a${number}`, `${number}`, "only"));
    const { store, records, findings } = await newCopy();
    const nicknames = async () => Object.values((await records()).users).map((one) => (one as Document)["nickname"]);
    const { told } = follow(store, log);
    await expect.poll(() => told.at(-1)).toMatchObject({ copies: 1, passedOver: 1, lastPassedOver: 'string "a"' });
    expect(await nicknames()).toEqual(["number", "only", "only", "only"]);
    log.update("user", named("a", "5", "text, changed"));
    log.insert("user", named("c", "6", "greater"));
    await expect.poll(() => told.at(-1)).toMatchObject({ changes: 2, copies: 1, passedOver: 2 });
    expect(await nicknames()).toEqual(["number", "greater", "only", "only"]);
    // The greater one goes: what is known of the other one is its key.
    log.delete("user", "b");
    await expect.poll(nicknames).toEqual(["text, changed", "greater", "only", "only"]);
    log.update("user", named("c", "66", "greater"));
    await expect
      .poll(async () => (await nicknames()).toSorted())
      .toEqual(["greater", "only", "only", "only", "text, changed"]);
    await expect.poll(() => told.at(-1)).toMatchObject({ copies: 3 });
    expect(await findings()).toEqual([]);
  });
});

it("takes no empty database for OpenIM's", async () => {
  const log = newLog();
  const { store } = await newFile();
  const { told } = follow(store, log);
  await expect
    .poll(() => told.at(-1)?.failure)
    .toBe(
      "this database has no records of OpenIM: does MongoDB's URL end with the name of OpenIM's database? If OpenIM " +
        "has no user yet, wait, or let im-admin follow once with --yes",
    );
  expect([told.at(-1)?.heardAt, (await followingOf(store)?.place())?.time]).toEqual([undefined, undefined]);
  log.insert("user", user(1));
  await expect.poll(() => told.at(-1)).toMatchObject({ copies: 1, failure: undefined });
});

/** A copy in a file that follows users u1 to u50. */
async function followUsers(faults: Faults = {}, yes = false) {
  const log = newLog();
  for (let number = 1; number <= 50; number += 1) log.insert("user", user(number));
  const { store, records, noteImport } = await newFile();
  const { stop, told, following } = follow(store, log, faults, yes);
  await expect.poll(() => told.at(-1)?.copies).toBe(1);
  const users = async () => Object.keys((await records()).users).length;
  return { log, store, records, noteImport, users, stop, told, following };
}

const user = (number: number): Document => ({ _id: number, user_id: `u${number}`, app_manger_level: 3 });

it("tells how much of a copy is read", async () => {
  const log = newLog();
  const numbers = Array.from({ length: 2_100 }, (_, index) => index + 1);
  log.write(numbers.map((number) => insertion("user", user(number))));
  log.insert("group", { _id: 1, group_id: "g1" });
  const { store } = await newFile();
  const { told } = follow(store, log);
  await expect.poll(() => told.at(-1)?.copies).toBe(1);
  const copying = told.filter(({ isCopying }) => isCopying).map(({ copied, toCopy }) => [copied, toCopy]);
  expect(copying).toEqual([
    [0, 0],
    [0, 2_101],
    [1_000, 2_101],
    [2_000, 2_101],
  ]);
  expect(told.at(-1)).toMatchObject({ copied: 2_101, toCopy: 2_101 });
});

it("copies again when MongoDB has lost its history, and answers lists meanwhile", async () => {
  const faults: Faults = {};
  const { log, store, users, stop } = await followUsers(faults);
  await stop();
  log.insert("user", user(51));
  log.delete("user", 1);
  log.delete("user", 2);
  faults.oldest = 52;
  const totals = new Set<number>();
  faults.failing = async (what) => {
    if (what !== "find") return;
    const page = await store.listNotificationAccounts({ keyword: "", offset: 0, limit: 1 });
    totals.add(page.total);
  };
  const { told } = follow(store, log, faults);
  await expect.poll(users).toBe(49);
  await expect.poll(() => told.at(-1)).toMatchObject({ copies: 1, isCopying: false, failure: undefined });
  expect(told.map(({ failure }) => failure)).toContain(
    "MongoDB cannot tell what has changed since (MongoServerError 286)",
  );
  expect([...totals]).toEqual([50]);
});

it("keeps what it has when a collection is dropped, and tries again", async () => {
  const { log, users, told } = await followUsers();
  log.drop("user");
  const refusal = "50 of 50 users would be removed: if that is right, let im-admin follow once with --yes";
  await expect.poll(() => told.map(({ failure }) => failure)).toContain(refusal);
  expect(await users()).toBe(50);
  for (let number = 5; number <= 50; number += 1) log.insert("user", user(number));
  await expect.poll(users).toBe(46);
  await expect.poll(() => told.at(-1)).toMatchObject({ copies: 2, failure: undefined });
});

it("empties the copy of a dropped collection if it may", async () => {
  const { log, users, told } = await followUsers({}, true);
  log.drop("user");
  await expect.poll(users).toBe(0);
  await expect.poll(() => told.at(-1)?.copies).toBe(2);
});

it("applies the changes of a transaction together, however many there are", async () => {
  const { log, told } = await followUsers();
  const users = Array.from({ length: 450 }, (_, index) => insertion("user", user(100 + index)));
  log.write(users, 1);
  log.insert("user", user(99));
  await expect.poll(() => told.at(-1)?.changes).toBe(451);
  const applied = new Set(told.map(({ changes }) => changes));
  expect([...applied].filter((changes) => changes > 0 && changes < 450)).toEqual([]);
});

it("mends what no database can hold, and leaves out what has no key", async () => {
  const { log, records, told } = await followUsers();
  log.insert("user", { _id: 60, user_id: "u60", nickname: "a\0b", app_manger_level: 2 ** 40 });
  log.insert("user", { _id: 61, nickname: "nobody" });
  log.update("user", { _id: 50, nickname: "somebody who has lost the key" });
  await expect.poll(() => told.at(-1)).toMatchObject({ changes: 3, mended: 2, leftOut: 2 });
  const { users } = await records();
  expect(users["u60"]).toMatchObject({ nickname: "a\ufffdb", appMangerLevel: 2_147_483_647 });
  expect(Object.keys(users)).toHaveLength(50);
});

it("follows documents that exchange their keys", async () => {
  const { log, records, told } = await followUsers();
  log.write([
    { ...insertion("user", { ...user(1), user_id: "u2" }), operationType: "replace" },
    { ...insertion("user", { ...user(2), user_id: "u1", nickname: "second" }), operationType: "replace" },
  ]);
  log.delete("user", 1);
  await expect.poll(() => told.at(-1)?.changes).toBe(3);
  const { users } = await records();
  expect(users["u1"]).toMatchObject({ nickname: "second" });
  expect(users["u2"]).toBeUndefined();
});

it("keeps a record whose key another document had before, however late that is deleted", async () => {
  const { log, store, records, stop } = await followUsers();
  await stop();
  log.update("user", { ...user(1), user_id: "moved" });
  log.insert("user", { ...user(60), user_id: "u1", nickname: "second" });
  for (let number = 100; number < 400; number += 1) log.insert("user", user(number));
  log.delete("user", 1);
  const { told } = follow(store, log);
  await expect.poll(() => told.at(-1)?.changes).toBe(303);
  const { users } = await records();
  expect(users["u1"]).toMatchObject({ nickname: "second" });
  expect(users["moved"]).toBeUndefined();
});

it("copies again after an import, which knows nothing of the changes", async () => {
  const { log, store, noteImport, users, told } = await followUsers();
  await store.remove({ users: [{ userID: "u1" }, { userID: "u2" }] });
  await noteImport();
  log.insert("user", user(51));
  await expect.poll(users).toBe(51);
  expect(told.map(({ failure }) => failure)).toContain(
    "another process has written to the copy: only one may follow, and no import may run beside it",
  );
});

it("ends with a sentence if MongoDB is no replica set, or refuses the user, and tells no secret", async () => {
  const { store } = await newFile();
  const failing = (code: number) => ({
    failing() {
      throw mongoError("refused", code);
    },
  });
  await expect(follow(store, newLog(), failing(40573)).following).rejects.toThrow(
    /^this MongoDB is no replica set, and only a replica set tells of changes: start mongod with --replSet/,
  );
  await expect(follow(store, newLog(), failing(13)).following).rejects.toThrow(
    /^MongoDB gives this user no right .*: give it the role read there$/,
  );
  const unreachable = follow(store, newLog(), failing(6));
  await expect.poll(() => unreachable.told.at(-1)?.failure).toBe("MongoDB cannot be read (MongoServerError 6)");
});

it("goes on with another client when MongoDB is no replica set for a while, and closes the one before", async () => {
  const log = newLog();
  log.insert("user", user(1));
  const { store, records } = await newFile();
  const end = new AbortController();
  const told: FollowProgress[] = [];
  const clients: { isClosed: boolean }[] = [];
  let isAlone = false;
  const failing = () => {
    if (isAlone) throw mongoError("refused", 40573);
  };
  const following = followOpenIm({
    client() {
      const client = { ...log.client({ failing }), isClosed: false };
      client.close = async () => {
        client.isClosed = true;
      };
      clients.push(client);
      return client;
    },
    store,
    signal: end.signal,
    onChange: (progress) => told.push(progress),
  });
  const users = async () => Object.keys((await records()).users).length;
  await expect.poll(users).toBe(1);
  isAlone = true;
  const sentence = "MongoDB is no replica set now, and tells of no changes: it runs alone, as for maintenance";
  await expect.poll(() => told.at(-1)?.failure ?? "").toContain(sentence);
  isAlone = false;
  log.insert("user", user(2));
  await expect.poll(users).toBe(2);
  await expect.poll(() => told.at(-1)).toMatchObject({ copies: 1, failure: undefined });
  end.abort();
  await following;
  expect(clients.length).toBeGreaterThan(1);
  expect(clients.filter(({ isClosed }) => !isClosed)).toEqual([]);
});

it("follows with a client of the host, which it leaves open, and goes on after a failure", async () => {
  const log = newLog();
  log.insert("user", user(1));
  const { store, records } = await newFile();
  const end = new AbortController();
  let isFailing = false;
  let isClosed = false;
  const failing = () => {
    if (isFailing) throw mongoError("not primary", 10107);
  };
  const client = log.client({ failing });
  client.close = async () => {
    isClosed = true;
  };
  const told: FollowProgress[] = [];
  const onChange = (progress: FollowProgress) => void told.push(progress);
  const following = followOpenIm({ client, store, signal: end.signal, onChange });
  const users = async () => Object.keys((await records()).users).length;
  await expect.poll(users).toBe(1);
  isFailing = true;
  await expect.poll(() => told.at(-1)?.failure).toBeDefined();
  isFailing = false;
  log.insert("user", user(2));
  await expect.poll(users).toBe(2);
  end.abort();
  await following;
  expect(isClosed).toBe(false);
});

it("goes on whatever its callback does", async () => {
  const log = newLog();
  const { store, records } = await newFile();
  const end = new AbortController();
  let calls = 0;
  const onChange = () => {
    calls += 1;
    if (calls % 2 === 0) return Promise.reject(new Error("nobody listens"));
    throw new Error("nobody listens");
  };
  const following = followOpenIm({ client: () => log.client(), store, signal: end.signal, onChange });
  log.insert("user", user(1));
  await expect.poll(async () => Object.keys((await records()).users)).toHaveLength(1);
  end.abort();
  await following;
  expect(calls).toBeGreaterThan(2);
});

it("refuses what it cannot follow with", async () => {
  const { store } = await newFile();
  const client = () => newLog().client();
  const noClient = "client must be a MongoClient of the package mongodb, or a function that makes one";
  await expect(followOpenIm({ client: {} as never, store })).rejects.toThrow(new TypeError(noClient));
  await expect(followOpenIm({ client: () => ({}) as never, store })).rejects.toThrow(noClient);
  await expect(followOpenIm({ client, store: {} as never })).rejects.toThrow(
    new TypeError("store must be a store of im-admin in a file or in PostgreSQL"),
  );
  await expect(followOpenIm({ client, store, yes: "no" as never })).rejects.toThrow(
    new TypeError("yes must be true or false"),
  );
});

function insertion(coll: string, document: Document) {
  return { operationType: "insert", ns: { coll }, documentKey: { _id: document._id }, fullDocument: document };
}

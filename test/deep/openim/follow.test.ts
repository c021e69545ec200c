import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { EJSON } from "bson";
import type { ClientSession, Db, WithId } from "mongodb";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { type FollowProgress, followOpenIm, type OpenimClient } from "../../../src/openim/index.js";
import { type RecordName, recordFields, recordNames } from "../../../src/records.js";
import { openSqliteStore } from "../../../src/stores/drivers/sqlite.js";
import { snakeCase } from "../../../src/stores/snakeCase.js";
import { randomOf, rounds, seed } from "../../helpers/chance.js";
import { type LoggedChange, MongoLog } from "../../helpers/openim/mongoLog.mjs";
import { type AllRecords, byKeys, importedRecords, RandomOpenim } from "../../helpers/openim/randomOpenim.js";
import { startPostgres } from "../../helpers/postgres/server.js";
import { temporaryFolder } from "../../helpers/stores.js";
import { withChanges } from "./changesOfOplog.mjs";
import { startMongo } from "./standIn.js";

const isStandIn = process.env["MONGODB"] === "stand-in";
const follower = fileURLToPath(new URL("follower.mjs", import.meta.url));
const changesOfRound = 200;

let mongo: Awaited<ReturnType<typeof startMongo>>;
beforeAll(async () => {
  mongo = await startMongo();
});
afterAll(() => mongo.stop());

/** An empty database of OpenIM, which is dropped when the test is over. Random changes are made by the result. */
async function newOpenim() {
  // The stand-in speaks an older protocol than version 7 of the driver.
  const driver = (await import(String(isStandIn ? "mongodb-6" : "mongodb"))) as typeof import("mongodb");
  const name = `im_admin_test_${Math.random().toString(36).slice(2)}`;
  const client = await driver.MongoClient.connect(mongo.uri);
  const database = client.db(name);
  onTestFinished(async () => {
    await database.dropDatabase();
    await client.close();
  });
  const log = new MongoLog(`${temporaryFolder()}/log`);
  const random = new RandomOpenim(log, randomOf(seed));
  let made = 0;
  async function write(changes: number): Promise<void> {
    random.write(changes);
    while (made < log.changes.length) {
      const { txnNumber } = log.changes[made] as LoggedChange;
      const together = log.changes.slice(made).findIndex((change) => change.txnNumber !== txnNumber);
      const count = txnNumber === undefined || together < 0 ? 1 : together;
      // The driver takes IDs of its own version of BSON only.
      const changes = log.changes
        .slice(made, made + count)
        .map((change) => driver.BSON.EJSON.parse(EJSON.stringify(change)) as LoggedChange);
      // The stand-in has no transactions.
      if (count === 1 || isStandIn) for (const change of changes) await make(database, change);
      else
        await client.withSession((session) =>
          session.withTransaction(async () => {
            for (const change of changes) await make(database, change, { session });
          }),
        );
      made += count;
    }
  }
  return { name, client, database, write, expected: () => importedRecords((coll) => log.documents(coll)) };
}

async function make(
  database: Db,
  { operationType, ns, documentKey, fullDocument }: LoggedChange,
  options: { session?: ClientSession } = {},
) {
  const collection = database.collection(ns?.coll ?? "");
  const { _id } = documentKey as WithId<object>;
  if (operationType === "insert") await collection.insertOne({ ...fullDocument }, options);
  else if (operationType === "delete") await collection.deleteOne({ _id }, options);
  else await collection.replaceOne({ _id }, { ...fullDocument }, options);
}

/** Starts a process that follows, and kills it before so many statements, or when the result is called. */
function start(name: string, target: string, killAt: number) {
  const child: ChildProcess = spawn(process.execPath, [follower, mongo.uri, name, target], {
    env: { ...process.env, KILL_AT: String(killAt) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const told: FollowProgress[] = [];
  if (child.stdout) createInterface(child.stdout).on("line", (line) => told.push(JSON.parse(line)));
  const exited = once(child, "exit");
  const kill = async () => {
    child.kill("SIGKILL");
    await exited;
  };
  onTestFinished(kill);
  return { told, kill, exited };
}

interface Target {
  database: string;
  records(): Promise<AllRecords>;
}

function newFile(): Promise<Target> {
  const database = `${temporaryFolder()}/im.db`;
  openSqliteStore({ path: database }).close();
  const reader = new Database(database, { readonly: true });
  onTestFinished(() => void reader.close());
  const rows = (name: RecordName, fields: string) =>
    reader.prepare(`SELECT ${fields} FROM im_admin_${snakeCase(name)}`).all();
  return Promise.resolve({
    database,
    records: async () => recordsIn(async (name, fields) => rows(name, fields) as object[]),
  });
}

async function newSchema(): Promise<Target> {
  const { pool, url, stop } = await startPostgres();
  onTestFinished(stop);
  const rows = async (name: RecordName, fields: string) => {
    const { rows } = await pool.query(
      `SELECT row_to_json(r) AS r FROM (SELECT ${fields} FROM im_admin.${snakeCase(name)}) r`,
    );
    return rows.map(({ r }) => r as object);
  };
  return { database: url, records: () => recordsIn((name, fields) => rows(name, fields).catch(() => [])) };
}

async function recordsIn(rowsOf: (name: RecordName, fields: string) => Promise<object[]>): Promise<AllRecords> {
  const all: Partial<Record<RecordName, object[]>> = {};
  for (const name of recordNames) {
    const fields = recordFields[name];
    const rows = await rowsOf(name, fields.map(([field]) => `${snakeCase(field)} AS "${field}"`).join());
    // SQLite has no booleans.
    const flags = fields.filter(([, { name: kind }]) => kind === "flag").map(([field]) => field);
    all[name] = rows.map((row) => ({
      ...row,
      ...Object.fromEntries(flags.map((flag) => [flag, Boolean((row as Record<string, unknown>)[flag])])),
    }));
  }
  return byKeys(all);
}

it.each([
  ["SQLite", newFile],
  ["PostgreSQL", newSchema],
])("has what a whole import has after kills at any time, in %s", async (_name, newTarget) => {
  const { name, write, expected } = await newOpenim();
  const { database, records } = await newTarget();
  const random = randomOf(seed);
  await write(changesOfRound);
  const kills = rounds(50);
  for (let round = 0; round < kills; round += 1) {
    // Some end within a statement of a commit, and others at any time.
    const { kill, told, exited } = start(name, database, random() < 0.7 ? 1 + Math.floor(random() * 60) : 0);
    await write(changesOfRound / 2);
    await Promise.race([exited, expect.poll(() => told.length).toBeGreaterThan(0)]);
    await write(changesOfRound / 2);
    await kill();
  }
  start(name, database, 0);
  await expect.poll(records, { timeout: 60_000 }).toEqual(expected());
});

it("copies again when a collection was dropped", async () => {
  const { database, records, told } = await followInFile();
  await database.collection("user").drop();
  await expect.poll(async () => Object.keys((await records()).users)).toEqual([]);
  await database.collection("user").insertOne({ user_id: "new" });
  await expect.poll(async () => Object.keys((await records()).users)).toEqual(["new"]);
  expect(told.at(-1)?.copies).toBe(2);
});

it("notes its place while only other collections change, so that MongoDB does not forget it", async () => {
  const { database, path } = await followInFile();
  const file = new Database(path, { readonly: true });
  onTestFinished(() => void file.close());
  const place = () => file.prepare("SELECT token FROM im_admin_last_import").pluck().get();
  const before = place();
  await database.collection("msg").insertOne({ doc_id: "m" });
  await expect.poll(place).not.toBe(before);
});

/** Follows a database with some documents, in this process. */
async function followInFile() {
  const openim = await newOpenim();
  await openim.write(changesOfRound);
  const { database: path, records } = await newFile();
  const store = openSqliteStore({ path });
  const end = new AbortController();
  const told: FollowProgress[] = [];
  const { client: own, name } = openim;
  const client: OpenimClient = isStandIn
    ? withChanges(own, name)
    : { startSession: () => own.startSession(), db: (_name, options) => own.db(name, options) };
  const following = followOpenIm({
    client,
    store,
    yes: true,
    signal: end.signal,
    onChange: (progress) => told.push(progress),
  });
  onTestFinished(async () => {
    end.abort();
    await following;
    await store.close();
  });
  await expect.poll(records).toEqual(openim.expected());
  return { ...openim, path, records, told };
}

/** Tries whether a copy of a MongoDB stays right while documents change and the process that follows is killed. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { explained } from "../../../../src/openim/follow/failures.js";
import type { Store } from "../../../../src/store.js";
import type { DatabaseKind } from "../../databases/databaseKind.js";
import { print } from "../../print.js";
import { followInto } from "../followInto.js";
import { mongoClients } from "../mongoClient.js";
import { compareLists } from "./compare.js";
import { FollowerProcess } from "./followerProcess.js";
import { scratchName, scratchUrl, type TrialClient } from "./mongo.js";
import { markerID, Writes } from "./writes.js";

/** What was tried. */
export interface Trial {
  writes: number;
  transactions: number;
  kills: number;
  /** How many lists were compared with those of whole copies. */
  lists: number;
  /** Those that differed. */
  different: string[];
  /** How long it took until single writes were seen in the lists, in milliseconds, in ascending order. */
  lags: number[];
  /** The longest time until the lists had all writes again after a kill, in milliseconds. */
  longestReturn: number;
}

/** How many writes of a round, how long to pause between a few of them, and how long a kill may wait; in milliseconds. */
const writesOfRound = 300;
const writesAtOnce = 10;
const pause = 50;
const latestKill = 1_500;

/** How long a copy may take to have all writes, in milliseconds. */
const patience = 60_000;

const unauthorized = 13;
const noRight = `MongoDB gives this user no right to write to the database ${scratchName}: give it the role readWrite there`;

/** @param seconds how long the trial goes on */
export async function tryFollowing(
  kind: DatabaseKind,
  url: string,
  seconds: number,
  signal: AbortSignal,
): Promise<Trial> {
  const scratch = scratchUrl(url);
  const connect = await mongoClients<TrialClient>(scratch, "--try");
  const folder = await mkdtemp(join(tmpdir(), "im-admin-try-"));
  const client = connect();
  const file = join(folder, "copy.db");
  const follower = new FollowerProcess(scratch, file);
  try {
    await requireEmpty(client);
    try {
      const database = await kind.openToServe({ db: file, threads: 0 });
      try {
        const copyAgain = () => wholeCopy(kind, scratch, join(folder, "whole.db"), signal);
        return await run({ client, follower, store: database.store, copyAgain, seconds, signal });
      } finally {
        await follower.kill();
        await database.close();
      }
    } finally {
      await dropAll(client).catch(() => print(`the database ${scratchName} is left in MongoDB: drop it`));
    }
  } catch (error) {
    if (signal.aborted) throw new Error("the trial was interrupted");
    if ((error as { code?: unknown }).code === unauthorized) throw new Error(noRight);
    throw explained(error, false);
  } finally {
    await client.close(true);
    await rm(folder, { recursive: true, force: true });
  }
}

interface Parts {
  client: TrialClient;
  follower: FollowerProcess;
  store: Store;
  copyAgain(): Promise<Store & { close(): Promise<void> }>;
  seconds: number;
  signal: AbortSignal;
}

async function run({ client, follower, store, copyAgain, seconds, signal }: Parts): Promise<Trial> {
  const writes = new Writes(client);
  const tried = { kills: 0, lists: 0, different: [] as string[], lags: [] as number[], longestReturn: 0 };
  const seen = async () => {
    const mark = await writes.mark();
    const begun = performance.now();
    while (!(await hasMark(store, mark))) {
      if (follower.hasEnded) throw new Error(follower.lastWords);
      if (performance.now() - begun > patience) throw new Error(`the copy has not all writes: ${follower.lastWords}`);
      await delay(2, undefined, { signal });
    }
    return performance.now() - begun;
  };
  await writes.mark();
  follower.start();
  await seen();
  // The copy has the first mark, and the changes after it the second: by then a kill makes no new copy.
  await seen();
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until && !signal.aborted) {
    const killed = delay(Math.random() * latestKill).then(() => follower.kill());
    for (let made = 0; made < writesOfRound; made += 1) {
      await writes.some();
      if (made % writesAtOnce === 0) await delay(pause, undefined, { signal });
    }
    await killed;
    tried.kills += 1;
    follower.start();
    tried.longestReturn = Math.max(tried.longestReturn, await seen());
    for (let measured = 0; measured < writesAtOnce; measured += 1) {
      await writes.some();
      tried.lags.push(await seen());
    }
    const whole = await copyAgain();
    const { compared, different } = await compareLists(store, whole);
    await whole.close();
    tried.lists += compared;
    tried.different.push(...different);
  }
  tried.lags.sort((left, right) => left - right);
  return { writes: writes.made, transactions: writes.transactions, ...tried };
}

async function hasMark(store: Store, mark: string): Promise<boolean> {
  const { items } = await store.listNotificationAccounts({ keyword: markerID, offset: 0, limit: 10 });
  return items.some(({ userID, nickName }) => userID === markerID && nickName === mark);
}

/** A store with a whole copy, which no longer changes. */
async function wholeCopy(kind: DatabaseKind, url: string, db: string, signal: AbortSignal) {
  for (const end of ["", "-wal", "-shm"]) await rm(`${db}${end}`, { force: true });
  const stopping = new AbortController();
  const both = AbortSignal.any([signal, stopping.signal]);
  await followInto(kind, { url, flag: "--try", database: { db }, yes: true }, both, ({ copies }) => {
    if (copies > 0) stopping.abort();
  });
  signal.throwIfAborted();
  const { store, close } = await kind.openToServe({ db, threads: 0 });
  return { ...store, close };
}

async function requireEmpty(client: TrialClient): Promise<void> {
  const names = await client.db(scratchName).listCollections().toArray();
  if (names.length === 0) return;
  throw new Error(
    `MongoDB has a database ${scratchName} already: if a trial has left it there, drop it in mongosh by ` +
      `use("${scratchName}") and db.dropDatabase()`,
  );
}

/** Drops the scratch database. It is gone with its last collection; to drop one needs no more than the role readWrite. */
async function dropAll(client: TrialClient): Promise<void> {
  const database = client.db(scratchName);
  for (const { name } of await database.listCollections().toArray()) await database.collection(name).drop();
}

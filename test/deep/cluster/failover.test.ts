import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { signAdminToken } from "../../../adapters/auth.js";
import { createPostgresStore } from "../../../src/stores/postgres/index.js";
import { randomOf, seed } from "../../helpers/chance.js";
import { imAdmin, serve } from "../../helpers/cliProcess.js";
import { accounts, blacksOf, compareList, groupsOf, membersOf, requestsFor } from "../../helpers/listsModel.js";
import { type PatroniCluster, type PatroniNode, startPatroni } from "../../helpers/postgres/patroni.js";
import { inOneSnapshot } from "../../helpers/postgres/rows.js";
import { migrateSmall } from "../../helpers/postgres/sessions.js";

const failovers = Number(process.env["FAILOVERS"]);
const random = randomOf(seed);
/** How long to wait for a slow machine, in milliseconds. */
const patience = { timeout: 120_000, interval: 20 };

/** What was found wrong meanwhile. */
let found: unknown;

/** Waits until something is there, or something else is found to be wrong. */
function until<Value>(what: () => Value | Promise<Value>) {
  return vi.waitUntil(() => {
    if (found !== undefined) throw found;
    return what();
  }, patience);
}

let cluster: PatroniCluster;
beforeAll(async () => {
  cluster = await startPatroni();
  await until(() => cluster.synchronousReplica());
}, patience.timeout);
afterAll(() => cluster.stop());

/** A failure: `strike` begins it, and `mend` ends it. */
interface Failure {
  what: string;
  /** Whether another server writes afterwards. */
  fails: boolean;
  strike(primary: PatroniNode, synchronous: PatroniNode): unknown;
  mend(primary: PatroniNode, synchronous: PatroniNode): unknown;
}

const failures: readonly Failure[] = [
  {
    what: "the primary and its Patroni are killed",
    fails: true,
    strike: (primary) => primary.killServer(),
    mend: (primary) => primary.startPatroni(),
  },
  {
    what: "the primary's network is gone",
    fails: true,
    strike: (primary) => primary.plug(false),
    mend: (primary) => primary.plug(true),
  },
  {
    what: "the primary's disk does not answer",
    fails: true,
    strike: (primary) => primary.freeze(),
    // As a watchdog does. Without it, this Patroni takes the lock back as soon as its server answers, and writes are lost.
    async mend(primary) {
      await primary.cutPower();
      await primary.start();
    },
  },
  {
    what: "the primary's power is cut",
    fails: true,
    strike: (primary) => primary.cutPower(),
    mend: (primary) => primary.start(),
  },
  {
    what: "the network of the synchronous replica is gone",
    fails: false,
    strike: (_, synchronous) => synchronous.plug(false),
    mend: (_, synchronous) => synchronous.plug(true),
  },
  {
    what: "the primary's checkpointer is killed",
    fails: false,
    strike: (primary) => primary.killCheckpointer(),
    mend() {},
  },
];

/** A pool whose connections may be cut at any time. */
function poolOf(connectionString: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString, max, connectionTimeoutMillis: 5000 });
  pool.on("error", () => {}).on("connect", (client) => client.on("error", () => {}));
  onTestFinished(() => pool.end());
  return pool;
}

/** Runs something again and again until the test is over; failures of the database are counted. */
function repeatedly(work: () => Promise<unknown>, milliseconds: number) {
  const counts = { done: 0, failed: 0 };
  let isOver = false;
  const running = (async () => {
    while (!isOver) {
      try {
        await work();
        counts.done += 1;
      } catch (error) {
        if (error instanceof Error && error.name === "AssertionError") found ??= error;
        counts.failed += 1;
      }
      await pause(milliseconds);
    }
  })();
  const stop = () => {
    isOver = true;
    return running;
  };
  onTestFinished(stop);
  return { counts, stop };
}

const tables = ["group_members", "group_requests", "blacks", "users"] as const;
const groupIDs = ["g1", "g2", "g3"];
const accountLevels = [1, 3, 4];

/** The columns of a row that is told apart by a number, and that has a value. */
function rowOf(table: (typeof tables)[number], writer: number, number: number, value: number): Record<string, unknown> {
  const id = `w${writer}-${number}`;
  const groupID = groupIDs[number % 2];
  switch (table) {
    case "group_members":
      return { group_id: groupID, user_id: id, role_level: value % 3 ? 20 : 60, join_time: value };
    case "group_requests":
      return { group_id: groupID, user_id: id, handle_result: value % 2, req_time: value };
    case "blacks":
      return { owner_user_id: "u1", black_user_id: id, create_time: value };
    case "users":
      return { user_id: id, nickname: `n${value}`, app_manger_level: accountLevels[value % 3] };
  }
}

/** Writes its own rows, one at a time, and remembers the possible values of each: several after a failure. */
function writer(pool: pg.Pool, index: number) {
  const possible = new Map<string, (number | undefined)[]>();
  let value = 0;

  async function write(): Promise<void> {
    const table = tables[Math.floor(random() * tables.length)] ?? "users";
    const number = Math.floor(random() * 200);
    const row = `${table} ${number}`;
    const before = possible.get(row) ?? [undefined];
    value += 1;
    const next = random() < 0.3 ? undefined : value;
    const columns: Record<string, unknown> = { ...rowOf(table, index, number, value), ex: String(value) };
    const keys = Object.keys(columns).filter((_, place) => place < (table === "users" ? 1 : 2));
    const parameter = (column: string) => `$${Object.keys(columns).indexOf(column) + 1}`;
    const settings = Object.keys(columns).map((column) => `${column} = ${parameter(column)}`);
    const isKey = keys.map((column) => `${column} = ${parameter(column)}`).join(" AND ");
    const inserted = `INSERT INTO im_admin.${table} (${Object.keys(columns)}) VALUES (${Object.keys(columns).map(parameter)})`;
    const isKnown = before.length === 1;
    possible.set(row, [...before, next]);
    if (next === undefined) {
      const values = keys.map((column) => columns[column]);
      const { rowCount } = await pool.query(`DELETE FROM im_admin.${table} WHERE ${isKey}`, values);
      if (isKnown) expect([row, rowCount]).toEqual([row, before[0] === undefined ? 0 : 1]);
    } else if (isKnown && before[0] !== undefined) {
      const changed = await pool.query(
        `UPDATE im_admin.${table} SET ${settings} WHERE ${isKey}`,
        Object.values(columns),
      );
      expect([row, changed.rowCount]).toEqual([row, 1]);
    } else if (isKnown) {
      await pool.query(inserted, Object.values(columns));
    } else {
      await pool.query(`${inserted} ON CONFLICT (${keys}) DO UPDATE SET ${settings}`, Object.values(columns));
    }
    possible.set(row, [next]);
  }

  /** Rows that are not as they have to be. */
  async function wrongRows(): Promise<string[]> {
    const stored = new Map<string, number>();
    for (const table of tables) {
      const id = table === "blacks" ? "black_user_id" : "user_id";
      const { rows } = await pool.query(`SELECT ${id} AS id, ex FROM im_admin.${table} WHERE ${id} LIKE 'w${index}-%'`);
      for (const { id, ex } of rows) stored.set(`${table} ${id.split("-")[1]}`, Number(ex));
    }
    return [...possible]
      .filter(([row, values]) => !values.includes(stored.get(row)))
      .map(([row, values]) => `${row} of ${index}: ${stored.get(row)} instead of ${values.join(" or ")}`);
  }

  return { ...repeatedly(write, 5), wrongRows };
}

const lists = [
  ...groupIDs.map((groupID) => membersOf(groupID)),
  membersOf("g1", { roleLevels: [60] }),
  membersOf("g2", { keyword: "n1" }),
  groupsOf("u1"),
  blacksOf("u1"),
  requestsFor("u1"),
  requestsFor("u1", { handleResults: [0] }),
  accounts(),
];

/** Compares all pages of lists with the rows of the same snapshot. */
function comparePages(pool: pg.Pool, compared = lists): Promise<void> {
  return inOneSnapshot(pool, async (store, rows) => {
    for (const list of compared) expect(await compareList(store, rows, list, 50)).toBeUndefined();
  });
}

/** Compares the pages of some list. */
const compareSome = (pool: pg.Pool) => {
  const first = Math.floor(random() * lists.length);
  return comparePages(pool, lists.slice(first, first + 1));
};

/** Starts `serve`, and a client that asks for pages all the time. */
async function startServing() {
  const secret = "a secret of a test that is long";
  const server = await serve(["--db", cluster.urls.primary, "--secret", secret, "--admin", "a"]);
  const token = await signAdminToken({ secret, userID: "a" });
  let failed = 0;
  let lastAnswered = 0;
  const ask = async () => {
    const begun = Date.now();
    const response = await fetch(`${server.url}/group/get_group_member_list`, {
      method: "POST",
      headers: { operationID: "op", token },
      body: JSON.stringify({ groupID: "g1", pagination: { pageNumber: 1 + Math.floor(random() * 9), showNumber: 20 } }),
    });
    const answer = await response.json();
    if (answer.errCode === 0) {
      lastAnswered = begun;
      expect(answer.data.members.length).toBeLessThanOrEqual(20);
      return;
    }
    failed += 1;
    expect([response.status, answer]).toEqual([
      200,
      { errCode: 500, errMsg: "ServerInternalError", errDlt: "500 ServerInternalError" },
    ]);
  };
  const asking = repeatedly(ask, 10);
  return {
    ...server,
    stopAsking: async () => {
      await asking.stop();
      // A connection to serve itself has never failed.
      expect(asking.counts.failed).toBe(0);
    },
    failed: () => failed,
    /** When the last call began that was answered. */
    lastAnswered: () => lastAnswered,
    /** The lines of the log that tell of calls that failed. */
    loggedFailures: () => server.written.stderr.split("\n").filter((line) => line.includes('"errCode":500')),
  };
}

/** Waits until all that is appended by now is settled. */
async function settled(pool: pg.Pool): Promise<void> {
  const newest = "SELECT coalesce(max(transaction), '0')::text AS newest FROM im_admin.list_changes";
  const { rows } = await until(() => pool.query(newest).catch(() => undefined));
  const left = "SELECT FROM im_admin.list_changes WHERE transaction <= $1";
  const isSettled = () =>
    pool.query(left, [rows[0].newest]).then(
      ({ rowCount }) => rowCount === 0,
      () => false,
    );
  await until(isSettled);
}

it("loses no acknowledged write, and goes on after each failure", { timeout: failovers * 300_000 }, async () => {
  const pool = poolOf(cluster.urls.primary, 8);
  const replicas = poolOf(cluster.urls.replicas, 4);
  await migrateSmall(pool);
  const store = createPostgresStore({ pool, readPool: replicas });
  await store.put({
    users: [{ userID: "u1" }],
    groups: groupIDs.map((groupID) => ({ groupID })),
    groupMembers: groupIDs.map((groupID) => ({ groupID, userID: "u1", roleLevel: 100 })),
  });
  const server = await startServing();
  const writers = Array.from({ length: 4 }, (_, index) => writer(poolOf(cluster.urls.primary, 1), index));
  const comparing = [pool, replicas].map((compared) => repeatedly(() => compareSome(compared), 50));
  const page = { groupID: "g1", keyword: "", offset: 0, limit: 20 };
  const reading = repeatedly(() => store.listGroupMembers(page), 10);
  const written = () => writers.reduce((sum, { counts }) => sum + counts.done, 0);
  await until(() => written() > 500);

  const first = Math.floor(random() * failures.length);
  for (let round = 0; round < failovers; round += 1) {
    const failure = failures[(first + round) % failures.length];
    const synchronous = await until(() => cluster.synchronousReplica());
    const primary = await until(() => cluster.primary());
    if (failure === undefined) throw new Error("there is a failure for each round");
    const before = { failed: server.failed(), written: written() };
    process.stdout.write(`${failure.what}: `);
    const struck = Date.now();
    await failure.strike(primary, synchronous);
    const others = cluster.nodes.filter((node) => node !== primary);
    const promoted = async () => (await Promise.all(others.map((node) => node.isPrimary()))).includes(true);
    if (failure.fails) await until(promoted);
    const known = Date.now();
    await until(() => server.lastAnswered() > known);
    const answered = Date.now();
    const acknowledged = written();
    await until(() => written() > acknowledged);
    const wrote = Date.now();
    const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1);
    process.stdout.write(
      `${failure.fails ? `another one after ${seconds(known - struck)} s` : "none other"}, ` +
        `pages ${seconds(answered - known)} s later, writes ${seconds(wrote - known)} s later; ${server.failed() - before.failed} calls failed\n`,
    );
    expect(answered - known).toBeLessThan(30_000);
    await failure.mend(primary, synchronous);
    await settled(pool);
    await until(() => cluster.synchronousReplica());
    await until(() => written() > before.written + 200);
  }

  for (const { stop } of [...writers, ...comparing, reading]) await stop();
  await server.stopAsking();
  if (found !== undefined) throw found;
  const failed = writers.reduce((sum, { counts }) => sum + counts.failed, 0);
  process.stdout.write(
    `${written()} writes were acknowledged, ${failed} failed; lists were compared ${comparing.map(({ counts }) => counts.done).join(" and ")} times; ` +
      `${reading.counts.done} reads by readPool, ${reading.counts.failed} failed\n`,
  );
  expect(server.loggedFailures().length).toBe(server.failed());
  for (const { wrongRows } of writers) expect(await wrongRows()).toEqual([]);
  await settled(pool);
  const sessions = await pool.query("SELECT FROM pg_stat_activity WHERE application_name = 'im-admin'");
  // As many as the pool of serve may have at most.
  expect(sessions.rowCount).toBeLessThanOrEqual(10);
  const { rows } = await pool.query("SELECT pg_current_wal_lsn() AS lsn");
  const replayed = "SELECT NOT pg_is_in_recovery() OR pg_last_wal_replay_lsn() >= $1 AS is_it";
  for (const node of cluster.nodes) {
    await until(async () => (await node.pool.query(replayed, [rows[0].lsn])).rows[0].is_it);
    await comparePages(node.pool);
  }
  const checked = await imAdmin(["check", "--db", cluster.urls.primary]);
  expect([checked.status, checked.stderr]).toEqual([0, expect.stringContaining("all lists agree with the rows")]);
  expect((await server.stop()).status).toBe(0);
});

it("reads from the primary while all replicas are late", { timeout: 300_000 }, async () => {
  const pool = poolOf(cluster.urls.primary, 2);
  const replicas = poolOf(cluster.urls.replicas, 2);
  const store = createPostgresStore({ pool, readPool: replicas });
  const total = async (of = store) =>
    (await of.listGroupMembers({ groupID: "g3", keyword: "", offset: 0, limit: 1 }))?.total ?? 0;
  await until(() => cluster.synchronousReplica());
  const primary = await until(() => cluster.primary());
  const late = cluster.nodes.filter((node) => node !== primary);
  const before = await total(createPostgresStore({ pool }));
  await until(async () => (await total()) === before);
  for (const node of late) node.holdReplay(true);
  await store.put({ groupMembers: [{ groupID: "g3", userID: "late" }] });
  expect(await total()).toBe(before);
  // More than HAProxy lets them be late.
  await pool.query("SELECT pg_logical_emit_message(false, '', repeat('x', 3000000))");
  const areAnswering = () =>
    replicas.query("SELECT").then(
      () => true,
      () => false,
    );
  await until(async () => !(await areAnswering()));
  // HAProxy may have noticed one of them only.
  await until(async () => (await total()) === before + 1);
  for (const node of late) node.holdReplay(false);
  await until(areAnswering);
  expect(await total()).toBe(before + 1);
});

import type pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { createPostgresStore } from "../../../src/stores/postgres/index.js";
import { quoted } from "../../../src/stores/postgres/sql.js";
import { checkLists } from "../../../src/stores/postgres/upkeep/checkAll.js";
import { repairLists } from "../../../src/stores/postgres/upkeep/repair.js";
import { openMigrated } from "../../helpers/postgres/migrated.js";
import { type PostgresServer, startPostgres } from "../../helpers/postgres/server.js";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

const page = { offset: 0, limit: 10 };
const schema = quoted("im_admin");

beforeEach(async () => {
  await openMigrated(server.pool, {
    users: Array.from({ length: 10 }, (_, index) => ({ userID: `u${index}` })),
    groups: [{ groupID: "g1" }, { groupID: "g2" }],
    groupMembers: [{ groupID: "g1", userID: "u1", roleLevel: 60 }],
    groupRequests: [
      { groupID: "g1", userID: "u2", reqTime: 2 },
      { groupID: "g1", userID: "u3", reqTime: 3, handleResult: 1 },
    ],
  });
});

async function connect(): Promise<pg.PoolClient> {
  const connection = await server.pool.connect();
  onTestFinished(() => connection.release(true));
  return connection;
}

/** Settles as much as can be now. */
async function settleOnce(): Promise<number> {
  const { rows } = await server.pool.query("SELECT im_admin.list_settle()::integer AS left");
  return rows[0].left;
}

/** Settles all; the server's own transactions may be in the way for a while. */
const settle = () => expect.poll(settleOnce, { timeout: 30_000 }).toBe(0);

const doubts = async () => (await server.pool.query("SELECT FROM im_admin.received_doubts")).rows.length;

/** Whose requests a user receives, by what is kept of them. */
async function kept(managerUserID: string): Promise<string[]> {
  const { rows } = await server.pool.query(
    "SELECT group_id || ' ' || user_id AS request FROM im_admin.received_group_requests WHERE manager_user_id = $1 ORDER BY 1",
    [managerUserID],
  );
  return rows.map(({ request }) => request);
}

/** The same, as it is answered. */
async function answered(userID: string): Promise<string[] | undefined> {
  const received = await createPostgresStore({ pool: server.pool }).listReceivedGroupRequests({ userID, ...page });
  return received?.items.map(({ groupInfo, userInfo }) => `${groupInfo.groupID} ${userInfo.userID}`).sort();
}

it("keeps the requests of each manager, whoever comes and goes", async () => {
  const steps: readonly [statement: string, expected: string[]][] = [
    ["SELECT", ["g1 u2", "g1 u3"]],
    [
      "INSERT INTO im_admin.group_requests (group_id, user_id) VALUES ('g1', 'u4'), ('g2', 'u4')",
      ["g1 u2", "g1 u3", "g1 u4"],
    ],
    ["UPDATE im_admin.group_requests SET group_id = 'g2' WHERE user_id = 'u3'", ["g1 u2", "g1 u4"]],
    [
      "INSERT INTO im_admin.group_members (group_id, user_id, role_level) VALUES ('g2', 'u1', 100)",
      ["g1 u2", "g1 u4", "g2 u3", "g2 u4"],
    ],
    ["DELETE FROM im_admin.group_requests WHERE user_id = 'u4'", ["g1 u2", "g2 u3"]],
    ["UPDATE im_admin.group_members SET role_level = 20 WHERE group_id = 'g1'", ["g2 u3"]],
    ["UPDATE im_admin.group_members SET user_id = 'u6' WHERE group_id = 'g2'", []],
    ["UPDATE im_admin.group_members SET user_id = 'u1' WHERE user_id = 'u6'", ["g2 u3"]],
    ["DELETE FROM im_admin.group_members", []],
  ];
  for (const [statement, expected] of steps) {
    await server.pool.query(statement);
    expect([statement, await answered("u1")]).toEqual([statement, expected]);
    await settle();
    expect([statement, await kept("u1"), await doubts()]).toEqual([statement, expected, 0]);
    expect([statement, await answered("u1")]).toEqual([statement, expected]);
  }
});

it("settles what was in doubt at the end of later transactions", async () => {
  await server.pool.query("UPDATE im_admin.group_members SET role_level = 100");
  await settle();
  await server.pool.query("INSERT INTO im_admin.group_members (group_id, user_id, role_level) VALUES ('g1', 'u5', 60)");
  expect(await kept("u5")).toEqual([]);
  expect(await answered("u5")).toEqual(["g1 u2", "g1 u3"]);
  let writers = 0;
  const afterOneMore = async () => {
    writers += 1;
    await server.pool.query(
      "INSERT INTO im_admin.group_members (group_id, user_id, role_level) VALUES ('g2', $1, 60)",
      [`v${writers}`],
    );
    return kept("u5");
  };
  await expect.poll(afterOneMore, { timeout: 30_000 }).toEqual(["g1 u2", "g1 u3"]);
});

it("makes few rows at the end of a transaction that has little to do with them", async () => {
  await server.pool.query(`
    INSERT INTO im_admin.group_requests (group_id, user_id) SELECT 'g2', 'w' || n FROM generate_series(1, 2000) n;
    INSERT INTO im_admin.group_members (group_id, user_id, role_level)
      SELECT 'g2', 'v' || n, 60 FROM generate_series(1, 4) n`);
  const rowsOfManagers = async () => {
    const { rows } = await server.pool.query(
      "SELECT count(*)::integer AS count FROM im_admin.received_group_requests WHERE manager_user_id LIKE 'v%'",
    );
    return rows[0].count;
  };
  let before = 0;
  let writers = 0;
  const afterOneMore = async () => {
    writers += 1;
    await server.pool.query(
      "INSERT INTO im_admin.group_members (group_id, user_id, role_level) VALUES ('g3', $1, 60)",
      [`m${writers}`],
    );
    const after = await rowsOfManagers();
    expect(after - before).toBeLessThanOrEqual(5000);
    before = after;
    return after;
  };
  await expect.poll(afterOneMore, { timeout: 30_000 }).toBe(8000);
});

it("does not settle a doubt before every transaction is over that may not know of it", async () => {
  const early = await connect();
  await early.query("BEGIN");
  await early.query("INSERT INTO im_admin.group_requests (group_id, user_id) VALUES ('g1', 'u4')");
  await server.pool.query("INSERT INTO im_admin.group_members (group_id, user_id, role_level) VALUES ('g1', 'u5', 60)");
  for (let step = 0; step < 3; step += 1) await settleOnce();
  expect(await answered("u5")).toEqual(["g1 u2", "g1 u3"]);
  await early.query("COMMIT");
  expect(await answered("u5")).toEqual(["g1 u2", "g1 u3", "g1 u4"]);
  await settle();
  expect([await kept("u5"), await doubts()]).toEqual([["g1 u2", "g1 u3", "g1 u4"], 0]);
});

it("waits for nobody who has requests locked, and settles the doubt later", async () => {
  const deleting = await connect();
  await deleting.query("BEGIN");
  await deleting.query("DELETE FROM im_admin.group_requests WHERE user_id = 'u2'");
  // In a stricter mode, writers do not see what others commit meanwhile.
  const strict = await connect();
  await strict.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
  await strict.query("UPDATE im_admin.group_requests SET req_time = 1 WHERE user_id = 'u3'");
  await strict.query("COMMIT");
  await server.pool.query("UPDATE im_admin.group_members SET role_level = 20");
  const settling = await connect();
  await settling.query("SET lock_timeout = '5s'");
  for (let step = 0; step < 3; step += 1) await settling.query("SELECT im_admin.list_settle()");
  expect(await answered("u1")).toEqual([]);
  await deleting.query("COMMIT");
  expect(await answered("u1")).toEqual([]);
  await settle();
  expect([await kept("u1"), await doubts()]).toEqual([[], 0]);
});

it.each([
  "DELETE FROM im_admin.received_group_requests WHERE user_id = 'u2'",
  "UPDATE im_admin.received_group_requests SET req_time = 7 WHERE user_id = 'u2'",
  `INSERT INTO im_admin.received_group_requests (manager_user_id, group_id, user_id, req_time, handle_result)
    VALUES ('u1', 'g1', 'u9', 0, 0)`,
])("finds and repairs what %s does", async (statement) => {
  await settle();
  const problems = async () => (await checkLists(server.pool, schema)).map(({ problem }) => problem);
  expect(await problems()).toEqual([]);
  await server.pool.query(statement);
  expect(await problems()).toEqual(["received requests are not those for the groups that users manage"]);
  await repairLists(server.pool, schema);
  expect([await problems(), await kept("u1")]).toEqual([[], ["g1 u2", "g1 u3"]]);
});

it.each(["group_requests", "group_members"])("forgets what is received when %s is truncated", async (table) => {
  const connection = await connect();
  await connection.query("BEGIN ISOLATION LEVEL SERIALIZABLE");
  await expect(connection.query(`TRUNCATE im_admin.${table}`)).rejects.toThrow(
    `truncate it in a READ COMMITTED transaction`,
  );
  await connection.query("ROLLBACK");
  await connection.query(`TRUNCATE im_admin.${table}`);
  expect([await kept("u1"), await doubts(), await answered("u1")]).toEqual([[], 0, []]);
});

it("has no deadlock between who becomes a manager and who truncates", async () => {
  const promoting = await connect();
  const truncating = await connect();
  await promoting.query("BEGIN");
  await promoting.query("INSERT INTO im_admin.group_members (group_id, user_id, role_level) VALUES ('g1', 'u5', 60)");
  const truncated = truncating.query("TRUNCATE im_admin.group_requests, im_admin.group_members");
  const waiting = async () => {
    const { rows } = await server.pool.query("SELECT FROM pg_locks WHERE NOT granted");
    return rows.length;
  };
  await expect.poll(waiting, { timeout: 15_000 }).toBe(1);
  await Promise.all([promoting.query("COMMIT"), truncated]);
  expect([await kept("u1"), await doubts(), await answered("u1")]).toEqual([[], 0, []]);
});

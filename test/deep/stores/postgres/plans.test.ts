/** How many rows the server reads for large writes, with any statistics of its tables. */
import type pg from "pg";
import { beforeEach, expect, it } from "vitest";
import { createPostgresStore, migratePostgres } from "../../../../src/stores/postgres/index.js";
import { filterings, listMethods } from "../../../helpers/filters.js";
import { postgresForFile } from "../../../helpers/postgres/server.js";
import { connect, problemsOf } from "../../../helpers/postgres/sessions.js";

const server = postgresForFile();
beforeEach(async () => {
  await server.pool.query("DROP SCHEMA IF EXISTS im_admin CASCADE");
  await migratePostgres(server.pool);
});

/** How many rows each statement writes; to look at each of them for each other would be 2,250,000. */
const count = 1500;

/** More rows than a page of 20 may look at, with the ranges of entries around it, and than a statement that writes all rows may. */
const muchForPage = 1000;
const isMuch = ([rows]: [rows: number, step: string]) => rows > 50 * count;

const statements = [
  `INSERT INTO groups (group_id) SELECT 'g' || n FROM generate_series(0, 374) n UNION ALL VALUES ('large')`,
  `INSERT INTO group_members (group_id, user_id, role_level) SELECT 'g' || n % 375, 'u' || n, 60 FROM rows`,
  `INSERT INTO group_requests (group_id, user_id, req_time) SELECT 'g' || n % 375, 'a' || n, n FROM rows`,
  `INSERT INTO group_members (group_id, user_id, join_time) SELECT 'large', 'u' || n, n FROM rows`,
  `INSERT INTO group_requests (group_id, user_id, req_time) SELECT 'large', 'c' || n, n FROM rows`,
  `INSERT INTO users (user_id, nickname) SELECT 'u' || n, 'Ann ' || n FROM rows`,
  `UPDATE users SET app_manger_level = 3`,
  `UPDATE users SET nickname = nickname || 'x'`,
  `UPDATE group_members SET nickname = 'Bob' WHERE group_id = 'large'`,
  `UPDATE group_members SET join_time = join_time + 1 WHERE group_id = 'large'`,
  `UPDATE group_requests SET handle_result = 1`,
  `UPDATE group_members SET role_level = 100 WHERE group_id <> 'large'`,
  `UPDATE group_members SET role_level = 20 WHERE group_id <> 'large'`,
  `UPDATE group_members SET role_level = 60 WHERE group_id <> 'large'`,
  `INSERT INTO blacks (owner_user_id, black_user_id) SELECT 'u' || n % 5, 'b' || n FROM rows`,
  `DELETE FROM group_requests WHERE user_id LIKE '%7'`,
  `DELETE FROM group_members WHERE group_id = 'large' AND user_id LIKE '%7'`,
  `DELETE FROM users WHERE user_id LIKE '%7'`,
];

interface Plan {
  "Node Type": string;
  "Actual Rows"?: number;
  "Actual Loops"?: number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Join Filter"?: number;
  "Index Name"?: string;
  Plans?: Plan[];
}

/** The step of a plan that looks at the most rows. */
function longestStep(plan: Plan): { rows: number; step: string } {
  const each =
    (plan["Actual Rows"] ?? 0) + (plan["Rows Removed by Filter"] ?? 0) + (plan["Rows Removed by Join Filter"] ?? 0);
  const own = { rows: each * (plan["Actual Loops"] ?? 0), step: `${plan["Node Type"]} ${plan["Index Name"] ?? ""}` };
  return [own, ...(plan.Plans ?? []).map(longestStep)].reduce((left, right) => (right.rows > left.rows ? right : left));
}

/** A connection that logs each statement, also of functions and triggers, if it reads very many rows. */
async function watched(): Promise<{ connection: pg.PoolClient; long: [rows: number, step: string][] }> {
  const connection = await connect(server.pool);
  const long: [number, string][] = [];
  connection.on("notice", ({ message = "" }) => {
    if (!message.startsWith("duration:")) return;
    const explained: { "Query Text": string; Plan: Plan } = JSON.parse(message.slice(message.indexOf("{")));
    const { rows, step } = longestStep(explained.Plan);
    if (rows > muchForPage) long.push([rows, `${step}: ${explained["Query Text"].slice(0, 300)}`]);
  });
  await connection.query(`
    LOAD 'auto_explain';
    SET auto_explain.log_min_duration = 0; SET auto_explain.log_nested_statements = on; SET auto_explain.log_format = json;
    SET auto_explain.log_analyze = on; SET auto_explain.log_timing = off;
    SET auto_explain.log_level = notice; SET client_min_messages = notice;
    CREATE TEMPORARY VIEW rows AS SELECT n FROM generate_series(1, ${count}) n;
    SET search_path = im_admin`);
  return { connection, long };
}

async function settleAll(connection: pg.PoolClient): Promise<void> {
  for (;;) {
    const { rows } = await connection.query("SELECT settle()::integer AS settled");
    if (rows[0].settled === 0) return;
  }
}

/** Reads pages of lists, which are not searched, over one connection. */
async function readPages(connection: pg.PoolClient): Promise<(number | undefined)[]> {
  const store = storeOver(connection);
  const totals: (number | undefined)[] = [];
  for (const offset of [0, 700, 1400]) {
    const page = { offset, limit: 20 };
    const pages = [
      await store.listGroupMembers({ groupID: "large", keyword: "", ...page }),
      await store.listNotificationAccounts({ keyword: "", ...page }),
      await store.listBlacks({ ownerUserID: "u1", ...page }),
      await store.listJoinedGroups({ userID: "u1", ...page }),
      await store.listReceivedGroupRequests({ userID: "u1", ...page }),
    ];
    totals.splice(0, totals.length, ...pages.map((answered) => answered?.total));
  }
  return totals;
}

const users = Array.from({ length: count }, (_, index) => `u${index + 1}`);

function storeOver(connection: pg.PoolClient) {
  const query = connection.query.bind(connection);
  return createPostgresStore({ pool: { query, connect: async () => ({ query, release: () => {} }) }, settle: false });
}

/** Searches, and writes by a store, over one connection. */
async function callAll(connection: pg.PoolClient): Promise<string[]> {
  const store = storeOver(connection);
  for (const offset of [0, 700, 1400]) {
    const page = { offset, limit: 20 };
    for (const keyword of ["u77", "b", "Bob", "ann 1", "u", "nobody"]) {
      await store.listGroupMembers({ groupID: "large", keyword, ...page });
      await store.listNotificationAccounts({ keyword, ...page });
    }
    for (const method of listMethods) {
      const owner = { groupID: "large", userID: "u1", ownerUserID: "u1" };
      for (const filters of filterings(method)) await store[method]({ ...owner, ...filters, ...page } as never);
    }
  }
  await store.put({
    users: users.map((userID) => ({ userID, nickname: "Cid", appMangerLevel: 3 })),
    groupMembers: users.map((userID) => ({ groupID: "large", userID, nickname: "Dan" })),
    groupRequests: users.map((userID) => ({ groupID: "large", userID })),
  });
  const conversation = { conversationID: "sg_large", conversationType: 3, groupID: "large", userID: "" } as const;
  const withOther = { ...conversation, conversationType: 1, userID: "u1", groupID: "" } as const;
  const strangers = users.map((userID) => `stranger-${userID}`);
  const changes = [
    await store.setConversations({ ...conversation, userIDs: users, fields: { isPinned: true } }),
    await store.setConversations({ ...conversation, userIDs: users, fields: { isPinned: false } }),
    await store.setConversations({ ...conversation, userIDs: users, fields: { isPinned: false } }),
    await store.setConversations({ ...withOther, userIDs: users, fields: { isPinned: true } }),
    await store.setConversations({ ...conversation, userIDs: strangers, fields: { isPinned: true } }),
  ];
  await store.remove({ groupRequests: users.slice(0, 500).map((userID) => ({ groupID: "large", userID })) });
  return changes.map(({ outcome }) => outcome);
}

const withFewRows = statements.map((own) => own.replace("FROM rows", "FROM rows WHERE n < 10"));
const tables = ["users", "groups", "group_members", "group_requests", "blacks", "conversations"];
const truncate = `TRUNCATE ${tables.join(", ")}`;

it.each<[knowledge: string, before: readonly string[], hasPlans?: boolean]>([
  ["nothing", []],
  ["nothing, in sessions that have made their plans before there was much", withFewRows, true],
  ["what there was when all was empty", [truncate, "ANALYZE"]],
  ["statistics of tables with a few rows", [...withFewRows, "ANALYZE", truncate]],
  ["what there was when some tables had many rows", [...statements.slice(0, 2), "ANALYZE", truncate]],
  ["what there was when all of them had many rows", [...statements, "ANALYZE", truncate]],
])("looks at no more rows than it needs to where the server knows of %s", async (_, before, hasPlans = false) => {
  const { rows } = await server.pool.query("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'im_admin'");
  for (const { name } of rows) await server.pool.query(`ALTER TABLE im_admin.${name} SET (autovacuum_enabled = off)`);
  const earlier = await watched();
  for (const statement of before) await earlier.connection.query(statement);
  if (hasPlans) {
    await readPages(earlier.connection);
    await callAll(earlier.connection);
  }
  await earlier.connection.query(truncate);
  earlier.long.length = 0;
  const { connection, long } = hasPlans ? earlier : await watched();
  const found: unknown[] = [];
  for (const statement of statements) {
    await connection.query(statement);
    await settleAll(connection);
    found.push(
      ...long
        .splice(0)
        .filter(isMuch)
        .map((own) => [statement, own]),
    );
  }
  expect(await readPages(connection)).toEqual([1350, 1350, 300, 2, 4]);
  found.push(...long.splice(0));
  expect(await callAll(connection)).toEqual(["done", "done", "done", "contradicted", "usersNotFound"]);
  expect([...found, ...long.filter(isMuch)]).toEqual([]);
  expect(await problemsOf(server.pool)).toEqual([]);
});

it("looks at no more rows than it needs to where most groups are unlike the one that is written", async () => {
  const { connection, long } = await watched();
  await connection.query(`
    INSERT INTO group_members (group_id, user_id, role_level) SELECT 'g' || n, 'bot', 60 FROM rows;
    INSERT INTO group_requests (group_id, user_id) SELECT 'g' || n, 'a' || m FROM rows, generate_series(1, 2) m`);
  await settleAll(connection);
  await connection.query("ANALYZE");
  await connection.query(`
    INSERT INTO group_members (group_id, user_id, role_level) SELECT 'big', 'u' || n, 60 FROM rows WHERE n <= 200;
    INSERT INTO group_requests (group_id, user_id) SELECT 'big', 'a' || n FROM rows WHERE n <= 200`);
  await settleAll(connection);
  long.length = 0;
  await connection.query("UPDATE group_members SET role_level = 20 WHERE group_id = 'big'");
  await settleAll(connection);
  expect(long.filter(isMuch)).toEqual([]);
  expect(await problemsOf(server.pool)).toEqual([]);
});

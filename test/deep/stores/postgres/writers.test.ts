import type pg from "pg";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { type BundledStore, createPostgresStore } from "../../../../src/stores/postgres/index.js";
import { randomOf, rounds, seed } from "../../../helpers/chance.js";
import { openMigrated } from "../../../helpers/postgres/migrated.js";
import { postgresForFile } from "../../../helpers/postgres/server.js";
import {
  connect,
  fill,
  migrateSmall,
  poolOfRole,
  problemsOf,
  settle,
  settleOnce,
} from "../../../helpers/postgres/sessions.js";

const server = postgresForFile();
const page = { offset: 0, limit: 3 };

let store: BundledStore;
beforeEach(async () => {
  store = await openMigrated(server.pool, {
    users: Array.from({ length: 100 }, (_, index) => ({ userID: `u${index}` })),
    groups: [{ groupID: "g1" }, { groupID: "g2" }],
  });
});

const membersOf = (groupID: string, offset = 0) => store.listGroupMembers({ groupID, keyword: "", offset, limit: 3 });
const totalOf = async (groupID: string) => (await membersOf(groupID))?.total;

const member = (userID: string, roleLevel = 20, groupID = "g1") =>
  `INSERT INTO im_admin.group_members (group_id, user_id, role_level) VALUES ('${groupID}', '${userID}', ${roleLevel})`;
const request = (userID: string, groupID = "g1") =>
  `INSERT INTO im_admin.group_requests (group_id, user_id) VALUES ('${groupID}', '${userID}')`;

/** The requests that a user receives. */
async function requestsFor(userID: string): Promise<string[] | undefined> {
  const received = await store.listReceivedGroupRequests({ userID, offset: 0, limit: 10 });
  return received?.items.map(({ groupInfo, userInfo }) => `${groupInfo.groupID} ${userInfo.userID}`).sort();
}

/** All orders in which the statements of two connections may run. */
function* interleavings<Statement>(left: readonly Statement[], right: readonly Statement[]): Generator<Statement[]> {
  const [ofLeft, ...afterLeft] = left;
  const [ofRight, ...afterRight] = right;
  if (ofLeft === undefined || ofRight === undefined) yield [...left, ...right];
  else {
    for (const rest of interleavings(afterLeft, right)) yield [ofLeft, ...rest];
    for (const rest of interleavings(left, afterRight)) yield [ofRight, ...rest];
  }
}

/** Two transactions of each level in the orders in which they may run: all of them in a deep run, and some in others. */
async function eachOrder(
  levels: readonly string[],
  [left, right]: readonly [readonly string[], readonly string[]],
  attempt: (statements: { connection: pg.PoolClient; text: string }[]) => Promise<void>,
): Promise<void> {
  const [one, other] = [await connect(server.pool), await connect(server.pool)];
  const cases = levels.flatMap((level) => {
    const statements = (connection: pg.PoolClient, own: readonly string[]) =>
      [`BEGIN ISOLATION LEVEL ${level}`, ...own, "COMMIT"].map((text) => ({ connection, text }));
    return [...interleavings(statements(one, left), statements(other, right))];
  });
  const random = randomOf(seed);
  const shuffled = cases.map((statements) => ({ statements, place: random() })).sort((a, b) => a.place - b.place);
  for (const { statements } of shuffled.slice(0, rounds(150))) {
    const order = statements.map(({ connection, text }) => `${connection === one}: ${text}`);
    await attempt(statements).catch((error) => Promise.reject(new Error(`in the order ${order}`, { cause: error })));
  }
}

it("finds a member who joins while another session renames the profile, in every order, settled or not", async () => {
  await migrateSmall(server.pool, "searched");
  onTestFinished(async () => void (await server.pool.query("DROP SCHEMA searched CASCADE")));
  const searched = createPostgresStore({ pool: server.pool, schema: "searched" });
  const groupMembers = Array.from({ length: 20 }, (_, index) => ({ groupID: "g1", userID: `v${index}` }));
  await searched.put({ users: [{ userID: "u1" }], groups: [{ groupID: "g1" }], groupMembers });
  const found = async () => {
    const members = await searched.listGroupMembers({ groupID: "g1", keyword: "ann", ...page });
    return members?.items.map(({ userID }) => userID);
  };
  const joining = ["INSERT INTO searched.group_members (group_id, user_id) VALUES ('g1', 'u1')"];
  const naming = ["UPDATE searched.users SET nickname = 'Ann' WHERE user_id = 'u1'"];
  await eachOrder(["READ COMMITTED", "REPEATABLE READ"], [joining, naming], async (statements) => {
    await server.pool.query(
      "DELETE FROM searched.group_members WHERE user_id = 'u1'; UPDATE searched.users SET nickname = ''",
    );
    await settle(server.pool, "searched");
    for (const { connection, text } of statements) {
      await connection.query(text);
      await settleOnce(server.pool, "searched");
    }
    expect(await found()).toEqual(["u1"]);
    await settle(server.pool, "searched");
    expect(await found()).toEqual(["u1"]);
  });
});

it("lets no writer wait for another of the same list, or for who settles", async () => {
  const first = await connect(server.pool);
  await first.query(`BEGIN; ${fill("v", 2000)}`);
  const settling = await connect(server.pool);
  await settling.query("BEGIN; SELECT im_admin.settle()");
  const second = await connect(server.pool);
  await second.query("SET lock_timeout = '1s'");
  await second.query(fill("w", 2000));
  await second.query("UPDATE im_admin.group_members SET join_time = 1 WHERE user_id LIKE 'w1%'");
  await second.query("DELETE FROM im_admin.group_members WHERE user_id LIKE 'w2%'");
  await first.query("COMMIT");
  await settling.query("COMMIT");
  expect(await totalOf("g1")).toBe(3888);
});

it.each(["READ COMMITTED", "REPEATABLE READ"])(
  "lists what was written before a list got its tree, and committed after it, %s",
  async (level) => {
    const early = await connect(server.pool);
    await early.query(`BEGIN ISOLATION LEVEL ${level}; ${member("u1")}`);
    await server.pool.query(fill("v", 500));
    await settle(server.pool);
    const { rows } = await server.pool.query("SELECT total::integer FROM im_admin.lists WHERE list = 'group_members'");
    expect([rows, await totalOf("g1")]).toEqual([[{ total: 500 }], 500]);
    await early.query(`${member("u2")}; COMMIT`);
    expect(await totalOf("g1")).toBe(502);
    await settle(server.pool);
    await early.query("DELETE FROM im_admin.group_members WHERE user_id = 'u1'");
    expect(await totalOf("g1")).toBe(501);
    expect(await problemsOf(server.pool)).toEqual([]);
  },
);

it.each([
  ["a member joins", member("u1"), 2],
  ["a member is shown otherwise", "UPDATE im_admin.group_members SET face_url = 'x', mute_end_time = 7", 0],
  ["members get other nicknames", "UPDATE im_admin.group_members SET nickname = 'x'", 5],
  ["members get other places in both of their lists", "UPDATE im_admin.group_members SET join_time = 7", 4 * 5],
  ["members get other roles", "UPDATE im_admin.group_members SET role_level = 60", 2 * 5],
  ["members leave", "DELETE FROM im_admin.group_members", 2 * 5],
  ["somebody asks to join", request("u1"), 2],
  ["a user gets another avatar", "UPDATE im_admin.users SET face_url = 'x' WHERE user_id = 'u1'", 0],
  ["users get other nicknames", "UPDATE im_admin.users SET nickname = 'x'", 100],
  ["a user becomes an account", "UPDATE im_admin.users SET app_manger_level = 3 WHERE user_id = 'u1'", 2],
])("appends a few rows for each row, and none for what is only shown: %s", async (_, statement, expected) => {
  await server.pool.query(fill("v", 5));
  await settle(server.pool);
  await server.pool.query(statement);
  const { rows } = await server.pool.query(`
    SELECT count(*)::integer AS appended FROM im_admin.list_changes
      WHERE list IN ('changed_names', 'group_members', 'joined_groups', 'group_requests', 'group_requests_by_result',
        'notification_accounts', 'notification_accounts_by_level')`);
  expect(rows).toEqual([{ appended: expected }]);
});

it("counts the writes of a host that settles earlier in the same transaction", async () => {
  await server.pool.query(fill("v", 300));
  await settle(server.pool);
  const host = await connect(server.pool);
  await host.query(`BEGIN; ${member("u1")}; SELECT im_admin.settle(); ${fill("w", 3)}; COMMIT`);
  expect(await totalOf("g1")).toBe(304);
  await server.pool.query(member("u2"));
  await host.query(`BEGIN; SELECT im_admin.settle(); ${fill("x", 3)}; COMMIT`);
  expect([await totalOf("g1"), await problemsOf(server.pool)]).toEqual([308, []]);
});

it("builds a list with many changes again, after any other list", async () => {
  await server.pool.query(`${fill("v", 9000, "g2")}; ${fill("v", 200)}`);
  await settle(server.pool);
  await server.pool.query(`UPDATE im_admin.group_members SET join_time = 7; ${member("u1")}`);
  expect(await settleOnce(server.pool)).toBeGreaterThan(400);
  await settle(server.pool);
  expect([await totalOf("g2"), await totalOf("g1"), await problemsOf(server.pool)]).toEqual([9000, 201, []]);
});

it("has no deadlock where writers of the same lists write rows of their own", async () => {
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    const connection = await connect(server.pool);
    for (let index = 0; index < 20 + rounds(80); index += 1) {
      await connection.query(`BEGIN ISOLATION LEVEL ${index % 2 ? "READ COMMITTED" : "REPEATABLE READ"}`);
      for (const groupID of index % 3 ? ["g1", "g2"] : ["g2", "g1"]) {
        await connection.query(member(`w${writer}-${index}`, 20, groupID));
        await connection.query(
          `UPDATE im_admin.group_members SET join_time = ${index} WHERE user_id = 'w${writer}-${index}'`,
        );
      }
      await connection.query("COMMIT");
    }
  });
  await Promise.all(writers);
  expect(await totalOf("g2")).toBe(8 * (20 + rounds(80)));
});

it("writes all that it keeps where a host publishes every table", async () => {
  await server.pool.query("CREATE PUBLICATION everything FOR ALL TABLES");
  onTestFinished(async () => void (await server.pool.query("DROP PUBLICATION everything")));
  await server.pool.query(`${fill("v", 3000)}; ${request("u2")}; ${member("u1", 100)}`);
  await settle(server.pool);
  await server.pool.query("UPDATE im_admin.users SET nickname = 'Ann' WHERE user_id = 'u1'");
  await server.pool.query("UPDATE im_admin.group_members SET join_time = 7 WHERE user_id = 'v7'");
  await server.pool.query("DELETE FROM im_admin.group_members WHERE user_id LIKE 'v1%'");
  await settle(server.pool);
  expect(await totalOf("g1")).toBe(1890);
  expect(await store.listGroupMembers({ groupID: "g1", keyword: "ann", ...page })).toMatchObject({ total: 1 });
  expect(await store.listReceivedGroupRequests({ userID: "u1", ...page })).toMatchObject({ total: 1 });
  expect(await problemsOf(server.pool)).toEqual([]);
});

it.each([
  { table: "group_members", isolation: "READ COMMITTED", total: 1 },
  { table: "group_members", isolation: "REPEATABLE READ", total: 1 },
  { table: "group_requests", isolation: "SERIALIZABLE", total: 501 },
])("forgets what it keeps when $table is truncated, $isolation", async ({ table, isolation, total }) => {
  await server.pool.query(`${fill("v", 499)}; ${member("u1", 60)}; ${request("u2")}`);
  await settle(server.pool);
  expect(await requestsFor("u1")).toEqual(["g1 u2"]);
  const connection = await connect(server.pool);
  await connection.query(`BEGIN ISOLATION LEVEL ${isolation}; SELECT`);
  await connection.query(`TRUNCATE im_admin.${table}; COMMIT; ${member("u2")}`);
  for (const isSettled of [false, true]) {
    if (isSettled) await settle(server.pool);
    expect([await totalOf("g1"), await requestsFor("u1")]).toEqual([total, []]);
    expect(await problemsOf(server.pool)).toEqual([]);
  }
});

it("settles later if a host truncates one table after the other", async () => {
  const host = await connect(server.pool);
  await host.query("BEGIN; TRUNCATE im_admin.users");
  expect(await settleOnce(server.pool)).toBeNull();
  await host.query("TRUNCATE im_admin.group_members; COMMIT");
  await settle(server.pool);
});

it("counts the writes of a role that may only write records, and ignores its temporary tables of the same names", async () => {
  const pool = await poolOfRole(
    server.pool,
    "host",
    `GRANT USAGE ON SCHEMA im_admin TO host;
    GRANT SELECT, INSERT, UPDATE, DELETE ON im_admin.group_members TO host`,
  );
  const connection = await connect(pool);
  await connection.query(`
    CREATE TEMPORARY TABLE list_changes (list integer, owner text, key text, change integer);
    CREATE TEMPORARY TABLE lists (list integer, owner text)`);
  await connection.query(fill("v", 500));
  await connection.query("UPDATE im_admin.group_members SET role_level = 60 WHERE user_id = 'v7'");
  await connection.query("DELETE FROM im_admin.group_members WHERE user_id LIKE 'v1%'");
  await expect(connection.query("DELETE FROM im_admin.list_changes")).rejects.toThrow("permission denied");
  expect(await membersOf("g1")).toMatchObject({
    total: 389,
    items: [{ userID: "v7" }, { userID: "v2" }, { userID: "v20" }],
  });
});

it("has as many leaves as a list has use for, when it has grown and when most of it is gone", async () => {
  const leaves = async () => {
    await settle(server.pool);
    const { rows } = await server.pool.query(
      "SELECT count(*)::integer AS leaves FROM im_admin.list_nodes WHERE list = 'group_members' AND level = 1",
    );
    return rows[0].leaves;
  };
  await server.pool.query(fill("v", 20_000));
  expect(await leaves()).toBe(417);
  // After so few deletions, the list is not built again because of them.
  for (let portion = 0; portion < 10; portion += 1) {
    await server.pool.query(`
      DELETE FROM im_admin.group_members WHERE user_id IN (
        SELECT user_id FROM im_admin.group_members WHERE user_id NOT LIKE 'v11%' LIMIT 1900)`);
    await settle(server.pool);
  }
  expect(await leaves()).toBeLessThan(80);
  const last = await store.listGroupMembers({ groupID: "g1", keyword: "", offset: 1110, limit: 3 });
  expect([last?.total, last?.items.map(({ userID }) => userID)]).toEqual([1111, ["v11999"]]);
});

it("finds who joins where the members of a leaf have left, all at once", async () => {
  const pool = server.pool;
  await migrateSmall(pool, "emptied");
  const emptied = createPostgresStore({ pool, schema: "emptied", settle: false });
  const join = (userID: string, joinTime: number) => ({ groupID: "g1", userID, joinTime });
  const early = ["v0", "v1", "v2"];
  await emptied.put({
    groups: [{ groupID: "g1" }],
    groupMembers: [...early, ...Array.from({ length: 27 }, (_, index) => `v${index + 3}`)].map(join),
  });
  await settle(pool, "emptied");
  // Three members of the first leaf leave, and three others come and go.
  const others = ["x0", "x1", "x2"];
  await emptied.put({ groupMembers: others.map((userID) => join(userID, 0)) });
  await emptied.remove({ groupMembers: [...early, ...others].map((userID) => ({ groupID: "g1", userID })) });
  await settle(pool, "emptied");
  await emptied.put({ groupMembers: [join("first", 0)] });
  await settle(pool, "emptied");
  expect(await emptied.listGroupMembers({ groupID: "g1", keyword: "first", offset: 0, limit: 3 })).toMatchObject({
    total: 1,
    items: [{ userID: "first" }],
  });
});

it("keeps a line of words for an entry whose row is gone before it is settled", async () => {
  const connection = await connect(server.pool);
  await connection.query("SET search_path = im_admin");
  const { rows } = await connection.query(`
    SELECT entries, string_to_array(array_to_string(words, chr(10)), chr(10)) AS lines
      FROM merged_leaf('{}', '{}', '{key}', '{1}', ARRAY[NULL])`);
  expect(rows).toEqual([{ entries: ["key"], lines: ["\u001f"] }]);
});

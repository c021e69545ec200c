import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { createPostgresStore, migratePostgres } from "../../../src/stores/postgres/index.js";
import { quoted } from "../../../src/stores/postgres/sql.js";
import { checkLists } from "../../../src/stores/postgres/upkeep/checkAll.js";
import { repairLists } from "../../../src/stores/postgres/upkeep/repair.js";
import { openMigrated } from "../../helpers/postgres/migrated.js";
import { type PostgresServer, startPostgres } from "../../helpers/postgres/server.js";

let server: PostgresServer;
const schema = quoted("im_admin");
beforeAll(async () => {
  server = await startPostgres({ deadlock_timeout: "100ms" });
  await migratePostgres(server.pool);
});
afterAll(() => server.stop());

beforeEach(async () => {
  await repairLists(server.pool, schema);
  const store = await openMigrated(server.pool, { groups: [{ groupID: "g1" }] });
  const groupMembers = Array.from({ length: 20_000 }, (_, index) => ({ groupID: "g1", userID: `u${index}` }));
  await store.put({ groupMembers });
  await store.put({ groupMembers: groupMembers.slice(0, 5).map((member) => ({ ...member, joinTime: 5 })) });
});

const problems = async () => (await checkLists(server.pool, schema)).map(({ problem }) => problem);

async function total(): Promise<number | undefined> {
  const query = { groupID: "g1", keyword: "", offset: 0, limit: 1 };
  return (await createPostgresStore({ pool: server.pool }).listGroupMembers(query))?.total;
}

it("finds nothing where nothing is wrong", async () => {
  expect(await checkLists(server.pool, schema)).toEqual([]);
  const { rows } = await server.pool.query("SELECT max(level) AS height FROM im_admin.list_nodes");
  expect(rows).toEqual([{ height: 2 }]);
});

it.each([
  [
    "UPDATE im_admin.list_totals SET total = total + 1",
    ["lists of group_members have a wrong total", "levels of lists do not add up to the total"],
  ],
  [
    "UPDATE im_admin.list_nodes SET totals[3] = totals[3] + 1 WHERE level = 1 AND start = ''",
    [
      "nodes of group_members count wrongly",
      "levels of lists do not add up to the total",
      "nodes do not count what those below them count",
    ],
  ],
  [
    "UPDATE im_admin.list_nodes SET totals[1] = totals[1] + 1, totals[2] = totals[2] - 1 WHERE level = 2",
    ["nodes do not count what those below them count"],
  ],
  [
    "UPDATE im_admin.list_nodes SET bounds[2] = bounds[2] || '0' WHERE level = 2",
    ["nodes do not count what those below them count"],
  ],
  [
    "UPDATE im_admin.list_nodes SET bounds[2] = bounds[1] WHERE level = 1 AND start = ''",
    ["nodes of group_members count wrongly", "nodes do not follow one another"],
  ],
  [
    "DELETE FROM im_admin.list_nodes WHERE level = 1 AND start <> ''",
    [
      "levels of lists do not add up to the total",
      "nodes do not follow one another",
      "nodes do not count what those below them count",
    ],
  ],
  ["DELETE FROM im_admin.list_nodes WHERE level = 2", ["levels of lists do not add up to the total"]],
  [
    `INSERT INTO im_admin.list_nodes (list, owner, level, start, version, bounds, totals)
      SELECT list, owner, 3, '', version, ARRAY['', ':'], ARRAY[total] FROM im_admin.list_totals`,
    ["nodes belong to no list"],
  ],
  [
    `INSERT INTO im_admin.list_totals (list, owner, version, total, height, folded_before)
      SELECT list, owner, '1', total, height, folded_before FROM im_admin.list_totals`,
    ["lists are counted in part"],
  ],
  ["DELETE FROM im_admin.lists", ["lists are counted in part", "documents belong to no group that is searched"]],
  ["DELETE FROM im_admin.list_totals", ["lists are counted in part", "nodes belong to no list"]],
  ["DROP TRIGGER blacks_insert ON im_admin.blacks", ["triggers are missing or disabled"]],
  ["ALTER TABLE im_admin.users DISABLE TRIGGER ALL", ["triggers are missing or disabled"]],
  [
    "SET session_replication_role = replica; DELETE FROM im_admin.group_members WHERE user_id = 'u7'; RESET session_replication_role",
    [
      "lists of group_members have a wrong total",
      "nodes of group_members count wrongly",
      "documents are not what members and their profiles say",
    ],
  ],
  [
    "SET session_replication_role = replica; INSERT INTO im_admin.users (user_id, nickname) VALUES ('u8', 'Ann'); RESET session_replication_role",
    ["documents are not what members and their profiles say"],
  ],
  ["DELETE FROM im_admin.documents WHERE words LIKE '%u9%'", ["documents are not what members and their profiles say"]],
  [
    "UPDATE im_admin.documents SET key = key || 'x' WHERE words LIKE '%u9%'",
    ["documents are not what members and their profiles say"],
  ],
  ["DELETE FROM im_admin.searched_groups", ["documents belong to no group that is searched"]],
  ["DROP TRIGGER users_update ON im_admin.users", ["triggers are missing or disabled"]],
  ["DROP TRIGGER users_truncate ON im_admin.users", ["triggers are missing or disabled"]],
])("finds and repairs what %s does", async (statement, expected) => {
  await server.pool.query(statement);
  expect(await problems()).toEqual(expected);
  await repairLists(server.pool, schema);
  expect(await problems()).toEqual([]);
  expect(await total()).toBe(statement.includes("'u7'") ? 19_999 : 20_000);
});

it("counts anew what was restored from another server, whose transactions it names", async () => {
  // As after a restore: the changes of this server have lower numbers than those that are said to be folded.
  await server.pool.query("UPDATE im_admin.list_totals SET folded_before = '1000000000000'");
  await server.pool.query("UPDATE im_admin.schema_version SET home = 'another server'");
  // A transaction that sees only what was there before does not fold, so that its change stays one to be counted.
  await server.pool.query(`
    BEGIN ISOLATION LEVEL REPEATABLE READ;
    INSERT INTO im_admin.group_members (group_id, user_id) VALUES ('g1', 'new');
    COMMIT`);
  expect(await total()).toBe(20_000);
  await migratePostgres(server.pool);
  expect(await total()).toBe(20_001);
  expect(await problems()).toEqual([]);
});

it("counts anew what was restored into an earlier copy of its server, where transactions are still to come", async () => {
  await server.pool.query("UPDATE im_admin.list_totals SET version = '1000000000000', folded_before = '1000000000000'");
  await server.pool.query("INSERT INTO im_admin.group_members (group_id, user_id) VALUES ('g1', 'late')");
  await migratePostgres(server.pool);
  const { rows } = await server.pool.query(
    "SELECT max(version)::text::bigint < 1000000000 AS is_past FROM im_admin.list_totals",
  );
  expect(rows).toEqual([{ is_past: true }]);
  expect(await problems()).toEqual([]);
});

it("says where there is nothing of ours", async () => {
  expect(await checkLists(server.pool, quoted("elsewhere"))).toEqual([
    {
      kind: "unmendable",
      problem: 'the schema "elsewhere" has no tables of im-admin',
      count: 1,
      advice: "migrate it, or name the schema that has the tables",
    },
  ]);
});

/** A connection of its own, in a transaction. */
async function begun() {
  const connection = await server.pool.connect();
  onTestFinished(() => connection.release(true));
  await connection.query("BEGIN");
  return connection;
}

/** How many statements wait for locks at the server. */
async function waiting(): Promise<number> {
  const { rows } = await server.pool.query(
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  );
  return rows.length;
}

it.each([
  ["a repair", () => repairLists(server.pool, schema)],
  [
    "a restore",
    async () => {
      await server.pool.query("UPDATE im_admin.schema_version SET home = 'another server'");
      await migratePostgres(server.pool);
    },
  ],
])("has no deadlock between %s and who writes users before their memberships", async (_, rebuild) => {
  const writer = await begun();
  await writer.query("INSERT INTO im_admin.users (user_id) VALUES ('new')");
  const rebuilt = rebuild();
  await expect.poll(waiting, { timeout: 15_000 }).toBe(1);
  await writer.query("INSERT INTO im_admin.group_members (group_id, user_id) VALUES ('g1', 'new')");
  await writer.query("COMMIT");
  await rebuilt;
  expect(await total()).toBe(20_001);
});

it("has no deadlock between a repair and a request that its receivers are still to be told", async () => {
  const request = "INSERT INTO im_admin.group_requests (group_id, user_id) VALUES ('g1', 'new')";
  await server.pool.query("UPDATE im_admin.group_members SET role_level = 60 WHERE user_id = 'u1'");
  const earlier = await begun();
  const writer = await begun();
  await earlier.query(request);
  const written = writer.query(request);
  await expect.poll(waiting, { timeout: 15_000 }).toBe(1);
  const repaired = repairLists(server.pool, schema);
  await expect.poll(waiting, { timeout: 15_000 }).toBe(2);
  await earlier.query("ROLLBACK");
  await written;
  await writer.query("COMMIT");
  await repaired;
  expect(await problems()).toEqual([]);
});

it("has no deadlock between repairs and those who settle what is left", async () => {
  let isOver = false;
  const errors: string[] = [];
  const settling = async () => {
    while (!isOver) {
      await server.pool.query("SELECT im_admin.list_settle()").catch((error) => errors.push(error.message));
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
    }
  };
  await server.pool.query("TRUNCATE im_admin.group_members");
  const settlers = [settling(), settling()];
  for (let count = 0; count < 10; count += 1) await repairLists(server.pool, schema);
  isOver = true;
  await Promise.all(settlers);
  expect(errors).toEqual([]);
});

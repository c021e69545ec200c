import { expect, it } from "vitest";
import { lists } from "../../../../src/stores/lists/index.js";
import { createPostgresStore, migratePostgres } from "../../../../src/stores/postgres/index.js";
import { quoted } from "../../../../src/stores/postgres/sql.js";
import { checkLists } from "../../../../src/stores/postgres/upkeep/checkAll.js";
import { repairLists } from "../../../../src/stores/postgres/upkeep/repair.js";
import { snakeCase } from "../../../../src/stores/snakeCase.js";
import { randomOf, rounds, seed } from "../../../helpers/chance.js";
import { postgresForFile } from "../../../helpers/postgres/server.js";
import { connect, migrateSmall, problemsOf, settle } from "../../../helpers/postgres/sessions.js";

const listsDiffer = "lists of group_members are not what the rows say";
/** The same of all lists that a group has of its members. */
const allDiffer = lists
  .filter(({ table, owner }) => table === "groupMembers" && owner === "groupID")
  .map(({ name }) => `lists of ${snakeCase(name)} are not what the rows say`);
const countsDiffer = "lists and nodes do not count what is below them";
const disorder = "keys are not in their order";
const triggersMissing = "triggers are missing or disabled";

const unnoticed = (statement: string) =>
  `SET session_replication_role = replica; ${statement}; RESET session_replication_role`;

/**
 * What somebody may do to a schema whose group g1 has a tree of several levels, and what a check says of it. User u1
 * manages the group.
 */
const corruptions: readonly [statement: string, problems: readonly string[]][] = [
  ["UPDATE im_admin.lists SET total = total + 1 WHERE list = 'group_members'", [countsDiffer]],
  ["UPDATE im_admin.lists SET height = height + 1 WHERE list = 'group_members'", [countsDiffer]],
  [
    "UPDATE im_admin.list_nodes SET totals[1] = totals[1] + 1, totals[2] = totals[2] - 1 WHERE list = 'group_members' AND level = 2 AND start = ''",
    [countsDiffer],
  ],
  [
    "UPDATE im_admin.list_nodes SET entries[2] = entries[2] || '0' WHERE list = 'group_members' AND level = 2 AND start = ''",
    [countsDiffer],
  ],
  [
    "UPDATE im_admin.list_nodes SET entries[2] = entries[1] WHERE list = 'group_members' AND level = 1 AND start = ''",
    [listsDiffer, disorder],
  ],
  [
    "DELETE FROM im_admin.list_nodes WHERE list = 'group_members' AND level = 1 AND start <> ''",
    [listsDiffer, countsDiffer],
  ],
  ["DELETE FROM im_admin.list_nodes WHERE list = 'group_members' AND level = 2 AND start = ''", [countsDiffer]],
  ["DELETE FROM im_admin.lists WHERE list = 'group_members'", [countsDiffer]],
  ["DROP TRIGGER zz_im_admin_blacks_insert ON im_admin.blacks", [triggersMissing]],
  ["DROP TRIGGER zz_im_admin_users_update ON im_admin.users", [triggersMissing]],
  ["DROP TRIGGER zz_im_admin_users_truncate ON im_admin.users", [triggersMissing]],
  ["ALTER TABLE im_admin.users DISABLE TRIGGER ALL", [triggersMissing]],
  [unnoticed("DELETE FROM im_admin.group_members WHERE user_id = 'u7'"), allDiffer],
  [unnoticed("INSERT INTO im_admin.users (user_id, nickname) VALUES ('u8', 'Ann')"), allDiffer],
  ["UPDATE im_admin.list_nodes SET words = replace(words, 'u9', 'x9') WHERE words LIKE '%u9%'", allDiffer],
  [
    "INSERT INTO im_admin.list_changes (list, owner, key, change) VALUES ('group_members', 'g1', 'x', 1)",
    [listsDiffer],
  ],
];

const schema = quoted("im_admin");
const server = postgresForFile(undefined, { deadlock_timeout: "100ms" });

const groupMembers = Array.from({ length: 40 }, (_, index) => ({
  groupID: "g1",
  userID: `u${index}`,
  roleLevel: index === 1 ? 60 : 20,
}));
const groupRequests = [{ groupID: "g1", userID: "u2" }];
const world = { groups: [{ groupID: "g1" }], groupMembers, groupRequests };

/** Begins anew, with small nodes. */
async function fillWithSmallNodes(): Promise<void> {
  await server.pool.query("DROP SCHEMA IF EXISTS im_admin CASCADE");
  await migrateSmall(server.pool);
  await createPostgresStore({ pool: server.pool }).put(world);
  await settle(server.pool);
}

async function total(): Promise<number | undefined> {
  const query = { groupID: "g1", keyword: "", offset: 0, limit: 1 };
  return (await createPostgresStore({ pool: server.pool, settle: false }).listGroupMembers(query))?.total;
}

it("finds each corruption, and nothing in a right database", async () => {
  await fillWithSmallNodes();
  expect(await checkLists(server.pool, schema)).toEqual([]);
  const { rows } = await server.pool.query("SELECT max(level)::integer AS height FROM im_admin.list_nodes");
  expect(rows).toEqual([{ height: 4 }]);
  // It looks in a transaction that is taken back, so that all is right again for the next one.
  const connection = await connect(server.pool);
  const query = async (text: string, values?: unknown[]) =>
    /^(BEGIN|COMMIT)/.test(text) ? { rows: [] } : connection.query(text, values);
  const inside = { query, connect: async () => ({ query, release: () => {} }) };
  for (const [statement, problems] of corruptions) {
    await connection.query("BEGIN");
    await connection.query(statement);
    expect([statement, await problemsOf(inside)]).toEqual([statement, problems]);
    await connection.query("ROLLBACK");
  }
});

it("names the lists and the rows that differ, three of them at most", async () => {
  await fillWithSmallNodes();
  await server.pool.query(`
    SET session_replication_role = replica;
    DELETE FROM im_admin.group_members WHERE user_id LIKE 'u3_';
    RESET session_replication_role`);
  const found = await checkLists(server.pool, schema);
  expect(found.map(({ problem }) => problem)).toEqual(allDiffer);
  expect(found.filter(({ problem }) => problem === listsDiffer)).toEqual([
    {
      kind: "wrong",
      problem: "lists of group_members are not what the rows say",
      count: 10,
      examples: ["group_members g1: u30", "group_members g1: u31", "group_members g1: u32"],
    },
  ]);
});

it("repairs all of it at once", async () => {
  await server.pool.query("DROP SCHEMA IF EXISTS im_admin CASCADE");
  await migratePostgres(server.pool);
  const store = createPostgresStore({ pool: server.pool });
  const others = Array.from({ length: 2500 }, (_, index) => ({ groupID: "g1", userID: `v${index}`, joinTime: 1 }));
  await store.put({ ...world, users: [{ userID: "u1" }], groupMembers: [...groupMembers, ...others] });
  await settle(server.pool);
  for (const [statement] of corruptions) await server.pool.query(statement.replace("DROP TRIGGER", "$& IF EXISTS"));
  expect(await problemsOf(server.pool)).not.toEqual([]);
  await repairLists(server.pool, schema);
  expect(await problemsOf(server.pool)).toEqual([]);
  const list = { groupID: "g1", keyword: "", offset: 2538, limit: 1 };
  expect(await store.listGroupMembers(list)).toMatchObject({ total: 2539, items: [{ userID: "v999" }] });
  expect((await store.listGroupMembers({ ...list, keyword: "v99" }))?.total).toBe(11);
  expect((await store.listReceivedGroupRequests({ userID: "u1", offset: 0, limit: 1 }))?.total).toBe(1);
  const { rows } = await server.pool.query(
    "SELECT list, owner, total::integer FROM im_admin.lists WHERE list = 'group_members'",
  );
  expect(rows).toEqual([{ list: "group_members", owner: "g1", total: 2539 }]);
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

it.each([
  {
    where: "to another server, whose transactions have lower numbers",
    restored: "UPDATE im_admin.lists SET settled_before = '1000000000000'",
  },
  {
    where: "to another server, whose transactions have higher numbers",
    restored: "UPDATE im_admin.lists SET settled_in = 1, settled_before = pg_snapshot_xmax(pg_current_snapshot())",
  },
])("answers and settles what was restored $where", async ({ restored }) => {
  await fillWithSmallNodes();
  await server.pool.query("INSERT INTO im_admin.group_members (group_id, user_id) VALUES ('g1', 'pending')");
  await server.pool.query(`
    ${restored}; UPDATE im_admin.settle_position SET server = 'another';
    UPDATE im_admin.list_changes SET transaction = '2000000000000'`);
  await server.pool.query("INSERT INTO im_admin.group_members (group_id, user_id) VALUES ('g1', 'new')");
  expect(await total()).toBe(42);
  await settle(server.pool);
  expect([await total(), await problemsOf(server.pool)]).toEqual([42, []]);
  const { rows } = await server.pool.query(
    "SELECT FROM im_admin.lists WHERE settled_before > pg_snapshot_xmax(pg_current_snapshot())",
  );
  expect(rows).toEqual([]);
});

it("notices that data alone was restored, and builds the lists again", async () => {
  await fillWithSmallNodes();
  await server.pool.query(`
    INSERT INTO im_admin.schema_version SELECT * FROM im_admin.schema_version;
    INSERT INTO im_admin.list_changes (list, owner, key, change)
      SELECT list, owner, entry, 1 FROM im_admin.list_nodes, unnest(entries) entry WHERE level = 1`);
  await migratePostgres(server.pool);
  await settle(server.pool);
  expect([await total(), await problemsOf(server.pool)]).toEqual([40, []]);
});

it("tells that the schema was renamed, and mends it", async () => {
  await fillWithSmallNodes();
  await server.pool.query("ALTER SCHEMA im_admin RENAME TO moved");
  const moved = quoted("moved");
  const found = await checkLists(server.pool, moved);
  expect(found.map(({ problem }) => problem)).toEqual([
    "functions look for their tables in a schema that was called otherwise, and writes fail",
  ]);
  await repairLists(server.pool, moved);
  expect(await checkLists(server.pool, moved)).toEqual([]);
  await createPostgresStore({ pool: server.pool, schema: "moved" }).put({
    groupMembers: [{ groupID: "g1", userID: "new" }],
  });
  await server.pool.query("DROP SCHEMA moved CASCADE");
});

it("lets others write while it repairs", async () => {
  await fillWithSmallNodes();
  const writer = await connect(server.pool);
  await writer.query("BEGIN; INSERT INTO im_admin.users (user_id) VALUES ('new')");
  await writer.query("INSERT INTO im_admin.group_members (group_id, user_id) VALUES ('g1', 'new')");
  await server.pool.query("SELECT im_admin.rebuild_lists()");
  await settle(server.pool);
  await writer.query("COMMIT");
  expect([await total(), await problemsOf(server.pool)]).toEqual([41, []]);
});

it("has no deadlock between repairs and settling", async () => {
  const random = randomOf(seed);
  let isOver = false;
  const errors: string[] = [];
  const settling = async () => {
    while (!isOver) {
      await server.pool.query("SELECT im_admin.settle()").catch((error) => errors.push(error.message));
      // They are to meet repairs at other steps each time.
      await new Promise((resolve) => setTimeout(resolve, random() * 20));
    }
  };
  await fillWithSmallNodes();
  const settlers = [settling(), settling()];
  for (let count = 0; count < rounds(10); count += 1) await repairLists(server.pool, schema);
  isOver = true;
  await Promise.all(settlers);
  expect(errors).toEqual([]);
});

it("has a comment in the database on each table, view, sequence and function", async () => {
  await migratePostgres(server.pool);
  const { rows } = await server.pool.query(`
    SELECT oid::regclass::text AS name FROM pg_class
      WHERE relnamespace = 'im_admin'::regnamespace AND relkind IN ('r', 'v', 'S')
        AND obj_description(oid, 'pg_class') IS NULL
    UNION ALL
    SELECT oid::regprocedure::text FROM pg_proc
      WHERE pronamespace = 'im_admin'::regnamespace AND obj_description(oid, 'pg_proc') IS NULL`);
  expect(rows).toEqual([]);
});

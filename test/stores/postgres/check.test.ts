import { expect, it } from "vitest";
import { createPostgresStore, migratePostgres } from "../../../src/stores/postgres/index.js";
import { migrate } from "../../../src/stores/postgres/schema/migrate.js";
import { quoted } from "../../../src/stores/postgres/sql.js";
import { checkLists } from "../../../src/stores/postgres/upkeep/checkAll.js";
import { repairLists } from "../../../src/stores/postgres/upkeep/repair.js";
import { corruptions } from "../../helpers/postgres/corruptions.js";
import { postgresForFile } from "../../helpers/postgres/server.js";
import { connect, lockWaits, problemsOf, settle, smallSizes } from "../../helpers/postgres/sessions.js";

const schema = quoted("im_admin");
const server = postgresForFile((pool) => migrate(pool, schema, smallSizes), { deadlock_timeout: "100ms" });

const groupMembers = Array.from({ length: 40 }, (_, index) => ({
  groupID: "g1",
  userID: `u${index}`,
  roleLevel: index === 1 ? 60 : 20,
}));
const groupRequests = [{ groupID: "g1", userID: "u2" }];
const world = { groups: [{ groupID: "g1" }], groupMembers, groupRequests };

/** Counts all with small nodes, which a repair makes large ones of. */
async function fillWithSmallNodes(): Promise<void> {
  await server.pool.query("DROP SCHEMA im_admin CASCADE");
  await migrate(server.pool, schema, smallSizes);
  await createPostgresStore({ pool: server.pool }).put(world);
  await settle(server.pool);
}

async function total(): Promise<number | undefined> {
  const query = { groupID: "g1", keyword: "", offset: 0, limit: 1 };
  return (await createPostgresStore({ pool: server.pool }).listGroupMembers(query))?.total;
}

it("finds nothing where nothing is wrong, and whatever is wrong", async () => {
  await fillWithSmallNodes();
  expect(await checkLists(server.pool, schema)).toEqual([]);
  const { rows } = await server.pool.query("SELECT max(level) AS height FROM im_admin.list_nodes");
  expect(rows).toEqual([{ height: 2 }]);
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

it("repairs all of it at once", async () => {
  await server.pool.query("DROP SCHEMA im_admin CASCADE");
  await migratePostgres(server.pool);
  const store = createPostgresStore({ pool: server.pool });
  const others = Array.from({ length: 2500 }, (_, index) => ({ groupID: "g1", userID: `v${index}`, joinTime: 1 }));
  await store.put({ ...world, users: [{ userID: "u1" }], groupMembers: [...groupMembers, ...others] });
  for (const [statement] of corruptions) await server.pool.query(statement.replace("DROP TRIGGER", "$& IF EXISTS"));
  expect(await problemsOf(server.pool)).not.toEqual([]);
  await repairLists(server.pool, schema);
  expect(await problemsOf(server.pool)).toEqual([]);
  const list = { groupID: "g1", keyword: "", offset: 2538, limit: 1 };
  expect(await store.listGroupMembers(list)).toMatchObject({ total: 2539, items: [{ userID: "v999" }] });
  expect((await store.listGroupMembers({ ...list, keyword: "v99" }))?.total).toBe(11);
  expect((await store.listReceivedGroupRequests({ userID: "u1", offset: 0, limit: 1 }))?.total).toBe(1);
  const { rows } = await server.pool.query("SELECT owner, is_counted FROM im_admin.lists");
  expect(rows).toEqual([{ owner: "g1", is_counted: true }]);
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
    where: "to another server",
    // The changes of this server have lower numbers than those that are said to be folded.
    restored:
      "UPDATE im_admin.list_totals SET folded_before = '1000000000000'; UPDATE im_admin.schema_version SET home = 'another'",
    before: 40,
  },
  {
    where: "into an earlier copy of its server, where transactions are still to come",
    restored: "UPDATE im_admin.list_totals SET version = '1000000000000', folded_before = '1000000000000'",
    before: 41,
  },
])("counts anew what was restored $where", async ({ restored, before }) => {
  await fillWithSmallNodes();
  await server.pool.query(restored);
  // A transaction that sees only what was there before does not fold, so that its change stays one to be counted.
  await server.pool.query(`
    BEGIN ISOLATION LEVEL REPEATABLE READ;
    INSERT INTO im_admin.group_members (group_id, user_id) VALUES ('g1', 'new');
    COMMIT`);
  expect(await total()).toBe(before);
  await migratePostgres(server.pool);
  expect(await total()).toBe(41);
  const { rows } = await server.pool.query("SELECT FROM im_admin.list_totals WHERE version >= '1000000000'");
  expect([rows.length, await problemsOf(server.pool)]).toEqual([0, []]);
});

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
  await fillWithSmallNodes();
  const writer = await connect(server.pool);
  await writer.query("BEGIN; INSERT INTO im_admin.users (user_id) VALUES ('new')");
  const rebuilt = rebuild();
  await expect.poll(() => lockWaits(server.pool)).toBe(1);
  await writer.query("INSERT INTO im_admin.group_members (group_id, user_id) VALUES ('g1', 'new')");
  await writer.query("COMMIT");
  await rebuilt;
  expect(await total()).toBe(41);
});

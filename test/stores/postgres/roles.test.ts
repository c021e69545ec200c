import { expect, it, onTestFinished } from "vitest";
import { createPostgresStore, migratePostgres, settlePostgres } from "../../../src/stores/postgres/index.js";
import { quoted } from "../../../src/stores/postgres/sql.js";
import { checkLists } from "../../../src/stores/postgres/upkeep/checkAll.js";
import { repairLists } from "../../../src/stores/postgres/upkeep/repair.js";
import { openMigrated } from "../../helpers/postgres/migrated.js";
import { postgresForFile } from "../../helpers/postgres/server.js";
import { connect, poolOfRole } from "../../helpers/postgres/sessions.js";

const groupMembers = Array.from({ length: 600 }, (_, index) => ({
  groupID: "g1",
  userID: `u${index}`,
  joinTime: index,
}));
const users = groupMembers.map(({ userID }) => ({ userID }));
const server = postgresForFile((pool) => openMigrated(pool, { users, groups: [{ groupID: "g1" }], groupMembers }));

const refusal = 'query would be affected by row-level security policy for table "group_members"';
const page = { offset: 590, limit: 2 };
const everyList = async (store: ReturnType<typeof createPostgresStore>) => [
  (await store.listGroupMembers({ groupID: "g1", keyword: "", ...page }))?.total,
  (await store.listGroupMembers({ groupID: "g1", keyword: "u59", ...page }))?.total,
  (await store.listJoinedGroups({ userID: "u1", ...page }))?.total,
  (await store.listBlacks({ ownerUserID: "u1", ...page }))?.total,
  (await store.listReceivedGroupRequests({ userID: "u1", ...page }))?.total,
  (await store.listNotificationAccounts({ keyword: "", ...page })).total,
];

it("works for a role that owns nothing and may make nothing", async () => {
  const pool = await poolOfRole(
    server.pool,
    "im_admin_service",
    `GRANT USAGE ON SCHEMA im_admin TO im_admin_service;
    GRANT SELECT ON ALL TABLES IN SCHEMA im_admin TO im_admin_service;
    GRANT INSERT, UPDATE, DELETE ON im_admin.users, im_admin.groups, im_admin.group_members, im_admin.blacks,
      im_admin.group_requests, im_admin.conversations TO im_admin_service`,
  );
  await migratePostgres(pool);
  const store = createPostgresStore({ pool });
  await store.put({ groupMembers: [{ groupID: "g1", userID: "late" }] });
  await store.remove({ groupMembers: [{ groupID: "g1", userID: "late" }] });
  expect(await everyList(store)).toEqual([600, 11, 1, 0, 0, 0]);
  const conversation = { conversationID: "c1", conversationType: 3, userID: "", groupID: "g1" } as const;
  const change = { ...conversation, userIDs: ["u1"], fields: { isPinned: true } };
  expect(await store.setConversations(change)).toEqual({ outcome: "done", changedUserIDs: ["u1"] });
  await expect(pool.query("UPDATE im_admin.lists SET total = 0")).rejects.toThrow("permission denied for table lists");
  await expect(migratePostgres(pool, { schema: "elsewhere" })).rejects.toThrow("permission denied for database");
});

it("reads lists for a role that may only read", async () => {
  const pool = await poolOfRole(
    server.pool,
    "im_admin_reader",
    `GRANT USAGE ON SCHEMA im_admin TO im_admin_reader;
    GRANT SELECT ON ALL TABLES IN SCHEMA im_admin TO im_admin_reader`,
  );
  const store = createPostgresStore({ pool });
  expect(await everyList(store)).toEqual([600, 11, 1, 0, 0, 0]);
  await expect(store.put({ users: [{ userID: "u1" }] })).rejects.toThrow("permission denied for table users");
});

it("fails if rows are hidden from the caller, and counts the writes of each tenant", async () => {
  const pool = await poolOfRole(
    server.pool,
    "im_admin_tenant",
    `GRANT USAGE ON SCHEMA im_admin TO im_admin_tenant;
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA im_admin TO im_admin_tenant;
    CREATE POLICY own ON im_admin.group_members USING (user_id LIKE '%1');
    ALTER TABLE im_admin.group_members ENABLE ROW LEVEL SECURITY`,
  );
  onTestFinished(async () => {
    await server.pool.query(
      "DROP POLICY own ON im_admin.group_members; ALTER TABLE im_admin.group_members DISABLE ROW LEVEL SECURITY",
    );
  });
  const store = createPostgresStore({ pool });
  await expect(store.listGroupMembers({ groupID: "g1", keyword: "", ...page })).rejects.toThrow(refusal);
  await expect(store.listGroupMembers({ groupID: "g1", keyword: "u59", ...page })).rejects.toThrow(refusal);
  await expect(store.listJoinedGroups({ userID: "u1", ...page })).rejects.toThrow(refusal);
  await store.put({ groupMembers: [{ groupID: "g1", userID: "late1" }] });
  const everybody = createPostgresStore({ pool: server.pool });
  expect(await everyList(everybody)).toEqual([601, 11, 1, 0, 0, 0]);
  await store.remove({ groupMembers: [{ groupID: "g1", userID: "late1" }] });
  expect(await everyList(everybody)).toEqual([600, 11, 1, 0, 0, 0]);
});

it("lists nothing where rows are hidden from the owner of the schema, and all that was written meanwhile afterwards", async () => {
  const { rows } = await server.pool.query("SELECT current_database() AS database");
  const pool = await poolOfRole(
    server.pool,
    "im_admin_owner",
    `GRANT CREATE ON DATABASE ${rows[0].database} TO im_admin_owner`,
  );
  await migratePostgres(pool, { schema: "forced" });
  const store = createPostgresStore({ pool, schema: "forced" });
  await store.put({ groups: [{ groupID: "g1" }], groupMembers });
  const forced = "ALTER TABLE forced.group_members ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY";
  await pool.query(`CREATE POLICY own ON forced.group_members USING (user_id LIKE '%1'); ${forced}`);
  await store.put({ groupMembers: [{ groupID: "g1", userID: "late1" }] });
  await expect(store.listGroupMembers({ groupID: "g1", keyword: "", ...page })).rejects.toThrow(refusal);
  await expect(settlePostgres(pool, { schema: "forced" })).rejects.toThrow(refusal);
  await expect(checkLists(pool, quoted("forced"))).rejects.toThrow(refusal);
  await expect(repairLists(pool, quoted("forced"))).rejects.toThrow(refusal);
  await pool.query("ALTER TABLE forced.group_members NO FORCE ROW LEVEL SECURITY");
  expect((await settlePostgres(pool, { schema: "forced" })).isDone).toBe(true);
  expect(await checkLists(pool, quoted("forced"))).toEqual([]);
  expect((await store.listGroupMembers({ groupID: "g1", keyword: "", ...page }))?.total).toBe(601);
});

it("lets nobody attach its triggers to tables of his own, where they would run with the rights of the owner", async () => {
  const pool = await poolOfRole(server.pool, "im_admin_guest", "GRANT USAGE ON SCHEMA im_admin TO im_admin_guest");
  const connection = await connect(pool);
  await connection.query("CREATE TEMPORARY TABLE own (user_id text, app_manger_level integer, nickname text)");
  for (const [event, name] of [
    ["INSERT ON own REFERENCING NEW TABLE AS new_rows", "users_written()"],
    ["TRUNCATE ON own", "truncated(1)"],
  ]) {
    await expect(
      connection.query(`CREATE TRIGGER own AFTER ${event} FOR EACH STATEMENT EXECUTE FUNCTION im_admin.${name}`),
    ).rejects.toThrow("permission denied for function");
  }
});

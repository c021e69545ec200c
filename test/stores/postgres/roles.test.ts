import pg from "pg";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { createPostgresStore, migratePostgres } from "../../../src/stores/postgres/index.js";
import { openMigrated } from "../../helpers/postgres/migrated.js";
import { type PostgresServer, startPostgres } from "../../helpers/postgres/server.js";

let server: PostgresServer;
const groupMembers = Array.from({ length: 600 }, (_, index) => ({
  groupID: "g1",
  userID: `u${index}`,
  joinTime: index,
}));
beforeAll(async () => {
  server = await startPostgres();
  const users = groupMembers.map(({ userID }) => ({ userID }));
  await openMigrated(server.pool, { users, groups: [{ groupID: "g1" }], groupMembers });
});
afterAll(() => server.stop());

/** Connections of a new role with these grants, as docs/postgres.md has them. */
async function poolOf(role: string, grants: string): Promise<pg.Pool> {
  await server.pool.query(`CREATE ROLE ${role}; ${grants}`);
  const pool = new pg.Pool({ ...server.pool.options, options: `-c role=${role}` });
  pool.on("error", () => {});
  onTestFinished(async () => {
    await pool.end();
    await server.pool.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  });
  return pool;
}

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
  const pool = await poolOf(
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
  await expect(pool.query("UPDATE im_admin.list_totals SET total = 0")).rejects.toThrow(
    "permission denied for table list_totals",
  );
  await expect(migratePostgres(pool, { schema: "elsewhere" })).rejects.toThrow("permission denied for database");
});

it("reads lists for a role that may only read", async () => {
  const pool = await poolOf(
    "im_admin_reader",
    `GRANT USAGE ON SCHEMA im_admin TO im_admin_reader;
    GRANT SELECT ON ALL TABLES IN SCHEMA im_admin TO im_admin_reader`,
  );
  const store = createPostgresStore({ pool });
  expect(await everyList(store)).toEqual([600, 11, 1, 0, 0, 0]);
  await expect(store.put({ users: [{ userID: "u1" }] })).rejects.toThrow("permission denied for table users");
});

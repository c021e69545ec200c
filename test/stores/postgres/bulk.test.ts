import { beforeEach, expect, it } from "vitest";
import { createPostgresStore } from "../../../src/stores/postgres/index.js";
import { all, members, migrated, outcome } from "../../helpers/postgres/bulk.js";
import { openMigrated } from "../../helpers/postgres/migrated.js";
import { postgresForFile } from "../../helpers/postgres/server.js";
import { connect } from "../../helpers/postgres/sessions.js";

let made: unknown[];
const server = postgresForFile(async (pool) => {
  made = await migrated(pool);
});
beforeEach(() => openMigrated(server.pool, { groups: [{ groupID: "g1" }] }));

/** What tells one index from another of the same name. */
async function orderOfMembers(): Promise<unknown> {
  const { rows } = await server.pool.query("SELECT 'im_admin.group_members_in_order'::regclass::oid AS number");
  return rows[0].number;
}

it("counts, finds and receives what many records have filled empty tables with, the last one of each key", async () => {
  const store = createPostgresStore({ pool: server.pool });
  await store.put({ groupRequests: [{ groupID: "g1", userID: "asks", reqTime: 1 }] });
  const before = await orderOfMembers();
  const again = [1, 2].map((joinTime) => ({ groupID: "g1", userID: "u00003", joinTime, nickname: "Nick" }));
  const groupMembers = [...members(12_000), ...again, { groupID: "g1", userID: "v", roleLevel: 100 }];
  await store.put({ groupMembers: groupMembers.values() });
  expect(await orderOfMembers()).not.toBe(before);
  // The profiles come after those whom they belong to.
  const users = members(11_000).map(({ userID }, index) => ({
    userID,
    nickname: userID === "u00777" ? "Zoë" : "Nobody",
    appMangerLevel: index % 10 ? 1 : 3,
  }));
  await store.put({ users: [...users, { userID: "v" }].values() });
  const page = { offset: 0, limit: 2 };
  expect(await store.listGroupMembers({ groupID: "g1", keyword: "00003", ...page })).toMatchObject({
    total: 1,
    items: [{ userID: "u00003", joinTime: 2, nickname: "Nick" }],
  });
  expect(await store.listGroupMembers({ groupID: "g1", keyword: "zoë", ...page })).toMatchObject({
    total: 1,
    items: [{ userID: "u00777" }],
  });
  expect(await store.listReceivedGroupRequests({ userID: "v", ...page })).toMatchObject({
    total: 1,
    items: [{ userInfo: { userID: "asks" } }],
  });
  expect(await store.listNotificationAccounts({ keyword: "", offset: 1099, limit: 1 })).toMatchObject({
    total: 1100,
    items: [{ userID: "u10990" }],
  });
  expect(await outcome(server.pool)).toEqual({ ...all, total: 12_001, named: 13, made });
});

it("leaves everything as it was where a record late among many does not fit", async () => {
  const store = createPostgresStore({ pool: server.pool });
  const groupMembers = [...members(12_000), { groupID: "g1", userID: "u1", roleLevel: -1 }];
  await expect(store.put({ groupMembers })).rejects.toThrow("groupMembers[12000].roleLevel must be an integer");
  expect(await outcome(server.pool)).toEqual({
    total: 0,
    last: undefined,
    named: 0,
    isCounted: undefined,
    problems: [],
    made,
  });
});

it("fills an empty table while somebody reads it, without waiting", async () => {
  const other = await connect(server.pool);
  await other.query("BEGIN; SELECT count(*) FROM im_admin.group_members");
  await createPostgresStore({ pool: server.pool }).put({ groupMembers: members(12_000) });
  await other.query("COMMIT");
  expect(await outcome(server.pool)).toEqual({ ...all, made });
});

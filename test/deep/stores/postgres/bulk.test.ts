import { beforeEach, expect, it, onTestFinished } from "vitest";
import { createPostgresStore, settlePostgres } from "../../../../src/stores/postgres/index.js";
import { openMigrated } from "../../../helpers/postgres/migrated.js";
import { postgresForFile } from "../../../helpers/postgres/server.js";
import { problemsOf, settle } from "../../../helpers/postgres/sessions.js";

const server = postgresForFile();
beforeEach(async () => {
  await openMigrated(server.pool, { groups: [{ groupID: "g1" }] });
  await settle(server.pool);
});

const members = Array.from({ length: 12_000 }, (_, index) => ({
  groupID: "g1",
  userID: `u${String(index).padStart(5, "0")}`,
  joinTime: index,
  nickname: index % 1000 ? "" : "Nick",
}));
const page = { offset: 0, limit: 2 };

it("lists and finds many records in tables that were empty, the last one of each key, settled or not", async () => {
  const store = createPostgresStore({ pool: server.pool, settle: false });
  await store.put({ groupRequests: [{ groupID: "g1", userID: "asks", reqTime: 1 }] });
  const again = [1, 2].map((joinTime) => ({ groupID: "g1", userID: "u00003", joinTime, nickname: "Nick" }));
  const groupMembers = [...members, ...again, { groupID: "g1", userID: "v", roleLevel: 100 }];
  await store.put({ groupMembers: groupMembers.values() });
  // The profiles come after their members.
  const users = members.slice(0, 11_000).map(({ userID }, index) => ({
    userID,
    nickname: userID === "u00777" ? "Zoë" : "Nobody",
    appMangerLevel: index % 10 ? 1 : 3,
  }));
  await store.put({ users: [...users, { userID: "v" }].values() });
  const assertAll = async () => {
    const list = (keyword: string, offset = 0) =>
      store
        .listGroupMembers({ groupID: "g1", keyword, offset, limit: 2 })
        .then((found) => found ?? { total: -1, items: [] });
    expect(await list("", 12_000)).toMatchObject({ total: 12_001, items: [{ userID: "u11999" }] });
    expect(await list("00003")).toMatchObject({
      total: 1,
      items: [{ userID: "u00003", joinTime: 2, nickname: "Nick" }],
    });
    expect(await list("zoë")).toMatchObject({ total: 1, items: [{ userID: "u00777" }] });
    expect((await list("nick")).total).toBe(13);
    expect(await store.listReceivedGroupRequests({ userID: "v", ...page })).toMatchObject({
      total: 1,
      items: [{ userInfo: { userID: "asks" } }],
    });
    expect(await store.listNotificationAccounts({ keyword: "", offset: 1099, limit: 1 })).toMatchObject({
      total: 1100,
      items: [{ userID: "u10990" }],
    });
  };
  await assertAll();
  await settle(server.pool);
  await assertAll();
  expect(await problemsOf(server.pool)).toEqual([]);
});

it("keeps members who are back after statements that deleted very many", async () => {
  const store = createPostgresStore({ pool: server.pool, settle: false });
  await store.put({ groups: [{ groupID: "g2" }] });
  const joined = (to: number) => `INSERT INTO im_admin.group_members (group_id, user_id)
    SELECT 'g' || g, 'm' || n FROM generate_series(1, 2) g, generate_series(1, ${to}) n`;
  await server.pool.query(joined(3000));
  await settle(server.pool);
  await server.pool.query(
    "DELETE FROM im_admin.group_members WHERE group_id = 'g1' AND ltrim(user_id, 'm')::integer <= 1500",
  );
  await server.pool.query(
    "DELETE FROM im_admin.group_members WHERE group_id = 'g2' AND ltrim(user_id, 'm')::integer <= 1500",
  );
  await server.pool.query(joined(10));
  for (const isSettled of [false, true]) {
    if (isSettled) await settle(server.pool);
    for (const groupID of ["g1", "g2"]) {
      const found = await store.listGroupMembers({ groupID, keyword: "", ...page });
      expect([isSettled, groupID, found?.total, found?.items.map(({ userID }) => userID)]).toEqual([
        isSettled,
        groupID,
        1510,
        ["m1", "m10"],
      ]);
    }
  }
  expect(await problemsOf(server.pool)).toEqual([]);
});

it("leaves everything as it was where a record late among many does not fit", async () => {
  const store = createPostgresStore({ pool: server.pool });
  const groupMembers = [...members, { groupID: "g1", userID: "u1", roleLevel: -1 }];
  await expect(store.put({ groupMembers })).rejects.toThrow("groupMembers[12000].roleLevel must be an integer");
  const { rows } = await server.pool.query("SELECT FROM im_admin.list_changes");
  expect([(await store.listGroupMembers({ groupID: "g1", keyword: "", ...page }))?.total, rows.length]).toEqual([0, 0]);
});

it("settles in portions, tells how much, and when nothing is left", async () => {
  await createPostgresStore({ pool: server.pool, settle: false }).put({ groupMembers: members });
  const first = await settlePostgres(server.pool, { limit: 1 });
  expect(first).toEqual({ settled: 12_000, isDone: false });
  // That was the list of the group, built at once. The lists of the members follow.
  expect(await settlePostgres(server.pool)).toEqual({ settled: expect.toSatisfy((n) => n >= 12_000), isDone: true });
  expect(await settlePostgres(server.pool)).toEqual({ settled: 0, isDone: true });
  await expect(settlePostgres(server.pool, { limit: 0 })).rejects.toThrow("limit must be a whole number of changes");
});

it("settles the lists after one that cannot be settled", async () => {
  const store = createPostgresStore({ pool: server.pool, settle: false });
  const of = (groupID: string) => members.slice(0, 300).map((member) => ({ ...member, groupID }));
  await store.put({ groupMembers: ["a", "stuck", "z"].flatMap(of) });
  // As when to build it takes longer than a statement may.
  await server.pool.query(`
    ALTER TABLE im_admin.list_nodes ADD CONSTRAINT stuck CHECK (owner <> 'stuck')`);
  onTestFinished(async () => void (await server.pool.query("ALTER TABLE im_admin.list_nodes DROP CONSTRAINT stuck")));
  const outcomes = [];
  for (let n = 0; n < 6; n += 1) {
    outcomes.push(await settlePostgres(server.pool).then(String, ({ constraint }) => constraint));
  }
  expect(new Set(outcomes)).toEqual(new Set(["stuck"]));
  const { rows } = await server.pool.query(`
    SELECT list, owner, count(*)::integer AS changes FROM im_admin.list_changes GROUP BY list, owner`);
  expect(rows).toEqual([{ list: "group_members", owner: "stuck", changes: 300 }]);
  const counted = await server.pool.query(
    "SELECT owner, total::integer FROM im_admin.lists WHERE list = 'group_members' ORDER BY owner",
  );
  expect(counted.rows).toEqual(["a", "z"].map((owner) => ({ owner, total: 300 })));
});

it("settles by itself after an answer that has cost much, unless others do", async () => {
  const pending = async () =>
    (await server.pool.query("SELECT FROM im_admin.list_changes WHERE list = 'group_members'")).rows.length;
  const list = (settles: boolean) =>
    createPostgresStore({ pool: server.pool, settle: settles }).listGroupMembers({
      groupID: "g1",
      keyword: "",
      ...page,
    });
  await createPostgresStore({ pool: server.pool, settle: false }).put({ groupMembers: members });
  expect((await list(false))?.total).toBe(12_000);
  expect(await pending()).toBe(12_000);
  expect((await list(true))?.total).toBe(12_000);
  await expect.poll(pending).toBe(0);
});

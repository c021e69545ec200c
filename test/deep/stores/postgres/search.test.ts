import { expect, it } from "vitest";
import { type BundledStore, createPostgresStore } from "../../../../src/stores/postgres/index.js";
import { accounts, compareList, membersOf } from "../../../helpers/listsModel.js";
import { readRows } from "../../../helpers/postgres/rows.js";
import { keywords, openSearched } from "../../../helpers/postgres/searched.js";
import { postgresForFile } from "../../../helpers/postgres/server.js";
import { poolWith, settle } from "../../../helpers/postgres/sessions.js";

let store: BundledStore;
const server = postgresForFile(async (pool) => {
  // The small one has no tree.
  store = await openSearched(pool, { large: 13_000, middling: 3000, small: 100 });
  await settle(pool);
});

it.each(["large", "middling", "small"])(
  "finds in a %s group what a look at all rows finds, for any keyword",
  async (groupID) => {
    const rows = await readRows(server.pool);
    for (const keyword of keywords) {
      expect([keyword, await compareList(store, rows, membersOf(groupID, { keyword }), 500)]).toEqual([
        keyword,
        undefined,
      ]);
      const managers = membersOf(groupID, { keyword, roleLevels: [60] });
      expect([keyword, await compareList(store, rows, managers, 20)]).toEqual([keyword, undefined]);
    }
  },
);

it("finds accounts", async () => {
  const rows = await readRows(server.pool);
  for (const keyword of keywords) {
    expect([keyword, await compareList(store, rows, accounts({ keyword }), 20)]).toEqual([keyword, undefined]);
  }
});

it("is exact with any settings of a host", async () => {
  const host = poolWith(server.pool, { options: "-c standard_conforming_strings=off" });
  await host.query(
    "UPDATE im_admin.group_members SET nickname = 'q123z 100%' WHERE group_id = 'large' AND user_id = 'u3'",
  );
  await settle(host);
  const rows = await readRows(server.pool);
  for (const reading of [store, createPostgresStore({ pool: host })]) {
    for (const keyword of ["q1", "3z", "0%", "00%", "\\s", "_b", "lash", "芳", "李小龙"]) {
      const difference = await compareList(reading, rows, membersOf("large", { keyword }), 500);
      expect([keyword, difference]).toEqual([keyword, undefined]);
    }
  }
});

it("finds members while more profiles change than are looked at one by one, and when all are gone", async () => {
  const { rows: named } = await server.pool.query(`
    SELECT member.user_id FROM im_admin.group_members member JOIN im_admin.users USING (user_id)
      WHERE group_id = 'large' AND member.nickname = ''`);
  const total = async () =>
    (await store.listGroupMembers({ groupID: "large", keyword: "all new", offset: 0, limit: 1 }))?.total;
  await server.pool.query("UPDATE im_admin.users SET nickname = 'All new'");
  expect(await total()).toBe(named.length);
  await server.pool.query("TRUNCATE im_admin.users");
  expect(await total()).toBe(0);
  await settle(server.pool);
  expect(await total()).toBe(0);
});

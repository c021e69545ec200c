import { expect, it } from "vitest";
import type { BundledStore } from "../../../src/stores/postgres/index.js";
import { accounts, compareList, membersOf } from "../../helpers/listsModel.js";
import { readRows } from "../../helpers/postgres/rows.js";
import { openSearched } from "../../helpers/postgres/searched.js";
import { postgresForFile } from "../../helpers/postgres/server.js";
import { problemsOf, settle } from "../../helpers/postgres/sessions.js";

let store: BundledStore;
const server = postgresForFile(async (pool) => {
  store = await openSearched(pool, { large: 11_000 });
  await settle(pool);
});

it("finds in a large group, and of accounts, what a look at all rows finds", async () => {
  const rows = await readRows(server.pool);
  for (const keyword of ["ann", "NEIL", "芳", "小龙u", "0%", "\\s", "😀 s", "É", "u123", "0200001234", "lash", "zzz"]) {
    const lists = [
      membersOf("large", { keyword }),
      membersOf("large", { keyword, roleLevels: [60] }),
      accounts({ keyword }),
    ];
    for (const list of lists)
      expect([keyword, await compareList(store, rows, list, 500)]).toEqual([keyword, undefined]);
  }
});

it("finds nobody of no levels, and takes the largest limit", async () => {
  const query = { groupID: "large", keyword: "u1", offset: 1 };
  expect((await store.listGroupMembers({ ...query, limit: 3, roleLevels: [] }))?.total).toBe(0);
  const { rows } = await server.pool.query(
    `SELECT total::integer, json_array_length(items::json) AS items
      FROM im_admin.group_members_page('large', NULL, 'u', 10999, 9223372036854775807)`,
  );
  expect(rows).toEqual([{ total: 11_000, items: 1 }]);
});

it("finds a very long nickname", async () => {
  const nickname = `${"长".repeat(100_000)}End`;
  await store.put({ groupMembers: [{ groupID: "large", userID: "u9", nickname, roleLevel: 20 }] });
  await settle(server.pool);
  for (const keyword of ["长长", "长end", "end"]) {
    const page = await store.listGroupMembers({ groupID: "large", keyword, offset: 0, limit: 3 });
    expect([keyword, page?.total, page?.items[0]?.userID]).toEqual([keyword, 1, "u9"]);
  }
  expect(await problemsOf(server.pool)).toEqual([]);
});

it("finds members by their present nicknames alone, after any kind of change", async () => {
  const found = async (keyword: string) => {
    const page = await store.listGroupMembers({ groupID: "large", keyword, offset: 0, limit: 3 });
    return [page?.total, page?.items.map(({ userID }) => userID)];
  };
  expect(await found("renamed")).toEqual([0, []]);
  await server.pool.query("UPDATE im_admin.group_members SET nickname = 'Renamed' WHERE user_id IN ('u7', 'u11')");
  expect(await found("renamed")).toEqual([2, ["u11", "u7"]]);
  // The profile of a member without a nickname, of one with a nickname, and of one with a new nickname.
  await server.pool.query(`
    UPDATE im_admin.users SET nickname = 'renamed as well' WHERE user_id IN ('u13', 'u7');
    INSERT INTO im_admin.users (user_id, nickname) VALUES ('u40', 'RENAMED')`);
  expect(await found("renamed")).toEqual([4, ["u11", "u13", "u40"]]);
  await server.pool.query(`
    UPDATE im_admin.group_members SET nickname = '' WHERE user_id = 'u7';
    DELETE FROM im_admin.users WHERE user_id = 'u40';
    DELETE FROM im_admin.group_members WHERE user_id = 'u11'`);
  expect(await found("renamed")).toEqual([2, ["u13", "u7"]]);
  expect(await found("renamed as")).toEqual([2, ["u13", "u7"]]);
  await settle(server.pool);
  expect(await found("renamed")).toEqual([2, ["u13", "u7"]]);
});

import type pg from "pg";
import { expect, it } from "vitest";
import type { BundledStore } from "../../../src/stores/postgres/index.js";
import { randomOf, rounds, seed } from "../../helpers/chance.js";
import { accounts, compareList, membersOf } from "../../helpers/listsModel.js";
import { openMigrated } from "../../helpers/postgres/migrated.js";
import { readRows } from "../../helpers/postgres/rows.js";
import { postgresForFile } from "../../helpers/postgres/server.js";
import { problemsOf, settle } from "../../helpers/postgres/sessions.js";

const names =
  `Ann|ANNA|Bert O'Neil|王芳|张王芳|芳|李小龙|100%|a_b|back\\slash|😀 smile|É|é|x\u001fy|İstanbul|Tel. 0200001234|abcΒΑΣΑ|`.split(
    "|",
  );
const keywords =
  `ann|NEIL|o'n|芳|王芳|张王芳|小龙ann|0%|%|_b|\\s|😀|😀 s|é|É|\u001f|y\u001f|i̇|u12|u123|2999|zzz|王a|lash|ı|2000012|0200001234|9200001234|abcΒΑΣ|u1\u001f|e`.split(
    "|",
  );

/** Groups whose members have such names in the group, or in their profiles, or have no profiles. */
function openSearched(pool: pg.Pool, sizes: Readonly<Record<string, number>>): Promise<BundledStore> {
  // A single connection, which logs its statements.
  pool.options.max = 1;
  const users = Array.from({ length: Math.max(...Object.values(sizes)) }, (_, index) => ({
    userID: `u${index}`,
    nickname: names[index % names.length] ?? "",
    appMangerLevel: index % 50 === 0 ? 3 : 1,
  }));
  const groupMembers = Object.entries(sizes).flatMap(([groupID, size]) =>
    users.slice(0, size).map(({ userID }, index) => ({
      groupID,
      userID,
      nickname: index % 3 ? "" : (names[(index * 7) % names.length] ?? ""),
      roleLevel: index % 100 ? 20 : 60,
    })),
  );
  return openMigrated(pool, {
    users: users.filter((_, index) => index % 40),
    groups: Object.keys(sizes).map((groupID) => ({ groupID })),
    groupMembers,
  });
}

let store: BundledStore;
const server = postgresForFile(async (pool) => {
  // The small one has no tree.
  store = await openSearched(pool, { large: 11_000, small: 100 });
  await settle(pool);
});

it("finds in any group, and of accounts, what a look at all rows finds, for any keyword", async () => {
  const rows = await readRows(server.pool);
  const random = randomOf(seed);
  const tried = keywords.map((keyword) => ({ keyword, place: random() })).sort((one, other) => one.place - other.place);
  for (const { keyword } of tried.slice(0, 8 + rounds(keywords.length))) {
    for (const list of [
      membersOf("large", { keyword }),
      membersOf("large", { keyword, roleLevels: [60] }),
      membersOf("small", { keyword }),
      accounts({ keyword }),
    ]) {
      expect([keyword, await compareList(store, rows, list, 500)]).toEqual([keyword, undefined]);
    }
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

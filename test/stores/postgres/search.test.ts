import pg from "pg";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import type { BundledStore } from "../../../src/stores/bundledStore.js";
import { createPostgresStore } from "../../../src/stores/postgres/index.js";
import { quoted } from "../../../src/stores/postgres/sql.js";
import { checkLists } from "../../../src/stores/postgres/upkeep/checkAll.js";
import { accounts, compareList, membersOf } from "../../helpers/listsModel.js";
import { openMigrated } from "../../helpers/postgres/migrated.js";
import { readRows } from "../../helpers/postgres/rows.js";
import { type PostgresServer, startPostgres } from "../../helpers/postgres/server.js";

const names = [
  "Ann",
  "ANNA",
  "Bert O'Neil",
  "王芳",
  "张王芳",
  "芳",
  "李小龙",
  "100%",
  "a_b",
  "back\\slash",
  "😀 smile",
  "É",
  "é",
  "x\u001fy",
  "İstanbul",
  "Tel. 0200001234",
  "abcΒΑΣΑ",
  "",
];
const keywords = [
  "ann",
  "NEIL",
  "o'n",
  "芳",
  "王芳",
  "张王芳",
  "小龙ann",
  "0%",
  "%",
  "_b",
  "\\s",
  "😀",
  "😀 s",
  "é",
  "É",
  "\u001f",
  "y\u001f",
  "i̇",
  "u12",
  "u123",
  "2999",
  "zzz",
  "王a",
  "lash",
  "ı",
  "2000012",
  "0200001234",
  "9200001234",
  "abcΒΑΣ",
  "u1\u001f",
  "e",
];

let server: PostgresServer;
let store: BundledStore;
beforeAll(async () => {
  server = await startPostgres();
  // A single connection, which tells what it has done when it is asked.
  server.pool.options.max = 1;
  const users = Array.from({ length: 13_000 }, (_, index) => ({
    userID: `u${index}`,
    nickname: names[index % names.length] ?? "",
    appMangerLevel: index % 50 === 0 ? 3 : 1,
  }));
  // Those of one group have an index asked, those of the next one are all looked at, and the small one has no documents.
  const groupMembers = Object.entries({ large: 13_000, middling: 3000, small: 100 }).flatMap(([groupID, size]) =>
    users.slice(0, size).map(({ userID }, index) => ({
      groupID,
      userID,
      nickname: index % 3 ? "" : (names[(index * 7) % names.length] ?? ""),
      roleLevel: index % 100 ? 20 : 60,
    })),
  );
  store = await openMigrated(server.pool, {
    users: users.filter((_, index) => index % 40),
    groups: [{ groupID: "large" }, { groupID: "middling" }, { groupID: "small" }],
    groupMembers,
  });
});
afterAll(() => server.stop());

it.each(["large", "middling", "small"])(
  "finds in a %s group what a look at all rows finds, whatever is looked for",
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

it("has documents of large groups alone", async () => {
  const { rows } = await server.pool.query(`
    SELECT group_id AS "groupID", count(*)::integer AS documents FROM im_admin.documents GROUP BY group_id ORDER BY group_id`);
  expect(rows).toEqual([
    { groupID: "large", documents: 13_000 },
    { groupID: "middling", documents: 3000 },
  ]);
});

it("finds accounts", async () => {
  const rows = await readRows(server.pool);
  for (const keyword of keywords) {
    expect([keyword, await compareList(store, rows, accounts({ keyword }), 20)]).toEqual([keyword, undefined]);
  }
});

it("finds a name in a large group by an index, in letters and in Chinese", async () => {
  const scans = async () => {
    await server.pool.query("SELECT pg_stat_force_next_flush()");
    const { rows } = await server.pool.query(`
      SELECT indexrelname AS name, idx_scan::integer AS scans FROM pg_stat_user_indexes
        WHERE indexrelname IN ('documents_grams', 'documents_trigrams') ORDER BY name`);
    return rows as { name: string; scans: number }[];
  };
  const before = await scans();
  expect(before).toHaveLength(2);
  await store.listGroupMembers({ groupID: "large", keyword: "lash", offset: 0, limit: 20 });
  await store.listGroupMembers({ groupID: "large", keyword: "小龙u", offset: 0, limit: 20 });
  await expect.poll(scans, { timeout: 30_000 }).toEqual(before.map(({ name, scans }) => ({ name, scans: scans + 1 })));
});

it("finds nobody of no levels, and takes the largest limit", async () => {
  const query = { groupID: "large", keyword: "u1", offset: 1 };
  expect((await store.listGroupMembers({ ...query, limit: 3, roleLevels: [] }))?.total).toBe(0);
  const { rows } = await server.pool.query(
    `SELECT total::integer, json_array_length(items::json) AS items
      FROM im_admin.group_members_search('large', 12999, 9223372036854775807, NULL, 'u')`,
  );
  expect(rows).toEqual([{ total: 13_000, items: 1 }]);
});

/** Another session, with settings of its host. */
async function sessionWith(options: string): Promise<pg.Pool> {
  const pool = new pg.Pool({ ...server.pool.options, max: 1, options });
  onTestFinished(() => pool.end());
  return pool;
}

it("is exact with whatever settings a host reads and writes", async () => {
  const host = await sessionWith("-c standard_conforming_strings=off -c gin_fuzzy_search_limit=5");
  await host.query(
    "UPDATE im_admin.group_members SET nickname = 'q123z 100%' WHERE group_id = 'large' AND user_id = 'u3'",
  );
  const left = async () => (await host.query("SELECT im_admin.list_settle()::integer AS left")).rows[0].left;
  await expect.poll(left, { timeout: 30_000 }).toBe(0);
  const rows = await readRows(server.pool);
  for (const reading of [store, createPostgresStore({ pool: host })]) {
    for (const keyword of ["q1", "3z", "0%", "00%", "\\s", "_b", "lash", "芳", "李小龙"]) {
      const difference = await compareList(reading, rows, membersOf("large", { keyword }), 500);
      expect([keyword, difference]).toEqual([keyword, undefined]);
    }
  }
});

it("finds a nickname that is too long to be indexed", async () => {
  const nickname = `${"长".repeat(100_000)}End`;
  await store.put({ groupMembers: [{ groupID: "large", userID: "u9", nickname, roleLevel: 20 }] });
  const left = async () => (await server.pool.query("SELECT im_admin.list_settle()::integer AS left")).rows[0].left;
  await expect.poll(left, { timeout: 30_000 }).toBe(0);
  const words = await server.pool.query(
    "SELECT words FROM im_admin.documents WHERE group_id = 'large' AND key LIKE '%0u9'",
  );
  expect(words.rows).toEqual([{ words: null }]);
  for (const keyword of ["长长", "长end", "end"]) {
    const page = await store.listGroupMembers({ groupID: "large", keyword, offset: 0, limit: 3 });
    expect([keyword, page?.total, page?.items[0]?.userID]).toEqual([keyword, 1, "u9"]);
  }
  expect(await checkLists(server.pool, quoted("im_admin"))).toEqual([]);
});

it("settles what a transaction has left in doubt at most once at its end, however many it has renamed", async () => {
  const host = await sessionWith("-c track_functions=pl");
  const connection = await host.connect();
  await connection.query(
    "BEGIN; UPDATE im_admin.users SET nickname = nickname || ' jr.'; SET CONSTRAINTS ALL IMMEDIATE",
  );
  const { rows } = await connection.query(
    "SELECT calls::integer FROM pg_stat_xact_user_functions WHERE funcname = 'profile_doubts_settle'",
  );
  await connection.query("ROLLBACK");
  connection.release();
  expect(rows).toEqual([{ calls: 1 }]);
});

it("finds members by what they are called now, whoever has changed it and how, and by nothing else", async () => {
  const found = async (keyword: string) => {
    const page = await store.listGroupMembers({ groupID: "large", keyword, offset: 0, limit: 3 });
    return [page?.total, page?.items.map(({ userID }) => userID)];
  };
  expect(await found("renamed")).toEqual([0, []]);
  await server.pool.query("UPDATE im_admin.group_members SET nickname = 'Renamed' WHERE user_id IN ('u7', 'u11')");
  expect(await found("renamed")).toEqual([2, ["u11", "u7"]]);
  // The profile is that of a member without a nickname, of one with a nickname, and of one who has had none until now.
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
  // All that was doubtful so far is made anew.
  const left = async () => (await server.pool.query("SELECT im_admin.list_settle()::integer AS left")).rows[0].left;
  await expect.poll(left, { timeout: 30_000 }).toBe(0);
  const { rows } = await server.pool.query(
    "SELECT words FROM im_admin.documents WHERE group_id = 'large' AND words LIKE '%renamed%'",
  );
  expect(rows.map(({ words }) => words).sort()).toEqual(["u13\u001frenamed as well", "u7\u001frenamed as well"]);
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
  await server.pool.query("SELECT im_admin.list_settle()");
  expect(await total()).toBe(0);
  const { rows } = await server.pool.query("SELECT count(*)::integer AS documents FROM im_admin.documents");
  expect(rows).toEqual([{ documents: 15_998 }]);
});

import { afterAll, beforeAll, expect, it } from "vitest";
import type { BundledStore } from "../../../src/stores/bundledStore.js";
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
];

let server: PostgresServer;
let store: BundledStore;
beforeAll(async () => {
  server = await startPostgres();
  // A single connection, which tells what it has done when it is asked.
  server.pool.options.max = 1;
  const users = Array.from({ length: 3000 }, (_, index) => ({
    userID: `u${index}`,
    nickname: names[index % names.length] ?? "",
    appMangerLevel: index % 50 === 0 ? 3 : 1,
  }));
  const groupMembers = users.map(({ userID }, index) => ({
    groupID: "large",
    userID,
    nickname: index % 3 ? "" : (names[(index * 7) % names.length] ?? ""),
    roleLevel: index % 100 ? 20 : 60,
  }));
  store = await openMigrated(server.pool, {
    users: users.filter((_, index) => index % 40),
    groups: [{ groupID: "large" }, { groupID: "small" }],
    groupMembers: [...groupMembers, ...groupMembers.slice(0, 100).map((member) => ({ ...member, groupID: "small" }))],
  });
});
afterAll(() => server.stop());

it.each(["large", "small"])(
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
        WHERE indexrelname IN ('group_members_trigrams', 'group_members_grams', 'users_trigrams', 'users_grams')
        ORDER BY name`);
    return rows as { name: string; scans: number }[];
  };
  // So many others that no plan looks at all of them.
  await server.pool.query(`
    INSERT INTO im_admin.users (user_id, nickname) SELECT 'w' || n, 'Otto' FROM generate_series(1, 20000) n;
    INSERT INTO im_admin.group_members (group_id, user_id, nickname)
      SELECT 'other', 'w' || n, 'Otto' FROM generate_series(1, 20000) n`);
  await server.pool.query("VACUUM ANALYZE im_admin.users, im_admin.group_members");
  const before = await scans();
  await store.listGroupMembers({ groupID: "large", keyword: "anna", offset: 0, limit: 20 });
  await store.listGroupMembers({ groupID: "large", keyword: "小龙", offset: 0, limit: 20 });
  await expect.poll(scans, { timeout: 30_000 }).toEqual(before.map(({ name, scans }) => ({ name, scans: scans + 1 })));
});

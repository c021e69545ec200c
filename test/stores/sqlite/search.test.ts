import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { checkedRecords } from "../../../src/checkedRecords.js";
import { openSqliteStore } from "../../../src/stores/drivers/sqlite.js";
import { defaultSizes } from "../../../src/stores/sqlite/schema/sizes.js";
import { createSqlStore } from "../../../src/stores/sqlite/store.js";
import { checkLists } from "../../../src/stores/sqlite/upkeep/checkAll.js";
import { putInBulk } from "../../../src/stores/sqlite/upkeep/putInBulk.js";
import { replaceRecords } from "../../../src/stores/sqlite/upkeep/replace.js";
import { rounds } from "../../helpers/chance.js";
import { compareList, membersOf, readRows } from "../../helpers/listsModel.js";
import { memoryStore, openSqliteDatabase, temporaryFolder } from "../../helpers/stores.js";

it("finds what is in very long nicknames, in large groups too", async () => {
  const path = join(temporaryFolder(), "im.db");
  const store = openSqliteStore({ path });
  try {
    const members = Array.from({ length: 2100 }, (_, index) => ({ groupID: "g1", userID: `u${index}` }));
    await store.put({ groups: [{ groupID: "g1" }], groupMembers: members });
    const nickname = `${"长".repeat(60_000)}needle${"x".repeat(40_000)}`;
    await store.put({ groupMembers: [{ groupID: "g1", userID: "u7", nickname }] });
    for (const keyword of ["needle", "ee", "长n"]) {
      const found = await store.listGroupMembers({ groupID: "g1", keyword, offset: 0, limit: 2 });
      expect([keyword, found?.total, found?.items[0]?.userID]).toEqual([keyword, 1, "u7"]);
    }
    await store.put({ groupMembers: [{ groupID: "g1", userID: "u7", nickname: "short" }] });
    expect(await store.listGroupMembers({ groupID: "g1", keyword: "ee", offset: 0, limit: 2 })).toEqual({
      total: 0,
      items: [],
    });
  } finally {
    await store.close();
  }
});

it("finds nobody any more by the nickname of a profile that was removed", async () => {
  const store = memoryStore();
  const users = Array.from({ length: 2100 }, (_, index) => ({ userID: `u${index}`, nickname: "王" }));
  await store.put({
    users,
    groups: [{ groupID: "g1" }],
    groupMembers: users.map(({ userID }) => ({ groupID: "g1", userID })),
  });
  await store.remove({ users: [{ userID: "u0" }] });
  const found = await store.listGroupMembers({ groupID: "g1", keyword: "王", offset: 0, limit: 1 });
  expect([found?.total, found?.items[0]?.userID]).toEqual([2099, "u1"]);
});

it("forgets the documents of a large group that an import leaves three members", async () => {
  const database = openSqliteDatabase({ path: join(temporaryFolder(), "im.db") });
  onTestFinished(() => database.close());
  const store = createSqlStore(database, putInBulk(defaultSizes));
  const members = Array.from({ length: 2_100 }, (_, index) => ({
    groupID: "g1",
    userID: `u${index}`,
    nickname: "Ann",
  }));
  await store.put({ groups: [{ groupID: "g1" }], groupMembers: members });
  const left = [...checkedRecords({ groupMembers: members.slice(0, 3) })].map(([, values]) => values);
  await replaceRecords(database, defaultSizes, "groupMembers", left, () => {});
  expect(await checkLists(database, defaultSizes)).toEqual([]);
});

/** Enough for documents; in the deep tests, more than are verified one by one. */
const size = Math.max(2_500, rounds(25_000));

it("finds the same as a look at every row, whichever way it goes", async () => {
  const path = join(temporaryFolder(), "im.db");
  const store = openSqliteStore({ path });
  try {
    const families = [
      "Ann",
      "王芳",
      "小明",
      "Zoë",
      "o'Neil",
      'say "hi"',
      "100%",
      "a_b",
      "back\\slash",
      "😀 Joy",
      "\uFFFD x\uFFFEy\uFFFFz",
      "one\ntwo",
    ];
    const numbers = Array.from({ length: size }, (_, index) => index);
    await store.put({
      users: numbers.map((n) => ({ userID: `user${n}`, nickname: `${families[n % 12]} ${n * 7919}` })),
      groups: [{ groupID: "g1" }, { groupID: "g2" }],
      groupMembers: numbers.flatMap((n) => [
        {
          groupID: "g1",
          userID: `user${n}`,
          joinTime: n % 1000,
          roleLevel: n < 100 ? 60 : n % 3 ? 20 : 10 + (n % 20),
          nickname: n % 9 ? "" : `MY ${n}`,
        },
        // Another large group, whose members must not be found.
        ...(n % 5 ? [] : [{ groupID: "g2", userID: `user${n}`, nickname: "user MY Ann" }]),
      ]),
    });
    const connection = new BetterSqlite3(path, { readonly: true });
    const rows = readRows(connection);
    connection.close();
    const words =
      `u US user User1234 1 19 ann 芳 王芳 明 ë Ë ' " "h % 0% _ \\s 😀 ul my \uFFFD \uFFFE x\uFFFE \uFFFEy\uFFFF \uFFFDy\uFFFD zz zzzz`.split(
        " ",
      );
    // A document has a line break between userID and nickname. A keyword must not match it.
    const phrases = ["王芳 7", "😀 J", "n my", "e\nT", "\n", "7\nA", "\n王", "\n\uFFFD", "9\nM"];
    for (const keyword of [...words, ...phrases]) {
      const everybody = membersOf("g1", { keyword });
      expect([keyword, await compareList(store, rows, everybody, 6000)]).toEqual([keyword, undefined]);
      const administrators = membersOf("g1", { keyword, roleLevels: [60, 100] });
      expect([keyword, await compareList(store, rows, administrators, 50)]).toEqual([keyword, undefined]);
      const severalLevels = membersOf("g1", { keyword, roleLevels: [12, 20, 60] });
      expect([keyword, await compareList(store, rows, severalLevels, 3000)]).toEqual([keyword, undefined]);
    }
  } finally {
    await store.close();
  }
});

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

it("tells users apart whose IDs differ in their case, and nicknames and IDs that look like JSON", async () => {
  const path = join(temporaryFolder(), "im.db");
  const store = openSqliteStore({ path });
  const member = (userID: string, nickname = "") => ({ groupID: "g1", userID, nickname, roleLevel: 20 });
  const others = Array.from({ length: 1_100 }, (_, index) => member(`z${index}`, "other"));
  await store.put({
    users: ["bob", "Bob", "BOB", 'x"bob', ',"bob'].map((userID) => ({ userID, nickname: "Ann" })),
    groups: [{ groupID: "g1" }],
    groupMembers: [
      ...["bob", "Bob", "BOB", 'x"bob', ',"bob', "bob\u007fann"].map((userID) => member(userID)),
      member("quoted", 'ann",null,"\\'),
      ...others,
    ],
  });
  const found = async (keyword: string) => {
    const page = await store.listGroupMembers({ groupID: "g1", keyword, offset: 0, limit: 20 });
    return page?.items.map(({ userID }) => userID);
  };
  expect(await found("ann")).toEqual([',"bob', "BOB", "Bob", "bob", "bob\u007fann", "quoted", 'x"bob']);
  await store.put({ groupMembers: [member("Bob", "Kim")] });
  await store.remove({ groupMembers: [member("bob")] });
  expect(await found("ann")).toEqual([',"bob', "BOB", "bob\u007fann", "quoted", 'x"bob']);
  await store.put({ users: [{ userID: "BOB", nickname: "Kim" }] });
  expect(await found("kim")).toEqual(["BOB", "Bob"]);
  await store.remove({ groupMembers: [member('x"bob'), member(',"bob')] });
  expect(await found("ann")).toEqual(["bob\u007fann", "quoted"]);
  expect(await found('ann",null')).toEqual(["quoted"]);
  await store.close();
  const database = openSqliteDatabase({ path });
  onTestFinished(() => database.close());
  expect(await checkLists(database, defaultSizes)).toEqual([]);
});

it("has words in leaves while a list is long, and makes a few of them again where profiles change", async () => {
  const path = join(temporaryFolder(), "im.db");
  const store = openSqliteStore({ path });
  const connection = new BetterSqlite3(path);
  onTestFinished(async () => {
    connection.close();
    await store.close();
  });
  const leaves = () => connection.prepare("SELECT count(*) FROM im_admin_list_words").pluck().get();
  const members = Array.from({ length: 1_001 }, (_, index) => ({ groupID: "g1", userID: `u${index}` }));
  await store.put({ groups: [{ groupID: "g1" }], groupMembers: members.slice(0, 1_000) });
  expect(leaves()).toBe(0);
  await store.put({ groupMembers: members });
  expect(leaves()).toBeGreaterThan(10);
  await store.put({ users: [{ userID: "u7", nickname: "Kim" }] });
  const kim = { groupID: "g1", keyword: "kim", offset: 0, limit: 9 };
  expect((await store.listGroupMembers(kim))?.items.map(({ userID }) => userID)).toEqual(["u7"]);
  await store.remove({ groupMembers: members.slice(250) });
  expect(leaves()).toBeGreaterThan(1);
  await store.remove({ groupMembers: members.slice(249, 250) });
  expect(leaves()).toBe(0);
  expect((await store.listGroupMembers(kim))?.items.map(({ userID }) => userID)).toEqual(["u7"]);
});

it("answers a member by the nickname of a profile that another program has changed, whichever read settles it", async () => {
  const path = join(temporaryFolder(), "im.db");
  const store = openSqliteStore({ path });
  const host = new BetterSqlite3(path);
  onTestFinished(async () => {
    host.close();
    await store.close();
  });
  const users = Array.from({ length: 1_100 }, (_, index) => ({ userID: `u${index}`, nickname: "Ann" }));
  const groupMembers = users.map(({ userID }) => ({ groupID: "g1", userID, joinTime: 7 }));
  await store.put({ users, groups: [{ groupID: "g1" }], groupMembers });
  host.exec("UPDATE im_admin_users SET nickname = 'Kim' WHERE user_id IN ('u7', 'u8', 'u9')");
  // These puts settle members before the profiles.
  await store.put({ groupMembers: [{ groupID: "g1", userID: "u7", joinTime: 8 }] });
  await store.remove({ groupMembers: [{ groupID: "g1", userID: "u8" }] });
  const totals = await Promise.all(
    ["kim", "ann"].map(
      async (keyword) => (await store.listGroupMembers({ groupID: "g1", keyword, offset: 0, limit: 1 }))?.total,
    ),
  );
  expect(totals).toEqual([2, 1_097]);
});

it("forgets the words of a large group that an import leaves three members", async () => {
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

/** Enough for words in leaves. */
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
    // A keyword must not match what stands between a userID and a nickname.
    const phrases = ["王芳 7", "😀 J", "n my", "e\nT", "\n", "7\nA", "\n王", "\n\uFFFD", "9\nM", "\u007f", "9\u007fM"];
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

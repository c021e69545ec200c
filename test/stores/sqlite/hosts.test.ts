/** Databases of hosts with triggers of their own on members of large groups. */
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { type BundledStore, openSqliteStore } from "../../../src/stores/drivers/sqlite.js";
import { defaultSizes } from "../../../src/stores/sqlite/schema/sizes.js";
import { checkLists } from "../../../src/stores/sqlite/upkeep/checkAll.js";
import { openSqliteDatabase, temporaryFolder } from "../../helpers/stores.js";

let path: string;
let store: BundledStore;
let host: BetterSqlite3.Database;
beforeEach(() => {
  path = join(temporaryFolder(), "im.db");
  store = openSqliteStore({ path });
  host = new BetterSqlite3(path);
  onTestFinished(async () => {
    host.close();
    await store.close();
  });
});

/** The kept data that differs from the rows. */
async function problems(): Promise<unknown[]> {
  const database = openSqliteDatabase({ path, readonly: true });
  try {
    return await checkLists(database, defaultSizes);
  } finally {
    await database.close();
  }
}

async function totalOf(groupID: string, keyword = ""): Promise<number | undefined> {
  return (await store.listGroupMembers({ groupID, keyword, offset: 0, limit: 1 }))?.total;
}

it("finds all members by a Chinese character while nicknames and roles change together", async () => {
  const member = (index: number, more: object) => ({ groupID: "large", userID: `u${index}`, ...more });
  const indexes = Array.from({ length: 2100 }, (_, index) => index);
  await store.put({
    groups: [{ groupID: "large" }],
    groupMembers: indexes.map((index) => member(index, { nickname: index < 300 ? `王小${index}` : "Ann" })),
  });
  await store.put({ groupMembers: [member(5000, { nickname: "王new" })] });
  for (let index = 0; index < 50; index += 1) {
    await store.put({ groupMembers: [member(index, { nickname: `王大${index}`, roleLevel: 60 })] });
  }
  for (let index = 100; index < 160; index += 1) {
    await store.put({ groupMembers: [member(index, { nickname: `王中${index}` })] });
  }
  expect(await totalOf("large", "王")).toBe(301);
  expect(await totalOf("large", "王小")).toBe(190);
  expect(await totalOf("large", "王大")).toBe(50);
  expect(await problems()).toEqual([]);
});

it("counts the rows that a host's trigger adds to other lists during a put of very many records", async () => {
  host.exec(`CREATE TRIGGER auto_join AFTER INSERT ON im_admin_users
    BEGIN INSERT OR IGNORE INTO im_admin_group_members (group_id, user_id) VALUES ('everyone', NEW.user_id); END`);
  await store.put({ groups: [{ groupID: "everyone" }] });
  // From 5,000 records on, lists may be built anew at the end, but not where a host has triggers. It is decided when a
  // statement's worth of them is written, so that they are of some length.
  const ex = "x".repeat(100);
  await store.put({ users: Array.from({ length: 7_000 }, (_, index) => ({ userID: `u${index}`, ex })) });
  expect(await totalOf("everyone")).toBe(7_000);
  expect(await problems()).toEqual([]);
});

it("gives the requests of a group to a manager who is put with very many members", async () => {
  await store.put({
    users: [{ userID: "boss" }],
    groups: [{ groupID: "g" }],
    groupRequests: [{ groupID: "g", userID: "new" }],
  });
  // From 5,000 records on, lists are built anew at the end.
  const ex = "x".repeat(100);
  const members = Array.from({ length: 7_000 }, (_, index) => ({ groupID: "g", userID: `u${index}`, ex }));
  await store.put({ groupMembers: [...members, { groupID: "g", userID: "boss", roleLevel: 100 }] });
  const received = await store.listReceivedGroupRequests({ userID: "boss", offset: 0, limit: 1 });
  expect(received).toMatchObject({ total: 1, items: [{ userInfo: { userID: "new" } }] });
  expect(await problems()).toEqual([]);
});

it("counts a member whose trigger tries very many other groups that it is in already", async () => {
  const groups = Array.from({ length: 60 }, (_, index) => ({ groupID: `g${index}` }));
  await store.put({
    groups: [...groups, { groupID: "g" }],
    groupMembers: [
      ...groups.map(({ groupID }) => ({ groupID, userID: "new" })),
      ...Array.from({ length: 63 }, (_, index) => ({ groupID: "g", userID: `u${index}` })),
    ],
  });
  host.exec(`CREATE TRIGGER spread AFTER INSERT ON im_admin_group_members WHEN NEW.user_id = 'new' AND NEW.group_id = 'g' BEGIN
      INSERT OR IGNORE INTO im_admin_group_members (group_id, user_id) SELECT group_id, NEW.user_id FROM im_admin_groups WHERE group_id <> 'g';
      INSERT INTO im_admin_group_members (group_id, user_id) VALUES ('g', 'bot');
    END`);
  host.exec("INSERT INTO im_admin_group_members (group_id, user_id) VALUES ('g', 'new')");
  expect(await totalOf("g")).toBe(65);
  expect(await problems()).toEqual([]);
});

import type { D1Database } from "@cloudflare/workers-types";
import { afterAll, beforeAll, expect, expectTypeOf, it } from "vitest";
import { getBlackList } from "../../../src/index.js";
import { createD1Store, migrateD1 } from "../../../src/stores/drivers/d1.js";
import { type BatchResult, startWorker, type TestWorker } from "../../helpers/workerd.js";

let d1: TestWorker;
beforeAll(async () => {
  d1 = await startWorker();
});
afterAll(() => d1.stop());

it("takes the D1Database of Workers' types", () => {
  expectTypeOf(createD1Store).toBeCallableWith({} as D1Database);
  expectTypeOf(migrateD1).toBeCallableWith({} as D1Database);
});

it.each([undefined, null, {}, { prepare() {} }])("refuses %o, which is no binding", async (handle) => {
  expect(() => createD1Store(handle as never)).toThrow("database must be a D1 binding");
  await expect(migrateD1(handle as never)).rejects.toThrow("database must be a D1 binding");
});

it.each([[[]], [[{}]], [undefined]])("fails where a database answers %o", async (results) => {
  const store = createD1Store({ prepare: () => ({ bind: () => ({}) }), batch: async () => results as never });
  const conversation = { conversationID: "c", conversationType: 3, userID: "", groupID: "g" } as const;
  await expect(store.listBlacks({ ownerUserID: "u", offset: 0, limit: 1 })).rejects.toThrow("result");
  await expect(store.setConversations({ ...conversation, userIDs: ["u"], fields: { ex: "" } })).rejects.toThrow(
    "result",
  );
});

it("keeps within D1's limits when thousands of records are put in one transaction", async () => {
  const store = await d1.emptyStore();
  const ex = "说明".repeat(500);
  const users = Array.from({ length: 5_000 }, (_, index) => ({ userID: `user${index}`, ex, appMangerLevel: 3 }));
  await store.put({ users });
  expect(await store.listNotificationAccounts({ keyword: "", offset: 4_999, limit: 1 })).toMatchObject({
    total: 5_000,
    items: [{ userID: "user999" }],
  });
  await store.remove({ users });
  expect(await store.listNotificationAccounts({ keyword: "", offset: 0, limit: 1 })).toEqual({ total: 0, items: [] });
});

it("finds keywords that are longer than a pattern of D1 may be", async () => {
  const store = await d1.emptyStore();
  await store.put({
    groups: [{ groupID: "g1" }],
    groupMembers: [
      { groupID: "g1", userID: "u1", nickname: "x".repeat(60) },
      { groupID: "g1", userID: "u2", nickname: "王芳".repeat(20) },
    ],
  });
  for (const [keyword, userID] of [
    ["X".repeat(55), "u1"],
    ["王芳".repeat(19), "u2"],
  ] as const) {
    const found = await store.listGroupMembers({ groupID: "g1", keyword, offset: 0, limit: 2 });
    expect(found?.items.map((member) => member.userID)).toEqual([userID]);
  }
});

/** A store on the database, and how many rows it has read and written since that was last asked. */
function countingStore() {
  let counted = { read: 0, written: 0 };
  const counting = createD1Store({
    prepare: (sql) => d1.database.prepare(sql),
    async batch(statements) {
      const results = (await d1.database.batch(statements)) as BatchResult[];
      for (const { meta } of results) {
        counted.read += meta.rows_read;
        counted.written += meta.rows_written;
      }
      return results;
    },
  });
  const rows = () => {
    const before = counted;
    counted = { read: 0, written: 0 };
    return before;
  };
  return { counting, rows, rowsRead: () => rows().read };
}

it("finds any page of a large group, and a keyword in it, and reads few rows for that", async () => {
  const store = await d1.emptyStore();
  const members = Array.from({ length: 3_000 }, (_, index) => {
    const roleLevel = index === 0 ? 100 : 20;
    return { groupID: "g1", userID: `u${index}`, joinTime: index, roleLevel, nickname: index % 2 ? "王芳" : "Ann" };
  });
  await store.put({ groups: [{ groupID: "g1" }], groupMembers: members });

  const { counting, rowsRead } = countingStore();
  for (const offset of [0, 20, 1_499, 2_980, 3_000]) {
    rowsRead();
    const page = await counting.listGroupMembers({ groupID: "g1", keyword: "", offset, limit: 20 });
    const userIDs = members.slice(offset, offset + 20).map(({ userID }) => userID);
    expect([page?.total, page?.items.map(({ userID }) => userID)]).toEqual([3_000, userIDs]);
    expect(rowsRead()).toBeLessThan(600);
  }
  rowsRead();
  const owned = { groupID: "g1", keyword: "", roleLevels: [100], offset: 0, limit: 20 };
  const owners = await counting.listGroupMembers(owned);
  expect([owners?.total, owners?.items.map(({ userID }) => userID)]).toEqual([1, ["u0"]]);
  expect(rowsRead()).toBeLessThan(1200);
  for (const [keyword, total] of Object.entries({ 芳: 1_500, u299: 11, 王芳: 1_500, nn: 1_500 })) {
    const found = await counting.listGroupMembers({ groupID: "g1", keyword, offset: total - 1, limit: 20 });
    expect([keyword, found?.total, found?.items.length]).toEqual([keyword, total, 1]);
  }
});

it("counts the join requests of a large group with several results, and reads few rows for that", async () => {
  const store = await d1.emptyStore();
  const requests = Array.from({ length: 3_000 }, (_, index) => {
    return { groupID: "g1", userID: `u${index}`, reqTime: 3_000 - index, handleResult: (index % 3) - 1 };
  });
  await store.put({
    users: [{ userID: "u0" }],
    groups: [{ groupID: "g1" }],
    groupMembers: [{ groupID: "g1", userID: "u0", roleLevel: 100 }],
    groupRequests: requests,
  });
  const { counting, rowsRead } = countingStore();
  const query = { userID: "u0", handleResults: [0, 1], offset: 0, limit: 3 };
  const page = await counting.listReceivedGroupRequests(query);
  expect([page?.total, page?.items.map(({ userInfo }) => userInfo.userID)]).toEqual([2_000, ["u1", "u2", "u4"]]);
  expect(rowsRead()).toBeLessThan(1_500);
});

it("looks in one group for a keyword that others have", async () => {
  const store = await d1.emptyStore();
  const groups = [{ groupID: "g1" }, { groupID: "g2" }];
  const members = Array.from({ length: 2_100 }, (_, index) => [
    { groupID: "g1", userID: `u${index}`, nickname: "李四" },
    { groupID: "g2", userID: `u${index}`, nickname: index === 0 ? "李四" : "Ann" },
  ]);
  await store.put({ groups, groupMembers: members.flat() });
  const { counting, rowsRead } = countingStore();
  const found = await counting.listGroupMembers({ groupID: "g2", keyword: "李四", offset: 0, limit: 20 });
  expect([found?.total, found?.items[0]?.userID]).toEqual([1, "u0"]);
  expect(rowsRead()).toBeLessThan(1_000);
});

it("searches among members whose nicknames are longer together than any text of D1", async () => {
  const store = await d1.emptyStore();
  const member = (index: number, nickname: string) => ({ groupID: "g1", userID: `u${1000 + index}`, nickname });
  const members = Array.from({ length: 1_100 }, (_, index) => member(index, `Ann ${index}`));
  await store.put({ groups: [{ groupID: "g1" }], groupMembers: members });
  const found = async (keyword: string) =>
    (await store.listGroupMembers({ groupID: "g1", keyword, offset: 0, limit: 1 }))?.total;
  expect(await found("ann")).toBe(1_100);
  const long = Array.from({ length: 12 }, (_, index) => member(500 + index, `${"长".repeat(60_000)}needle`));
  for (const each of long) await store.put({ groupMembers: [each] });
  expect([await found("needle"), await found("ann"), await found("ann 77")]).toEqual([12, 1_088, 11]);
  await store.put({ groupMembers: [member(520, "Kim")] });
  await store.put({ groupMembers: long.map(({ userID }) => ({ groupID: "g1", userID, nickname: "Kim" })) });
  expect([await found("needle"), await found("kim")]).toEqual([0, 13]);
});

it("looks at few rows for each user who is added, however many notification accounts there are", async () => {
  for (const accounts of [0, 1, 50, 64, 65, 400]) {
    const store = await d1.emptyStore();
    await store.put({
      users: Array.from({ length: accounts }, (_, index) => ({ userID: `account${index}`, appMangerLevel: 3 })),
    });
    for (const appMangerLevel of [1, 3]) {
      const { counting, rows } = countingStore();
      await counting.put({ users: [{ userID: `new${appMangerLevel}`, nickname: "New", appMangerLevel }] });
      const { read, written } = rows();
      expect(read).toBeLessThanOrEqual(appMangerLevel < 3 ? 73 : 100);
      // The first account begins two lists, and beyond 300 both have nodes.
      expect(written).toBeLessThanOrEqual(accounts === 0 || accounts > 300 ? 10 : 8);
    }
    expect(await store.listNotificationAccounts({ keyword: "", offset: 0, limit: 1 })).toMatchObject({
      total: accounts + 1,
    });
  }
});

it("writes nothing where one record of many is refused by the database", async () => {
  const store = await d1.emptyStore();
  await d1.run("CREATE TRIGGER refuse BEFORE INSERT ON im_admin_groups BEGIN SELECT raise(ABORT, 'refused'); END");
  const records = { users: [{ userID: "u", appMangerLevel: 3 }], groups: [{ groupID: "g" }] };
  await expect(store.put(records)).rejects.toThrow("refused");
  expect(await store.listNotificationAccounts({ keyword: "", offset: 0, limit: 1 })).toEqual({ total: 0, items: [] });
  await d1.run("DROP TRIGGER refuse");
});

it("answers an item of more than 2 MB, or 500 where D1 takes no such value, and tells the observer why", async () => {
  const store = await d1.emptyStore();
  const blacks = [
    { ownerUserID: "u1", blackUserID: "long", ex: "e".repeat(1_200_000), createTime: 2 },
    { ownerUserID: "u1", blackUserID: "short", createTime: 1 },
  ];
  await store.put({ users: [{ userID: "u1" }, { userID: "long", ex: "e".repeat(1_200_000) }], blacks });
  const causes: string[] = [];
  const observer = { onError: ({ error }: { error: unknown }) => causes.push(String(error)) };
  const page = (pageNumber: number) =>
    getBlackList(store, { userID: "u1", pagination: { pageNumber, showNumber: 1 } }, { observer });
  // Newer versions of workerd take longer values than D1 promises.
  const answer = await page(1);
  const { errCode } = answer;
  if (errCode === 0) expect(answer).toMatchObject({ data: { blacks: [{ blackUserInfo: { userID: "long" } }] } });
  else expect({ errCode, causes }).toEqual({ errCode: 500, causes: [expect.stringContaining("SQLITE_TOOBIG")] });
  // The other items can still be read, and the record can be written anew.
  expect(await page(2)).toMatchObject({ data: { total: 2, blacks: [{ blackUserInfo: { userID: "short" } }] } });
  await store.put({ users: [{ userID: "long" }] });
  expect(await page(1)).toMatchObject({ data: { blacks: [{ blackUserInfo: { userID: "long", ex: "" } }] } });
});

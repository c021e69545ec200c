import { describe, expect, expectTypeOf, it } from "vitest";
import { AdminError, createAdminClient, eachItem, eachPage } from "../../../adapters/client.js";
import {
  type GetGroupMemberListInput,
  type GroupMember,
  type GroupMemberList,
  getGroupMemberList,
  type RecordSet,
} from "../../../src/index.js";
import { serveRecords, token } from "../../helpers/client/servers.js";
import { storeOf } from "../../helpers/http/hosts.js";

/** A group of which the members m1, m2, … have joined one after the other. */
function groupOf(members: number): RecordSet {
  const numbers = Array.from({ length: members }, (_, index) => index + 1);
  return {
    groups: [{ groupID: "g" }],
    users: numbers.map((number) => ({ userID: `m${number}` })),
    groupMembers: numbers.map((number) => ({ groupID: "g", userID: `m${number}`, roleLevel: 20, joinTime: number })),
  };
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const names = (members: number) => Array.from({ length: members }, (_, index) => `m${index + 1}`);

describe("a list that does not change", () => {
  it.each([
    [0, 7, [0]],
    [1, 7, [1]],
    [7, 7, [7]],
    [8, 7, [7, 1]],
    [20, 7, [7, 7, 6]],
    [3, 1, [1, 1, 1]],
    [250, undefined, [100, 100, 50]],
    [1000, 1000, [1000]],
  ])("of %i members comes whole, %j at a time", async (members, showNumber, lengths) => {
    const { getGroupMemberList } = createAdminClient({ url: await serveRecords(groupOf(members)), token });
    const found = await all(eachItem(getGroupMemberList, { groupID: "g" }, { showNumber }));
    expectTypeOf(found).toEqualTypeOf<GroupMember[]>();
    expect(found.map(({ userID }) => userID)).toEqual(names(members));
    const pages = await all(eachPage(getGroupMemberList, { groupID: "g" }, { showNumber }));
    expectTypeOf(pages).toEqualTypeOf<GroupMemberList[]>();
    expect(pages.map(({ total, members }) => [total, members.length])).toEqual(
      lengths.map((length) => [members, length]),
    );
  });
});

it("lists every kind, and only what the input lets through", async () => {
  const url = await serveRecords({
    users: [{ userID: "u" }, { userID: "v", nickname: "Vera" }, { userID: "n", nickname: "News", appMangerLevel: 3 }],
    groups: [{ groupID: "g" }],
    groupMembers: [{ groupID: "g", userID: "u", roleLevel: 100 }],
    groupRequests: [{ groupID: "g", userID: "v", reqTime: 1 }],
    blacks: [{ ownerUserID: "u", blackUserID: "v", createTime: 1 }],
  });
  const client = createAdminClient({ url, token });
  const first = async <Item>(items: AsyncGenerator<Item, void>) => (await items.next()).value;
  expect(await first(eachItem(client.getBlackList, { userID: "u" }))).toMatchObject({ ownerUserID: "u" });
  expect(await first(eachItem(client.getJoinedGroupList, { fromUserID: "u" }))).toMatchObject({ groupID: "g" });
  expect(await first(eachItem(client.getReceivedGroupApplicationList, { fromUserID: "u" }))).toMatchObject({
    userInfo: { nickname: "Vera" },
  });
  expect(await first(eachItem(client.searchNotificationAccount, {}))).toMatchObject({ nickName: "News" });
  expect(await first(eachItem(client.searchNotificationAccount, { keyword: "nobody" }))).toBeUndefined();
  // @ts-expect-error: setConversations lists nothing.
  eachItem(client.setConversations, { userIDs: [] });
  // @ts-expect-error: groupID is missing.
  eachItem(client.getGroupMemberList, {});
});

it("asks for a page only when it is wanted", async () => {
  const asked: number[] = [];
  const { getGroupMemberList } = createAdminClient({ url: await serveRecords(groupOf(20)), token });
  const counting = (input: GetGroupMemberListInput) => {
    asked.push(input.pagination.pageNumber);
    return getGroupMemberList(input);
  };
  for await (const { userID } of eachItem(counting, { groupID: "g" }, { showNumber: 5 })) {
    if (userID === "m5") break;
  }
  expect(asked).toEqual([1]);
});

it("ends where the list becomes shorter meanwhile, and where a total promises what never comes", async () => {
  const pages: Record<number, GroupMemberList> = {
    1: { total: 1000, members: [{ userID: "a" } as GroupMember] },
    2: { total: 1000, members: [] },
  };
  const list = async ({ pagination }: GetGroupMemberListInput) => {
    const data = pages[pagination.pageNumber];
    if (data === undefined) return expect.unreachable("nothing more is there");
    return { errCode: 0, errMsg: "", errDlt: "", data } as const;
  };
  const found = await all(eachPage(list, { groupID: "g" }, { showNumber: 1 }));
  expect(found).toEqual([pages[1]]);
});

it("throws what the server answers", async () => {
  const { getGroupMemberList } = createAdminClient({ url: await serveRecords({}), token });
  const error = await all(eachItem(getGroupMemberList, { groupID: "g" })).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(AdminError);
  expect(error).toMatchObject({
    name: "AdminError",
    message: "group g: [1004]RecordNotFoundError",
    errCode: 1004,
    errMsg: "RecordNotFoundError",
    errDlt: "group g: [1004]RecordNotFoundError",
  });
});

it("hands signal and operationID on, and rejects with the signal's reason", async () => {
  const reason = new Error("enough");
  const controller = new AbortController();
  const { getGroupMemberList } = createAdminClient({ url: await serveRecords(groupOf(3)), token });
  const pages = eachPage(getGroupMemberList, { groupID: "g" }, { showNumber: 1, signal: controller.signal });
  expect((await pages.next()).value).toMatchObject({ total: 3 });
  controller.abort(reason);
  await expect(pages.next()).rejects.toBe(reason);
});

it("lists what the functions themselves answer, without a server", async () => {
  const store = await storeOf(groupOf(5));
  const list = (input: GetGroupMemberListInput) => getGroupMemberList(store, input);
  const found = await all(eachItem(list, { groupID: "g" }, { showNumber: 2 }));
  expect(found.map(({ userID }) => userID)).toEqual(names(5));
});

import { afterAll, beforeAll, expect, it } from "vitest";
import { demoAdminUserID, demoGroupID, demoUserID, demoWorld } from "../../../adapters/cli/demo.js";
import {
  getGroupMemberList,
  getJoinedGroupList,
  getReceivedGroupApplicationList,
  searchNotificationAccount,
} from "../../../src/index.js";
import { type RecordName, recordKeys } from "../../../src/records.js";
import { danglingReferences } from "../../../src/stores/sqlite/records/references.js";
import { createSqlStore } from "../../../src/stores/sqlite/store.js";
import { openSqliteDatabase } from "../../helpers/stores.js";

const pagination = { pageNumber: 1, showNumber: 1000 };

const database = openSqliteDatabase({ path: ":memory:" });
const store = createSqlStore(database);
beforeAll(() => store.put(demoWorld()));
afterAll(() => database.close());

it("is the same world each time", () => {
  expect(JSON.stringify(demoWorld())).toBe(JSON.stringify(demoWorld()));
});

it("has each record once, and names only records that it has", async () => {
  const world = demoWorld();
  for (const [name, keys] of Object.entries(recordKeys)) {
    const records = [...(world[name as RecordName] ?? [])] as Record<string, unknown>[];
    const identities = new Set(records.map((record) => JSON.stringify(keys.map((key) => record[key]))));
    expect([name, identities.size]).toEqual([name, records.length]);
  }
  expect(await danglingReferences(database)).toEqual([]);
});

it("has a group of 5,000 members, with an owner, administrators, and names in Chinese and English", async () => {
  const total = async (restriction: object) => {
    const answer = await getGroupMemberList(store, { groupID: "2559217223", ...restriction, pagination });
    return answer.errCode === 0 ? answer.data.total : answer.errDlt;
  };
  expect(demoGroupID).toBe("2559217223");
  expect(await total({})).toBe(5000);
  expect(await total({ filter: 1 })).toBe(1);
  expect(await total({ filter: 2 })).toBe(20);
  expect(await total({ keyword: "李" })).toBe(167);
  expect(await total({ keyword: "ada" })).toBeGreaterThan(50);

  const page = await store.listGroupMembers({ groupID: demoGroupID, keyword: "", offset: 0, limit: 100 });
  const faces = page?.items.filter(({ faceURL }) => faceURL !== "").length;
  expect(faces).toBeGreaterThan(20);
  expect(faces).toBeLessThan(50);
});

it("has a user with 300 other groups, each with an owner, some with notices, some dismissed", async () => {
  const answer = await getJoinedGroupList(store, { fromUserID: demoUserID(0), pagination });
  const groups = answer.errCode === 0 ? answer.data.groups : [];
  expect(groups).toHaveLength(301);
  expect(groups.filter(({ ownerUserID }) => ownerUserID === "")).toEqual([]);
  expect(groups.filter(({ notification }) => notification !== "")).toHaveLength(101);
  expect(groups.filter(({ status }) => status === 2)).toHaveLength(3);
  expect(groups.some(({ memberCount }) => memberCount === 10)).toBe(true);
});

it("has a manager with pending, accepted and refused requests", async () => {
  const received = async (handleResult: -1 | 0 | 1) => {
    const request = { fromUserID: demoUserID(0), handleResults: [handleResult], pagination };
    const answer = await getReceivedGroupApplicationList(store, request);
    return answer.errCode === 0 ? answer.data.groupRequests : [];
  };
  const [pending, accepted, refused] = [await received(0), await received(1), await received(-1)];
  expect([pending.length, accepted.length, refused.length]).toEqual([140, 160, 100]);
  expect(pending.filter(({ handleUserID, handleTime }) => handleUserID !== "" || handleTime !== 0)).toEqual([]);
  expect([...accepted, ...refused].filter(({ handleTime, reqTime }) => handleTime <= reqTime)).toEqual([]);
});

it("has blacklists of one entry and of many", async () => {
  const total = async (index: number) =>
    (await store.listBlacks({ ownerUserID: demoUserID(index), offset: 0, limit: 1 }))?.total;
  expect([await total(0), await total(11), await total(4000)]).toEqual([1, 12, 0]);
});

it("has notification accounts, and an administrator who is none", async () => {
  expect(await searchNotificationAccount(store, { pagination })).toMatchObject({
    errCode: 0,
    data: {
      total: 4,
      notificationAccounts: [
        { userID: "botWelcome", nickName: "Welcome 机器人" },
        { userID: "sysBilling", nickName: "Billing 账单" },
        { userID: "sysNews", nickName: "系统通知" },
        { userID: "sysSecurity", nickName: "Security alerts", faceURL: "" },
      ],
    },
  });
  const request = { fromUserID: demoAdminUserID, pagination };
  expect(await getJoinedGroupList(store, request)).toMatchObject({ errCode: 0, data: { total: 0 } });
});

import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { createAdminClient, eachItem, eachPage } from "../../adapters/client.js";
import {
  type CallOptions,
  type GroupMember,
  getBlackList,
  getGroupMemberList,
  getReceivedGroupApplicationList,
  type RecordSet,
  type Store,
} from "../../src/index.js";
import { openSqliteStore } from "../../src/stores/drivers/sqlite.js";
import { createPostgresStore } from "../../src/stores/postgres/index.js";
import { rounds, seed } from "../helpers/chance.js";
import { openExampleStore } from "../helpers/exampleStore.js";
import { served, token } from "../helpers/http/hosts.js";
import { openMigrated } from "../helpers/postgres/migrated.js";
import { postgresForFile } from "../helpers/postgres/server.js";
import { migrateSmall } from "../helpers/postgres/sessions.js";
import { memoryStore, temporaryFolder } from "../helpers/stores.js";

const postgres = postgresForFile(migrateSmall);

const engines: Record<string, (records: RecordSet) => Promise<Store>> = {
  async memory(records) {
    const store = memoryStore();
    await store.put(records);
    return store;
  },
  async "a file with a thread"(records) {
    const store = openSqliteStore({ path: `${temporaryFolder()}/im.db`, threads: 1 });
    onTestFinished(() => store.close());
    await store.put(records);
    return store;
  },
  async PostgreSQL(records) {
    await openMigrated(postgres.pool, records);
    return createPostgresStore({ pool: postgres.pool });
  },
};

/** A group, of which the members m0, m1, ... have these texts. */
function groupOf(texts: readonly string[]): RecordSet {
  return {
    users: [{ userID: "m0" }],
    groups: [{ groupID: "g" }],
    groupMembers: texts.map((ex, index) => ({ groupID: "g", userID: `m${index}`, joinTime: index, ex })),
  };
}

/** An item of {@link groupOf} has so many bytes beside its text, as long as the numbers in it have one digit. */
const bytesBeside = JSON.stringify({
  groupID: "g",
  userID: "m0",
  roleLevel: 0,
  joinTime: 0,
  nickname: "",
  faceURL: "",
  appMangerLevel: 0,
  joinSource: 0,
  operatorUserID: "",
  ex: "",
  muteEndTime: 0,
  inviterUserID: "",
}).length;

function members(store: Store, showNumber: number, pageBytes: number | undefined, pageNumber = 1) {
  const options: CallOptions = { limits: { pageBytes } };
  return getGroupMemberList(store, { groupID: "g", pagination: { pageNumber, showNumber } }, options);
}

const refusal = (fitting: number, bytes: number) => ({
  errCode: 1001,
  errMsg: "ArgsError",
  errDlt: `1001 ArgsError: pagination.showNumber must be at most ${fitting}: more have over ${bytes} bytes`,
});

/** The texts of the members that an answer has. */
const textsIn = (answer: Awaited<ReturnType<typeof members>>) => {
  if (answer.errCode !== 0) throw new Error(answer.errDlt);
  return answer.data.members.map(({ ex }) => ex);
};

describe.each(Object.entries(engines))("%s", (_name, open) => {
  it("refuses a page of too many bytes, says how many items fit, and answers these", async () => {
    const texts = ["a", "b", "c"].map((letter) => letter.repeat(1_000 - bytesBeside));
    const store = await open(groupOf(texts));
    expect(await members(store, 3, 2_999)).toStrictEqual(refusal(2, 2_999));
    expect(textsIn(await members(store, 2, 2_999))).toStrictEqual(texts.slice(0, 2));
    expect(textsIn(await members(store, 2, 2_999, 2))).toStrictEqual(texts.slice(2));
    expect(textsIn(await members(store, 3, 3_000))).toStrictEqual(texts);
    expect(await members(store, 1000, 1_999)).toStrictEqual(refusal(1, 1_999));
  });

  it("answers one item, however long it is", async () => {
    const texts = ["short", "e".repeat(3_000_000), "群".repeat(10)];
    const store = await open(groupOf(texts));
    expect(textsIn(await members(store, 1, 1_000, 2))).toStrictEqual([texts[1]]);
    expect(await members(store, 3, 1_000)).toStrictEqual(refusal(1, 1_000));
    expect(textsIn(await members(store, 3, undefined))).toStrictEqual(texts);
  });

  it("answers a page of which one item has nearly all bytes", async () => {
    const texts = Array.from({ length: 100 }, (_, index) => (index === 70 ? "e".repeat(60_000) : ""));
    const store = await open(groupOf(texts));
    expect(textsIn(await members(store, 100, 100_000))).toStrictEqual(texts);
  });

  it("counts bytes as they are in JSON, in UTF-8", async () => {
    const store = await open(groupOf(["\u0001".repeat(100), "群".repeat(100), "é".repeat(100)]));
    const bytes = 3 * bytesBeside + 600 + 300 + 200;
    expect(await members(store, 3, bytes - 1)).toStrictEqual(refusal(2, bytes - 1));
    expect(await members(store, 3, bytes)).toMatchObject({ errCode: 0 });
  });

  it("limits the other lists, too, and pages that are searched for", async () => {
    const ex = "e".repeat(5_000);
    const store = await open({
      ...groupOf([ex, ex]),
      groupMembers: [
        { groupID: "g", userID: "m0", roleLevel: 100, ex },
        { groupID: "g", userID: "m1", ex },
      ],
      groupRequests: [1, 2, 3].map((number) => ({ groupID: "g", userID: `u${number}`, reqMsg: ex })),
      blacks: [1, 2, 3].map((number) => ({ ownerUserID: "m0", blackUserID: `u${number}`, ex })),
    });
    const [limits, pagination] = [{ pageBytes: 11_500 }, { pageNumber: 1, showNumber: 3 }];
    const fits = refusal(2, 11_500);
    expect(await getBlackList(store, { userID: "m0", pagination }, { limits })).toStrictEqual(fits);
    const received = { fromUserID: "m0", pagination };
    expect(await getReceivedGroupApplicationList(store, received, { limits })).toStrictEqual(fits);
    const searched = { groupID: "g", keyword: "m", pagination };
    const one = { limits: { pageBytes: 6_000 } };
    expect(await getGroupMemberList(store, searched, one)).toStrictEqual(refusal(1, 6_000));
  });

  it("says for pages of any length what fits", async () => {
    const length = fc.oneof({ weight: 4, arbitrary: fc.nat(300) }, fc.nat(30_000));
    const lengths = fc.array(length, { minLength: 1, maxLength: 40 });
    const property = fc.asyncProperty(lengths, fc.integer({ min: 1, max: 60_000 }), async (lengths, pageBytes) => {
      const texts = lengths.map((length) => "e".repeat(length));
      const store = await open(groupOf(texts));
      const whole = await members(store, 1_000, undefined);
      if (whole.errCode !== 0) throw new Error(whole.errDlt);
      const all: GroupMember[] = whole.data.members;
      let bytes = 0;
      const tooMany = all.findIndex((item, index) => {
        bytes += JSON.stringify(item).length;
        return bytes > pageBytes && index > 0;
      });
      const answer = await members(store, 1_000, pageBytes);
      if (tooMany === -1) expect(answer).toStrictEqual(whole);
      else expect(answer).toStrictEqual(refusal(tooMany, pageBytes));
    });
    await fc.assert(property, { numRuns: rounds(300), seed });
  }, 300_000);
});

it("limits what a store of the host's own answers over HTTP", async () => {
  const store = await openExampleStore(groupOf(["e", "e", "e"].map((text) => text.repeat(1_000 - bytesBeside))));
  const { url } = await served({ store, limits: { pageBytes: 2_999 } });
  const client = createAdminClient({ url, token });
  const page = (showNumber: number) =>
    client.getGroupMemberList({ groupID: "g", pagination: { pageNumber: 1, showNumber } });
  expect(await page(3)).toStrictEqual(refusal(2, 2_999));
  expect(await page(2)).toMatchObject({ errCode: 0, data: { total: 3 } });
});

it("lets a client go on with smaller pages from the same row, and with larger ones after that", async () => {
  const texts = Array.from({ length: 400 }, (_, index) => (index > 100 && index < 140 ? "e".repeat(20_000) : ""));
  const store = memoryStore();
  await store.put(groupOf(texts));
  const { url } = await served({ store, limits: { pageBytes: 130_000 } });
  const { getGroupMemberList: list } = createAdminClient({ url, token });
  const found: string[] = [];
  for await (const { userID } of eachItem(list, { groupID: "g" })) found.push(userID);
  expect(found).toStrictEqual(texts.map((_, index) => `m${index}`));
  const lengths: number[] = [];
  for await (const page of eachPage(list, { groupID: "g" })) lengths.push(page.members.length);
  expect(lengths[0]).toBe(100);
  expect(Math.min(...lengths)).toBeLessThan(7);
  expect(Math.max(...lengths.slice(-4))).toBeGreaterThan(50);
});

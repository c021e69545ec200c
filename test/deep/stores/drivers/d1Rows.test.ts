/** What D1 bills for each operation and each write: the table of docs/performance.md is made here. */
import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { getGroupMemberList } from "../../../../src/index.js";
import type { RecordSet } from "../../../../src/records.js";
import type { BundledStore } from "../../../../src/stores/bundledStore.js";
import { createD1Store } from "../../../../src/stores/drivers/d1.js";
import { pageAt, root } from "../../../helpers/docs/pages.js";
import { type BatchResult, startWorker, type TestWorker } from "../../../helpers/workerd.js";

/** How much there is of what makes calls dear. */
interface World {
  members: number;
  managers: number;
  accounts: number;
  requests: number;
}

const small: World = { members: 20, managers: 5, accounts: 5, requests: 20 };
const large: World = { members: 5_000, managers: 50, accounts: 50, requests: 50_000 };

const ids = (prefix: string, length: number) => Array.from({ length }, (_, index) => `${prefix}${index}`);

/** A group with its managers, and one with a manager and requests. */
function records({ members, managers, accounts, requests }: World): RecordSet {
  return {
    users: [
      ...ids("u", members).map((userID) => ({ userID, nickname: `Ann ${userID}` })),
      ...ids("account", accounts).map((userID) => ({ userID, appMangerLevel: 3 })),
    ],
    groups: [{ groupID: "g1" }, { groupID: "asked" }],
    groupMembers: [
      ...ids("u", members).map((userID, index) => ({
        groupID: "g1",
        userID,
        joinTime: index,
        roleLevel: index < managers ? 60 : 20,
      })),
      { groupID: "asked", userID: "u0", roleLevel: 100 },
      { groupID: "asked", userID: "u1", roleLevel: 20 },
    ],
    groupRequests: ids("u", requests).map((userID, index) => ({ groupID: "asked", userID, reqTime: index })),
    blacks: ids("u", 20).map((blackUserID) => ({ ownerUserID: "u0", blackUserID })),
  };
}

const page = { offset: 0, limit: 20 };
const conversation = { conversationID: "c", conversationType: 3, userID: "", groupID: "g1" } as const;

/** The order matters, since each write changes the rows of the next. */
const calls: Record<string, (store: BundledStore, world: World) => Promise<unknown>> = {
  "page of 20 members: the first": (store) => store.listGroupMembers({ groupID: "g1", keyword: "", ...page }),
  "page of 20 members: the last": (store, { members }) =>
    store.listGroupMembers({ groupID: "g1", keyword: "", offset: members - 20, limit: 20 }),
  "the same, after another program has let one join": async (store, { members }) => {
    // This row is written beside the counted store.
    await d1.run(
      "INSERT INTO im_admin_group_members (group_id, user_id, join_time, role_level) VALUES ('g1', 'late', 9998, 20)",
    );
    await store.listGroupMembers({ groupID: "g1", keyword: "", offset: members - 20, limit: 20 });
  },
  "20 of the members with a word that all have": (store) =>
    store.listGroupMembers({ groupID: "g1", keyword: "nn", ...page }),
  "20 of the members with a word that one has": (store) =>
    store.listGroupMembers({ groupID: "g1", keyword: "ann u19", ...page }),
  "joined groups": (store) => store.listJoinedGroups({ userID: "u0", ...page }),
  "a blacklist of 20": (store) => store.listBlacks({ ownerUserID: "u0", ...page }),
  "page of 20 join requests: the first": (store) => store.listReceivedGroupRequests({ userID: "u0", ...page }),
  "page of 20 join requests: the last": (store, { requests }) =>
    store.listReceivedGroupRequests({ userID: "u0", offset: requests - 20, limit: 20 }),
  "notification accounts": (store) => store.listNotificationAccounts({ keyword: "", ...page }),
  "a conversation is set for a user: new": (store) =>
    store.setConversations({ ...conversation, userIDs: ["u0"], fields: { isPinned: true } }),
  "a conversation is set for a user: changed": (store) =>
    store.setConversations({ ...conversation, userIDs: ["u0"], fields: { isPinned: false } }),
  "a user is added": (store) => store.put({ users: [{ userID: "new" }] }),
  "a notification account is added": (store) => store.put({ users: [{ userID: "news", appMangerLevel: 3 }] }),
  "a user of two groups is renamed": (store) => store.put({ users: [{ userID: "u1", nickname: "Wang" }] }),
  "a group is added": (store) => store.put({ groups: [{ groupID: "g3" }] }),
  "a member joins": (store) =>
    store.put({ groupMembers: [{ groupID: "g1", userID: "new", joinTime: 9_999, roleLevel: 20 }] }),
  "a member becomes a manager": (store) =>
    store.put({ groupMembers: [{ groupID: "g1", userID: "new", joinTime: 9_999, roleLevel: 60 }] }),
  "a member leaves": (store) => store.remove({ groupMembers: [{ groupID: "g1", userID: "new" }] }),
  "an entry of a blacklist": (store) => store.put({ blacks: [{ ownerUserID: "u0", blackUserID: "new" }] }),
  "a join request for a group with managers": (store) =>
    store.put({ groupRequests: [{ groupID: "g1", userID: "new" }] }),
  "a member becomes a manager of a group with requests": (store) =>
    store.put({ groupMembers: [{ groupID: "asked", userID: "u1", roleLevel: 60 }] }),
};

let d1: TestWorker;
beforeAll(async () => {
  d1 = await startWorker();
});
afterAll(() => d1.stop());

/** The rows that D1 reads and writes for each call. */
async function measured(world: World): Promise<string[][]> {
  const filled = await d1.emptyStore();
  await filled.put(records(world));
  // A batch settles a part of so many changes, and these calls the rest.
  await filled.listGroupMembers({ groupID: "g1", keyword: "", ...page });
  await filled.listReceivedGroupRequests({ userID: "u0", ...page });
  let read = 0;
  let written = 0;
  const store = createD1Store({
    prepare: (sql) => d1.database.prepare(sql),
    async batch(statements) {
      const results = (await d1.database.batch(statements)) as BatchResult[];
      for (const { meta } of results) {
        read += meta.rows_read;
        written += meta.rows_written;
      }
      return results;
    },
  });
  const rows: string[][] = [];
  for (const call of Object.values(calls)) {
    read = 0;
    written = 0;
    await call(store, world);
    rows.push([read.toLocaleString("en-US"), written.toLocaleString("en-US")]);
  }
  return rows;
}

it("is what docs/performance.md says", { timeout: 600_000 }, async () => {
  const [few, many] = [await measured(small), await measured(large)];
  const lines = Object.keys(calls).map(
    (call, index) => `| ${[call, ...(few[index] ?? []), ...(many[index] ?? [])].join(" | ")} |`,
  );
  const table = [
    "| | small: rows read | written | large: rows read | written |",
    "|---|---:|---:|---:|---:|",
    ...lines,
  ].join("\n");
  const { path, text } = pageAt("docs/performance.md");
  // `UPDATE=1` writes the table into the page.
  if (process.env["UPDATE"]) writeFileSync(root + path, text.replace(/^\| \| small.*?\n\n/ms, `${table}\n\n`));
  else expect(text).toContain(table);
});

it("answers pages of 16 MB, and says of longer ones how many entries they may have", async () => {
  const store = await d1.emptyStore();
  const groupMembers = Array.from({ length: 300 }, (_, index) => ({
    groupID: "g1",
    userID: `u${index}`,
    joinTime: index,
    ex: index < 20 ? "e".repeat(65_536) : "群".repeat(21_800),
  }));
  await store.put({ groups: [{ groupID: "g1" }], groupMembers });
  const page = (showNumber: number, pageNumber = 1) =>
    getGroupMemberList(store, { groupID: "g1", pagination: { pageNumber, showNumber } });
  const tooMany = await page(300);
  expect(tooMany).toEqual({
    errCode: 1001,
    errMsg: "ArgsError",
    errDlt: "1001 ArgsError: pagination.showNumber must be at most 255: more have over 16777216 bytes",
  });
  const members = (first: number, end?: number) =>
    groupMembers.slice(first, end).map(({ userID, ex }) => ({ userID, ex }));
  const data = (first: number, end?: number) => ({ total: 300, members: members(first, end) });
  expect(await page(255)).toMatchObject({ errCode: 0, data: data(0, 255) });
  expect(await page(255, 2)).toMatchObject({ errCode: 0, data: data(255) });
  expect(await page(256)).toEqual(tooMany);
});

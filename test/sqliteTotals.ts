import type BetterSqlite3 from "better-sqlite3";
import type { PageRange } from "../src/pagination.js";
import type { Store } from "../src/store.js";

/** Few identifiers, so that rows meet; one of them may also be written as a number. */
export const userIDs = ["u1", "u2", "u3", "7"];
export const groupIDs = ["g1", "g2", "g3"];

interface CountedList {
  owners: string[];
  /** The rows of an owner's list, `?`, as `listed` names them. */
  rows: string;
  page(store: Store, owner: string, range: PageRange): Promise<{ total: number; listed: unknown[] } | undefined>;
}

const memberCount = (groupID: string) =>
  `(SELECT count(*) FROM groupMembers AS counted WHERE counted.groupID = ${groupID})`;

/** All lists whose totals the database keeps: how they are answered, and how a plain SELECT finds the same rows. */
const countedLists: Record<string, CountedList> = {
  groupMembers: {
    owners: groupIDs,
    rows: "SELECT userID FROM groupMembers WHERE groupID = ? ORDER BY roleLevel DESC, joinTime, userID",
    page: async (store, groupID, range) =>
      listed(await store.listGroupMembers({ groupID, keyword: "", ...range }), ({ userID }) => userID),
  },
  joinedGroups: {
    owners: userIDs,
    rows: `SELECT groupID || ' of ' || ${memberCount("groupMembers.groupID")} FROM groupMembers
      WHERE userID = ? ORDER BY joinTime DESC, groupID`,
    page: async (store, userID, range) =>
      listed(await store.listJoinedGroups({ userID, ...range }), (group) => `${group.groupID} of ${group.memberCount}`),
  },
  blacks: {
    owners: userIDs,
    rows: "SELECT blackUserID FROM blacks WHERE ownerUserID = ? ORDER BY createTime DESC, blackUserID",
    page: async (store, ownerUserID, range) =>
      listed(await store.listBlacks({ ownerUserID, ...range }), ({ blackUserInfo }) => blackUserInfo.userID),
  },
  receivedGroupRequests: {
    owners: userIDs,
    rows: `SELECT userID || ' to ' || groupID || ' of ' || ${memberCount("groupRequests.groupID")} FROM groupRequests
      WHERE groupID IN (SELECT groupID FROM groupMembers WHERE userID = ? AND (roleLevel = 60 OR roleLevel = 100))
      ORDER BY reqTime DESC, groupID, userID`,
    page: async (store, userID, range) =>
      listed(
        await store.listReceivedGroupRequests({ userID, ...range }),
        ({ userInfo, groupInfo }) => `${userInfo.userID} to ${groupInfo.groupID} of ${groupInfo.memberCount}`,
      ),
  },
  notificationAccounts: {
    owners: [""],
    rows: "SELECT userID FROM users WHERE appMangerLevel >= 3 AND ? = '' ORDER BY userID",
    page: async (store, _, range) =>
      listed(await store.listNotificationAccounts({ keyword: "", ...range }), ({ userID }) => userID),
  },
};

function listed<Item>(page: { total: number; items: Item[] } | undefined, name: (item: Item) => string) {
  return page && { total: page.total, listed: page.items.map(name) };
}

/** Every list as the store answers it, by pages of two. */
export async function answeredLists(store: Store) {
  return await everyList(async ({ page }, owner) => {
    const first = await page(store, owner, { offset: 0, limit: 2 });
    const second = await page(store, owner, { offset: 2, limit: 2 });
    const rest = await page(store, owner, { offset: 4, limit: 1000 });
    if (!first || !second || !rest) return undefined;
    const totals = [first.total, second.total, rest.total];
    return { totals, listed: [...first.listed, ...second.listed, ...rest.listed] };
  });
}

/** What must be answered by the rows that are there. */
export async function expectedLists(connection: BetterSqlite3.Database) {
  return await everyList(async ({ rows }, owner) => {
    const listed = connection.prepare(rows).pluck().all(owner);
    return { totals: [listed.length, listed.length, listed.length], listed };
  });
}

async function everyList<Result>(read: (list: CountedList, owner: string) => Promise<Result>) {
  const results: Record<string, Result> = {};
  for (const [name, list] of Object.entries(countedLists)) {
    for (const owner of list.owners) results[`${name} ${owner}`] = await read(list, owner);
  }
  return results;
}

import type BetterSqlite3 from "better-sqlite3";
import type { PageRange } from "../../src/pagination.js";
import { recordFields } from "../../src/records.js";
import type { Store } from "../../src/store.js";
import { snakeCase } from "../../src/stores/snakeCase.js";
import { ourName } from "../../src/stores/sqlite/sql.js";

/** A list as a store answers it, and as a plain look at the rows finds it: each item by a text that tells it apart. */
interface ModelledList {
  answered(store: Store, range: PageRange): Promise<{ total: number; names: string[] } | undefined>;
  expected(rows: Rows): string[];
}

/** The rows of the tables that lists are made of. */
export interface Rows {
  users: { userID: string; nickname: string; appMangerLevel: number }[];
  groups: { groupID: string }[];
  groupMembers: { groupID: string; userID: string; roleLevel: number; joinTime: number; nickname: string }[];
  blacks: { ownerUserID: string; blackUserID: string; createTime: number }[];
  groupRequests: { groupID: string; userID: string; reqTime: number; handleResult: number }[];
}

export function readRows(connection: BetterSqlite3.Database): Rows {
  const tables = ["users", "groups", "groupMembers", "blacks", "groupRequests"] as const;
  const rows = tables.map((table) => {
    const columns = recordFields[table].map(([field]) => `${snakeCase(field)} AS ${field}`);
    return [table, connection.prepare(`SELECT ${columns} FROM ${ourName(table)}`).all()];
  });
  return Object.fromEntries(rows) as Rows;
}

/** The order of bytes in UTF-8, which is that of code points. */
const compareText = (left: string, right: string) => Buffer.compare(Buffer.from(left), Buffer.from(right));

const lower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
const hasKeyword = (keyword: string, ...texts: string[]) => texts.some((text) => lower(text).includes(lower(keyword)));

export function membersOf(
  groupID: string,
  { keyword = "", roleLevels }: { keyword?: string; roleLevels?: readonly number[] } = {},
): ModelledList {
  return {
    answered: async (store, range) => {
      const query = { groupID, keyword, ...range, ...(roleLevels && { roleLevels }) };
      return named(await store.listGroupMembers(query), ({ userID, nickname }) => `${userID} ${nickname}`);
    },
    expected: ({ groupMembers, users }) => {
      const profiles = new Map(users.map(({ userID, nickname }) => [userID, nickname]));
      return groupMembers
        .filter((member) => member.groupID === groupID)
        .map((member) => ({ ...member, nickname: member.nickname || (profiles.get(member.userID) ?? "") }))
        .filter(({ userID, nickname }) => hasKeyword(keyword, userID, nickname))
        .filter(({ roleLevel }) => roleLevels === undefined || roleLevels.includes(roleLevel))
        .sort((a, b) => b.roleLevel - a.roleLevel || a.joinTime - b.joinTime || compareText(a.userID, b.userID))
        .map(({ userID, nickname }) => `${userID} ${nickname}`);
    },
  };
}

export function groupsOf(userID: string): ModelledList {
  return {
    answered: async (store, range) =>
      named(
        await store.listJoinedGroups({ userID, ...range }),
        ({ groupID, memberCount, ownerUserID }) => `${groupID} of ${memberCount}, owner ${ownerUserID}`,
      ),
    expected: ({ groupMembers }) =>
      groupMembers
        .filter((member) => member.userID === userID)
        .sort((a, b) => b.joinTime - a.joinTime || compareText(a.groupID, b.groupID))
        .map(({ groupID }) => {
          const members = groupMembers.filter((member) => member.groupID === groupID);
          const [owner] = members
            .filter(({ roleLevel }) => roleLevel === 100)
            .sort((a, b) => a.joinTime - b.joinTime || compareText(a.userID, b.userID));
          return `${groupID} of ${members.length}, owner ${owner?.userID ?? ""}`;
        }),
  };
}

export function blacksOf(ownerUserID: string): ModelledList {
  return {
    answered: async (store, range) =>
      named(await store.listBlacks({ ownerUserID, ...range }), ({ blackUserInfo }) => blackUserInfo.userID),
    expected: ({ blacks }) =>
      blacks
        .filter((black) => black.ownerUserID === ownerUserID)
        .sort((a, b) => b.createTime - a.createTime || compareText(a.blackUserID, b.blackUserID))
        .map(({ blackUserID }) => blackUserID),
  };
}

export function requestsFor(
  userID: string,
  { groupIDs, handleResults }: { groupIDs?: readonly string[]; handleResults?: readonly number[] } = {},
): ModelledList {
  return {
    answered: async (store, range) => {
      const query = { userID, ...range, ...(groupIDs && { groupIDs }), ...(handleResults && { handleResults }) };
      return named(
        await store.listReceivedGroupRequests(query),
        ({ groupInfo, userInfo, handleResult }) => `${userInfo.userID} to ${groupInfo.groupID}: ${handleResult}`,
      );
    },
    expected: ({ groupMembers, groupRequests }) => {
      const managed = groupMembers
        .filter((member) => member.userID === userID && [60, 100].includes(member.roleLevel))
        .map(({ groupID }) => groupID);
      return groupRequests
        .filter(({ groupID }) => managed.includes(groupID) && (groupIDs?.includes(groupID) ?? true))
        .filter(({ handleResult }) => handleResults?.includes(handleResult) ?? true)
        .sort((a, b) => b.reqTime - a.reqTime || compareText(a.groupID, b.groupID) || compareText(a.userID, b.userID))
        .map(({ userID, groupID, handleResult }) => `${userID} to ${groupID}: ${handleResult}`);
    },
  };
}

export function accounts({
  keyword = "",
  appMangerLevel,
}: {
  keyword?: string;
  appMangerLevel?: number;
} = {}): ModelledList {
  return {
    answered: async (store, range) => {
      const query = { keyword, ...range, ...(appMangerLevel !== undefined && { appMangerLevel }) };
      return named(await store.listNotificationAccounts(query), ({ userID, nickName }) => `${userID} ${nickName}`);
    },
    expected: ({ users }) =>
      users
        .filter((user) =>
          appMangerLevel === undefined ? user.appMangerLevel >= 3 : user.appMangerLevel === appMangerLevel,
        )
        .filter(({ userID, nickname }) => hasKeyword(keyword, userID, nickname))
        .sort((a, b) => compareText(a.userID, b.userID))
        .map(({ userID, nickname }) => `${userID} ${nickname}`),
  };
}

function named<Item>(page: { total: number; items: Item[] } | undefined, name: (item: Item) => string) {
  return page && { total: page.total, names: page.items.map(name) };
}

/** Reads a list by pages of a size and compares each with the model; a text that says what differs, if anything. */
export async function compareList(
  store: Store,
  rows: Rows,
  list: ModelledList,
  size: number,
): Promise<string | undefined> {
  const expected = list.expected(rows);
  for (let offset = 0; offset <= expected.length; offset += size) {
    const answered = await list.answered(store, { offset, limit: size });
    const page = { total: expected.length, names: expected.slice(offset, offset + size) };
    if (JSON.stringify(answered) !== JSON.stringify(page)) {
      return `at ${offset}: ${JSON.stringify(answered)} instead of ${JSON.stringify(page)}`;
    }
  }
  return undefined;
}

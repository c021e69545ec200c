import type BetterSqlite3 from "better-sqlite3";
import type { PageRange } from "../../src/pagination.js";
import { recordFields } from "../../src/records.js";
import type {
  GroupMembersQuery,
  ListMethod,
  NotificationAccountsQuery,
  ReceivedGroupRequestsQuery,
  Store,
} from "../../src/store.js";
import { snakeCase } from "../../src/stores/snakeCase.js";
import { ourName } from "../../src/stores/sqlite/sql.js";
import { exampleOf } from "./exampleStore.js";
import { type FiltersOf, filterings } from "./filters.js";

/** A list as a store answers it: each item by a text that tells it apart. */
type List = (store: Store, range: PageRange) => Promise<{ total: number; names: string[] } | undefined>;

/** The tables that lists are made of. */
export const listedTables = ["users", "groups", "groupMembers", "blacks", "groupRequests"] as const;

/** The example of a store of one's own, which looks at all its rows for each list, with the rows of a database. */
export function readRows(connection: BetterSqlite3.Database): Store {
  const rows = listedTables.map((table) => {
    const columns = recordFields[table].map(([field]) => `${snakeCase(field)} AS ${field}`);
    return [table, connection.prepare(`SELECT ${columns} FROM ${ourName(table)}`).all()];
  });
  return exampleOf(Object.fromEntries(rows));
}

type Filters<Query> = Omit<Query, keyof PageRange>;

export const membersOf =
  (groupID: string, filters: Partial<Filters<GroupMembersQuery>> = {}): List =>
  async (store, range) =>
    named(
      await store.listGroupMembers({ groupID, keyword: "", ...filters, ...range }),
      ({ userID, nickname }) => `${userID} ${nickname}`,
    );

export const groupsOf =
  (userID: string): List =>
  async (store, range) =>
    named(
      await store.listJoinedGroups({ userID, ...range }),
      ({ groupID, memberCount, ownerUserID }) => `${groupID} of ${memberCount}, owner ${ownerUserID}`,
    );

export const blacksOf =
  (ownerUserID: string): List =>
  async (store, range) =>
    named(await store.listBlacks({ ownerUserID, ...range }), ({ blackUserInfo }) => blackUserInfo.userID);

export const requestsFor =
  (userID: string, filters: Partial<Filters<ReceivedGroupRequestsQuery>> = {}): List =>
  async (store, range) =>
    named(
      await store.listReceivedGroupRequests({ userID, ...filters, ...range }),
      ({ groupInfo, userInfo, handleResult }) => `${userInfo.userID} to ${groupInfo.groupID}: ${handleResult}`,
    );

export const accounts =
  (filters: Partial<Filters<NotificationAccountsQuery>> = {}): List =>
  async (store, range) =>
    named(
      await store.listNotificationAccounts({ keyword: "", ...filters, ...range }),
      ({ userID, nickName }) => `${userID} ${nickName}`,
    );

/** A list without filters, and with each of them. */
export function filtered<Method extends ListMethod>(
  what: string,
  method: Method,
  list: (filters: FiltersOf<Method>) => List,
): Record<string, List> {
  return Object.fromEntries(
    filterings(method).map((filters) => [`${what}: ${JSON.stringify(filters)}`, list(filters)]),
  );
}

function named<Item>(page: { total: number; items: Item[] } | undefined, name: (item: Item) => string) {
  return page && { total: page.total, names: page.items.map(name) };
}

/** Reads a list by pages of a size and compares each with the rows; a text that says what differs, if anything. */
export async function compareList(store: Store, rows: Store, list: List, size: number): Promise<string | undefined> {
  const { names = [] } = (await list(rows, { offset: 0, limit: Number.POSITIVE_INFINITY })) ?? {};
  for (let offset = 0; offset <= names.length; offset += size) {
    const answered = await list(store, { offset, limit: size });
    const page = { total: names.length, names: names.slice(offset, offset + size) };
    if (JSON.stringify(answered) !== JSON.stringify(page)) {
      return `at ${offset}: ${JSON.stringify(answered)} instead of ${JSON.stringify(page)}`;
    }
  }
  return undefined;
}

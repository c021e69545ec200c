/**
 * The same lists with drizzle, in queries that are prepared once. It stands for object-relational mappers: many users
 * of Node choose it, and it runs on better-sqlite3 itself. Prisma needs generated code; knex and kysely send the SQL of
 * the hand-written contestant. The limit is a `?` here, since drizzle writes it so.
 */
import type BetterSqlite3 from "better-sqlite3";
import { drizzle } from "drizzle-orm/better-sqlite3";
import {
  accountsQuery,
  blacksQuery,
  joinedGroupsQuery,
  memberSearchQuery,
  membersQuery,
  requestsQuery,
} from "./drizzleQueries.js";
import type { Lists } from "./pageReader.js";

interface Query<Item> {
  total: { get(values: Record<string, unknown>): { total: number } | undefined };
  page: { all(values: Record<string, unknown>): Item[] };
}

export function drizzleLists(client: BetterSqlite3.Database): Lists {
  const database = drizzle({ client });
  const search = memberSearchQuery(database);
  const blacks = blacksQuery(database);
  const joinedGroups = joinedGroupsQuery(database);
  const accounts = accountsQuery(database);
  const members = perValues((roleLevels) => membersQuery(database, roleLevels));
  const requests = perValues((handleResults) => requestsQuery(database, handleResults));

  function read<Item>({ total, page }: Query<Item>, owner: string, values: { offset: number; limit: number }) {
    const { offset, limit } = values;
    return { total: total.get({ owner })?.total ?? 0, items: page.all({ owner, offset, limit }) };
  }

  return {
    listGroupMembers(query) {
      if (query.keyword === "") return read(members(query.roleLevels), query.groupID, query);
      const { groupID: owner, keyword, offset, limit } = query;
      const pattern = `%${keyword}%`;
      const total = search.total.get({ owner, pattern })?.total ?? 0;
      return { total, items: search.page.all({ owner, pattern, offset, limit }) };
    },
    listBlacks: (query) => read(blacks, query.ownerUserID, query),
    listJoinedGroups: (query) => read(joinedGroups, query.userID, query),
    listReceivedGroupRequests: (query) => read(requests(query.handleResults), query.userID, query),
    listNotificationAccounts: (query) => read(accounts, "", query),
  };
}

/** Prepares a query once for each list of values that stands in its text. */
function perValues<Prepared>(prepare: (values?: readonly number[]) => Prepared) {
  const prepared = new Map<string, Prepared>();
  return (values: readonly number[] | undefined): Prepared => {
    const key = String(values);
    const known = prepared.get(key) ?? prepare(values);
    prepared.set(key, known);
    return known;
  };
}

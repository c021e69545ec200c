/** Reads the pages of all lists: calls the function of the schema for each query. */
import type { JsonPage } from "../../../jsonLists.js";
import type { PageRange } from "../../../pagination.js";
import type {
  BlacksQuery,
  GroupMembersQuery,
  JoinedGroupsQuery,
  NotificationAccountsQuery,
  ReceivedGroupRequestsQuery,
} from "../../../store.js";
import { rangesOf } from "../../lists/digits.js";
import { groupMembers } from "../../lists/groupMembers.js";
import type { ListDefinition } from "../../lists/list.js";
import { notificationAccountsByLevel } from "../../lists/notificationAccounts.js";
import { isForOthers, type PostgresPool, retried } from "../database.js";
import { turnsOf } from "../heavyTurns.js";
import { runForCall } from "../runForCall.js";
import { join, name, type Sql, sql, type Value } from "../sql.js";

/**
 * The pools that a list is read from, the signal of the call, and a callback that learns how many changes were pending.
 */
export interface Source {
  readPool: PostgresPool;
  /** The pool for reads when the other one fails. */
  pool: PostgresPool;
  schema: Sql;
  signal: AbortSignal | undefined;
  /** Whose heavy calls take turns with those of others. */
  caller: string;
  onPending: (pending: number) => void;
}

/** The longest page that is read at once. Longer pages, and searches, wait for their turn. */
const mostLightItems = 100;

/** Reads a page with a function of the schema; undefined if the parent does not exist. */
async function read(
  { readPool, pool, schema, signal, caller, onPending }: Source,
  routine: string,
  asked: readonly Value[],
  { offset, limit }: PageRange,
  looksAtAll = false,
): Promise<JsonPage | undefined> {
  const values = [...asked, offset, limit].map((value) => sql`${value}`);
  const statement = sql`SELECT total::text, items, pending::text FROM ${schema}.${name(routine)}(${join(values)})`;
  // A read may conflict too: in serializable transactions, and on a replica.
  const readBy = (from: PostgresPool) => retried(() => runForCall(from, statement, { signal }));
  const answered = () =>
    readBy(readPool).catch((error) => {
      if (readPool === pool || signal?.aborted || !isForOthers(error)) throw error;
      return readBy(pool);
    });
  const isHeavy = looksAtAll || limit > mostLightItems;
  const [row] = await (isHeavy ? turnsOf(readPool).reads(caller, signal, answered) : answered());
  if (row === undefined) throw new Error("the database has not answered");
  onPending(Number(row["pending"]));
  return row["total"] === null ? undefined : { total: Number(row["total"]), items: String(row["items"]) };
}

/** A keyword in small letters, as the searches expect it. */
function small(keyword: string): string {
  return keyword.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** How the keys of rows begin that have one of these numbers. */
function beginningsOf(list: ListDefinition, numbers: readonly number[]): string[] {
  return rangesOf(list, numbers).map(([beginning]) => beginning);
}

export function readGroupMembers(source: Source, query: GroupMembersQuery): Promise<JsonPage | undefined> {
  const { groupID, keyword, roleLevels } = query;
  const beginnings = roleLevels && beginningsOf(groupMembers, roleLevels);
  return read(source, "group_members_page", [groupID, beginnings ?? null, small(keyword)], query, keyword !== "");
}

export function readBlacks(source: Source, query: BlacksQuery): Promise<JsonPage | undefined> {
  return read(source, "blacks_page", [query.ownerUserID], query);
}

export function readJoinedGroups(source: Source, query: JoinedGroupsQuery): Promise<JsonPage | undefined> {
  return read(source, "joined_groups_page", [query.userID], query);
}

export function readReceivedGroupRequests(
  source: Source,
  query: ReceivedGroupRequestsQuery,
): Promise<JsonPage | undefined> {
  const { userID, groupIDs = null, handleResults = null } = query;
  return read(source, "received_group_requests_page", [userID, groupIDs, handleResults], query, groupIDs !== null);
}

export async function readNotificationAccounts(source: Source, query: NotificationAccountsQuery): Promise<JsonPage> {
  const { keyword, appMangerLevel } = query;
  const beginnings = appMangerLevel === undefined ? null : beginningsOf(notificationAccountsByLevel, [appMangerLevel]);
  const page = await read(source, "notification_accounts_page", [beginnings, small(keyword)], query, keyword !== "");
  return page ?? { total: 0, items: "[]" };
}

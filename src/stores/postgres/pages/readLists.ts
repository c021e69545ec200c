/** The pages of all lists: which function answers a query, and what it is given. */
import type { JsonPage } from "../../../jsonLists.js";
import type { PageRange } from "../../../pagination.js";
import type {
  BlacksQuery,
  GroupMembersQuery,
  JoinedGroupsQuery,
  NotificationAccountsQuery,
  ReceivedGroupRequestsQuery,
} from "../../../store.js";
import { groupMembers } from "../../lists/groupMembers.js";
import { rangesOf } from "../../lists/keyRanges.js";
import { notificationAccountsByLevel } from "../../lists/notificationAccounts.js";
import { type PostgresPool, retried } from "../database.js";
import { countedLists } from "../nodes/counted.js";
import { receivedPage } from "../received/routine.js";
import { runForCall } from "../runForCall.js";
import { searchOf } from "../search/routines.js";
import { join, name, type Sql, sql, type Value } from "../sql.js";
import { pageOf } from "./routines.js";

/** Where lists are read, and until when somebody waits for that. */
export interface Source {
  pool: PostgresPool;
  schema: Sql;
  signal: AbortSignal | undefined;
}

/** Reads a page by a function of the schema; undefined where the parent does not exist. */
async function read(
  { pool, schema, signal }: Source,
  routine: string,
  owner: string,
  { offset, limit }: PageRange,
  more: readonly Value[],
): Promise<JsonPage | undefined> {
  const values = [owner, offset, limit, ...more].map((value) => sql`${value}`);
  const statement = sql`SELECT total::text, items FROM ${schema}.${name(routine)}(${join(values)})`;
  // Where transactions are serializable, and on a replica, others may be in the way even of those who read.
  const [row] = await retried(() => runForCall(pool, statement, { signal }));
  if (row === undefined) throw new Error("the database has not answered");
  return row["total"] === null ? undefined : { total: Number(row["total"]), items: String(row["items"]) };
}

/** A keyword as the searches take it. */
function small(keyword: string): string {
  return keyword.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

export function readGroupMembers(source: Source, query: GroupMembersQuery): Promise<JsonPage | undefined> {
  const { groupID, keyword, roleLevels } = query;
  if (keyword !== "") {
    return read(source, searchOf(countedLists.groupMembers), groupID, query, [roleLevels ?? null, small(keyword)]);
  }
  const ranges = roleLevels === undefined ? null : rangesOf(groupMembers, roleLevels).flat();
  return read(source, pageOf(countedLists.groupMembers), groupID, query, [ranges]);
}

export function readBlacks(source: Source, query: BlacksQuery): Promise<JsonPage | undefined> {
  return read(source, pageOf(countedLists.blacks), query.ownerUserID, query, [null]);
}

export function readJoinedGroups(source: Source, query: JoinedGroupsQuery): Promise<JsonPage | undefined> {
  return read(source, pageOf(countedLists.joinedGroups), query.userID, query, [null]);
}

export function readReceivedGroupRequests(
  source: Source,
  query: ReceivedGroupRequestsQuery,
): Promise<JsonPage | undefined> {
  const { userID, groupIDs = null, handleResults = null } = query;
  return read(source, receivedPage, userID, query, [groupIDs, handleResults]);
}

export async function readNotificationAccounts(source: Source, query: NotificationAccountsQuery): Promise<JsonPage> {
  const { keyword, appMangerLevel: level } = query;
  const page = await (keyword !== ""
    ? read(source, searchOf(countedLists.notificationAccounts), "", query, [
        level === undefined ? null : [level],
        small(keyword),
      ])
    : level === undefined
      ? read(source, pageOf(countedLists.notificationAccounts), "", query, [null])
      : read(source, pageOf(countedLists.notificationAccountsByLevel), "", query, [
          rangesOf(notificationAccountsByLevel, [level]).flat(),
        ]));
  return page ?? { total: 0, items: "[]" };
}

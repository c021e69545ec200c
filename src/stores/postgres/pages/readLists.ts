/** The pages of all lists: which function answers a query, and what it is given. */
import type { Black, Group, GroupMember, GroupRequest, NotificationAccount } from "../../../model.js";
import type { Page, PageRange } from "../../../pagination.js";
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
import { type PostgresPool, run } from "../database.js";
import { countedLists } from "../nodes/counted.js";
import { receivedPage } from "../received/routine.js";
import { searchOf } from "../search/routines.js";
import { join, name, type Sql, sql, type Value } from "../sql.js";
import { pageOf } from "./routines.js";

/** Where lists are read. */
export interface Source {
  pool: PostgresPool;
  schema: Sql;
}

/** Reads a page by a function of the schema; undefined where the parent does not exist. */
async function read<Item>(
  { pool, schema }: Source,
  routine: string,
  owner: string,
  { offset, limit }: PageRange,
  more: readonly Value[],
): Promise<Page<Item> | undefined> {
  const values = [owner, offset, limit, ...more].map((value) => sql`${value}`);
  const [row] = await run(pool, sql`SELECT total::text, items FROM ${schema}.${name(routine)}(${join(values)})`);
  if (row === undefined) throw new Error("the database has not answered");
  return row["total"] === null
    ? undefined
    : { total: Number(row["total"]), items: JSON.parse(String(row["items"])) as Item[] };
}

/** A keyword as the searches take it. */
function small(keyword: string): string {
  return keyword.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

export function readGroupMembers(source: Source, query: GroupMembersQuery): Promise<Page<GroupMember> | undefined> {
  const { groupID, keyword, roleLevels } = query;
  if (keyword !== "") {
    return read(source, searchOf(countedLists.groupMembers), groupID, query, [roleLevels ?? null, small(keyword)]);
  }
  const ranges = roleLevels === undefined ? null : rangesOf(groupMembers, roleLevels).flat();
  return read(source, pageOf(countedLists.groupMembers), groupID, query, [ranges]);
}

export function readBlacks(source: Source, query: BlacksQuery): Promise<Page<Black> | undefined> {
  return read(source, pageOf(countedLists.blacks), query.ownerUserID, query, [null]);
}

export function readJoinedGroups(source: Source, query: JoinedGroupsQuery): Promise<Page<Group> | undefined> {
  return read(source, pageOf(countedLists.joinedGroups), query.userID, query, [null]);
}

export function readReceivedGroupRequests(
  source: Source,
  query: ReceivedGroupRequestsQuery,
): Promise<Page<GroupRequest> | undefined> {
  const { userID, groupIDs = null, handleResults = null } = query;
  return read(source, receivedPage, userID, query, [groupIDs, handleResults]);
}

export async function readNotificationAccounts(
  source: Source,
  query: NotificationAccountsQuery,
): Promise<Page<NotificationAccount>> {
  const { keyword, appMangerLevel: level } = query;
  const page = await (keyword !== ""
    ? read<NotificationAccount>(source, searchOf(countedLists.notificationAccounts), "", query, [
        level === undefined ? null : [level],
        small(keyword),
      ])
    : level === undefined
      ? read<NotificationAccount>(source, pageOf(countedLists.notificationAccounts), "", query, [null])
      : read<NotificationAccount>(source, pageOf(countedLists.notificationAccountsByLevel), "", query, [
          rangesOf(notificationAccountsByLevel, [level]).flat(),
        ]));
  return page ?? { total: 0, items: [] };
}

/** The pages of all lists but those with a keyword: which statement answers a query, and what it is given. */
import type { JsonPage } from "../../../jsonLists.js";
import type { PageRange } from "../../../pagination.js";
import type {
  BlacksQuery,
  GroupMembersQuery,
  JoinedGroupsQuery,
  NotificationAccountsQuery,
  ReceivedGroupRequestsQuery,
} from "../../../store.js";
import { answeredBlacks, blacks } from "../../lists/blacks.js";
import { groupMembers } from "../../lists/groupMembers.js";
import { joinedGroups } from "../../lists/joinedGroups.js";
import type { ListDefinition } from "../../lists/list.js";
import { notificationAccounts, notificationAccountsByLevel } from "../../lists/notificationAccounts.js";
import { receivedGroupRequests, receivedGroupRequestsByResult } from "../../lists/receivedGroupRequests.js";
import type { SqlDatabase } from "../database.js";
import { keyOf, rangesText } from "../nodes/keys.js";
import { isManaging, listedTable } from "../nodes/names.js";
import { countRanges, filteredRows, keyRanges, rowsWithKey, type Selection, wholeList } from "../nodes/read.js";
import { type Sql, sql } from "../sql.js";
import { type PageStatement, pageStatement, readPage } from "./readPage.js";

const pageColumns = ["owner", "skip", "size"] as const;

const whole = <Item>(list: ListDefinition<Item>) => pageStatement(list, wholeList(list), pageColumns);
const ofRanges = <Item>(list: ListDefinition<Item>) =>
  pageStatement(list, keyRanges(list), [...pageColumns, "ranges"] as const);

const wholeOf = {
  groupMembers: whole(groupMembers),
  joinedGroups: whole(joinedGroups),
  blacks: whole(blacks),
  answeredBlacks: whole(answeredBlacks),
  receivedGroupRequests: whole(receivedGroupRequests),
  notificationAccounts: whole(notificationAccounts),
};
const rangesOf = {
  groupMembers: ofRanges(groupMembers),
  receivedGroupRequestsByResult: ofRanges(receivedGroupRequestsByResult),
  notificationAccountsByLevel: ofRanges(notificationAccountsByLevel),
};

function readWhole<Item>(
  database: SqlDatabase,
  statement: PageStatement<Item, (typeof pageColumns)[number]>,
  owner: string,
  { offset, limit }: PageRange,
): Promise<JsonPage | undefined> {
  return readPage(database, statement, { owner, skip: offset, size: limit });
}

/** Reads the rows whose first field in the order has one of some values. */
function readValues<Item>(
  database: SqlDatabase,
  statement: PageStatement<Item, (typeof pageColumns)[number] | "ranges">,
  owner: string,
  values: readonly number[],
  { offset, limit }: PageRange,
): Promise<JsonPage | undefined> {
  return readPage(database, statement, {
    owner,
    skip: offset,
    size: limit,
    ranges: rangesText(statement.list, values),
  });
}

export function readGroupMembers(database: SqlDatabase, query: GroupMembersQuery): Promise<JsonPage | undefined> {
  const { groupID, roleLevels } = query;
  return roleLevels === undefined
    ? readWhole(database, wholeOf.groupMembers, groupID, query)
    : readValues(database, rangesOf.groupMembers, groupID, roleLevels, query);
}

export function readBlacks(database: SqlDatabase, query: BlacksQuery): Promise<JsonPage | undefined> {
  return readWhole(database, wholeOf.blacks, query.ownerUserID, query);
}

export function readAnsweredBlacks(database: SqlDatabase, query: BlacksQuery): Promise<JsonPage | undefined> {
  return readWhole(database, wholeOf.answeredBlacks, query.ownerUserID, query);
}

export function readJoinedGroups(database: SqlDatabase, query: JoinedGroupsQuery): Promise<JsonPage | undefined> {
  return readWhole(database, wholeOf.joinedGroups, query.userID, query);
}

export async function readNotificationAccounts(
  database: SqlDatabase,
  query: NotificationAccountsQuery,
): Promise<JsonPage | undefined> {
  const { appMangerLevel } = query;
  return appMangerLevel === undefined
    ? readWhole(database, wholeOf.notificationAccounts, "", query)
    : readValues(database, rangesOf.notificationAccountsByLevel, "", [appMangerLevel], query);
}

/** The whole list, of which one goes along and counts those with the results; their number is known from the nodes. */
const withResults: Selection = {
  ...countRanges(receivedGroupRequestsByResult),
  page: sql`
    ${rowsWithKey(receivedGroupRequests)}
      AND handle_result IN (SELECT value FROM json_each((SELECT results FROM request)))
      ORDER BY ${keyOf(receivedGroupRequests)} LIMIT (SELECT size FROM request) OFFSET (SELECT skip FROM request)`,
};
const ofResults = pageStatement(receivedGroupRequests, withResults, [...pageColumns, "ranges", "results"] as const);

const inGroups = (condition: Sql) =>
  filteredRows(sql`
    SELECT group_id, user_id, ${keyOf(receivedGroupRequests)} AS key FROM im_admin_group_requests
      WHERE group_id IN (
        SELECT group_id FROM ${listedTable(groupMembers)}
          WHERE group_id IN (SELECT value FROM json_each((SELECT group_ids FROM request)))
            AND user_id = (SELECT owner FROM request) AND ${isManaging}
      )${condition}`);
const ofGroups = pageStatement(receivedGroupRequests, inGroups(sql``), [...pageColumns, "groupIDs"] as const);
const ofGroupsAndResults = pageStatement(
  receivedGroupRequests,
  inGroups(sql` AND handle_result IN (SELECT value FROM json_each((SELECT results FROM request)))`),
  [...pageColumns, "groupIDs", "results"] as const,
);

export function readReceivedGroupRequests(
  database: SqlDatabase,
  query: ReceivedGroupRequestsQuery,
): Promise<JsonPage | undefined> {
  const { userID: owner, groupIDs, handleResults, offset: skip, limit: size } = query;
  const request = { owner, skip, size };
  const results = JSON.stringify(handleResults);
  if (groupIDs !== undefined) {
    const groups = { ...request, groupIDs: JSON.stringify(groupIDs) };
    return handleResults === undefined
      ? readPage(database, ofGroups, groups)
      : readPage(database, ofGroupsAndResults, { ...groups, results });
  }
  if (handleResults === undefined) return readWhole(database, wholeOf.receivedGroupRequests, owner, query);
  if (handleResults.length === 1) {
    return readValues(database, rangesOf.receivedGroupRequestsByResult, owner, handleResults, query);
  }
  const ranges = rangesText(receivedGroupRequestsByResult, handleResults);
  return readPage(database, ofResults, { ...request, ranges, results });
}

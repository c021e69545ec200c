/** Reads pages of all lists, except those with a keyword: chooses a statement for each query, and its values. */
import type { PageRange } from "../../../pagination.js";
import type { GroupMembersQuery, NotificationAccountsQuery, ReceivedGroupRequestsQuery } from "../../../store.js";
import { answeredBlacks, blacks } from "../../lists/blacks.js";
import { groupMembers } from "../../lists/groupMembers.js";
import { groupRequestsByResult, receivedGroupRequests } from "../../lists/groupRequests.js";
import { joinedGroups } from "../../lists/joinedGroups.js";
import type { ListDefinition } from "../../lists/list.js";
import { notificationAccounts, notificationAccountsByLevel } from "../../lists/notificationAccounts.js";
import type { SqlDatabase } from "../database.js";
import { keyOf, rangesText } from "../schema/keys.js";
import { isManaging, listedTable } from "../schema/listed.js";
import { sql } from "../sql.js";
import { betweenKeys } from "./betweenKeys.js";
import { type FoundPage, pageStatement, readPage } from "./readPage.js";
import { oneByOne, received, withResults } from "./receivedRequests.js";
import { filteredRows, keyRanges, wholeList } from "./selections.js";

const pageColumns = ["owner", "skip", "size"] as const;

/** Returns a function that reads a page of a whole list. */
function whole(list: ListDefinition) {
  const statement = pageStatement(list, wholeList(list), pageColumns);
  return (database: SqlDatabase, owner: string, { offset: skip, limit: size }: PageRange) =>
    readPage(database, statement, { owner, skip, size });
}

/** Returns a function that reads a page of the rows with given values in the first field of the order. */
function withValues(list: ListDefinition) {
  const statement = pageStatement(list, keyRanges(list), [...pageColumns, "ranges"] as const);
  return (database: SqlDatabase, owner: string, { offset: skip, limit: size }: PageRange, values: readonly number[]) =>
    readPage(database, statement, { owner, skip, size, ranges: rangesText(list, values) });
}

const allMembers = whole(groupMembers);
const membersWithLevels = withValues(groupMembers);

export function readGroupMembers(database: SqlDatabase, query: GroupMembersQuery): Promise<FoundPage | undefined> {
  const { groupID, roleLevels } = query;
  return roleLevels === undefined
    ? allMembers(database, groupID, query)
    : membersWithLevels(database, groupID, query, roleLevels);
}

export const readBlacks = whole(blacks);
export const readAnsweredBlacks = whole(answeredBlacks);
export const readJoinedGroups = whole(joinedGroups);

const allAccounts = whole(notificationAccounts);
const accountsWithLevel = withValues(notificationAccountsByLevel);

export function readNotificationAccounts(
  database: SqlDatabase,
  query: NotificationAccountsQuery,
): Promise<FoundPage | undefined> {
  const { appMangerLevel } = query;
  return appMangerLevel === undefined
    ? allAccounts(database, "", query)
    : accountsWithLevel(database, "", query, [appMangerLevel]);
}

const rangeColumns = [...pageColumns, "ranges"] as const;

/** With fewer rows to skip, taking one row after the other is faster, however many groups there are. */
const fewSkipped = 200;

const allRequests = {
  early: pageStatement(receivedGroupRequests, oneByOne(received), pageColumns),
  late: pageStatement(receivedGroupRequests, betweenKeys(received), pageColumns),
};
const requestsWithResults = {
  early: pageStatement(receivedGroupRequests, oneByOne(withResults), rangeColumns),
  late: pageStatement(receivedGroupRequests, betweenKeys(withResults), rangeColumns),
};

const ofGroups = pageStatement(
  receivedGroupRequests,
  filteredRows(sql`
    SELECT group_id, user_id, ${keyOf(receivedGroupRequests)} AS key FROM im_admin_group_requests
      WHERE group_id IN (
        SELECT group_id FROM ${listedTable(groupMembers)}
          WHERE group_id IN (SELECT value FROM json_each((SELECT group_ids FROM request)))
            AND user_id = (SELECT owner FROM request) AND ${isManaging}
      ) AND ((SELECT results FROM request) IS NULL
        OR handle_result IN (SELECT value FROM json_each((SELECT results FROM request))))`),
  [...pageColumns, "groupIDs", "results"] as const,
);

export function readReceivedGroupRequests(
  database: SqlDatabase,
  query: ReceivedGroupRequestsQuery,
): Promise<FoundPage | undefined> {
  const { userID: owner, groupIDs, handleResults, offset: skip, limit: size } = query;
  const request = { owner, skip, size };
  const results = handleResults === undefined ? null : JSON.stringify(handleResults);
  if (groupIDs !== undefined) {
    return readPage(database, ofGroups, { ...request, groupIDs: JSON.stringify(groupIDs), results });
  }
  const isEarly = skip < fewSkipped;
  if (handleResults === undefined) return readPage(database, isEarly ? allRequests.early : allRequests.late, request);
  const { early, late } = requestsWithResults;
  const ranges = rangesText(groupRequestsByResult, handleResults);
  // Nodes tell the place of a single range only.
  return readPage(database, isEarly || handleResults.length !== 1 ? early : late, { ...request, ranges });
}

/** Reads pages of all lists, except those with a keyword: chooses a statement for each query. */
import type { PageRange } from "../../../pagination.js";
import type { GroupMembersQuery, NotificationAccountsQuery, ReceivedGroupRequestsQuery } from "../../../store.js";
import { blacks } from "../../lists/blacks.js";
import { groupMembers } from "../../lists/groupMembers.js";
import { groupRequestsByResult, receivedGroupRequests } from "../../lists/groupRequests.js";
import { joinedGroups } from "../../lists/joinedGroups.js";
import type { ListDefinition } from "../../lists/list.js";
import { notificationAccounts, notificationAccountsByLevel } from "../../lists/notificationAccounts.js";
import { keyOf, rangesText } from "../schema/keys.js";
import { isManaging, listedTable } from "../schema/listed.js";
import { sql } from "../sql.js";
import { betweenKeys } from "./betweenKeys.js";
import { type FoundPage, type PageReader, type PageText, pageText, type Request, readPage } from "./readPage.js";
import { oneByOne, received, withResults } from "./receivedRequests.js";
import { filteredRows, isIn, keyRanges, wholeList } from "./selections.js";

type Page = Promise<FoundPage | undefined>;

/** Returns a function that reads a page with a statement. */
function reading(text: PageText) {
  return (
    reader: PageReader,
    { offset: skip, limit: size }: PageRange,
    request: Omit<Request, "skip" | "size">,
  ): Page => readPage(reader, text, { ...request, skip, size });
}

const whole = (list: ListDefinition) => reading(pageText(list, wholeList(list)));
/** The rows with some values in the first field of the order. */
const withValues = (list: ListDefinition) => reading(pageText(list, keyRanges(list)));

const allMembers = whole(groupMembers);
const membersWithLevels = withValues(groupMembers);

export function readGroupMembers(reader: PageReader, query: GroupMembersQuery): Page {
  const { groupID: owner, roleLevels } = query;
  return roleLevels === undefined
    ? allMembers(reader, query, { owner })
    : membersWithLevels(reader, query, { owner, ranges: rangesText(groupMembers, roleLevels) });
}

export const readBlacks = whole(blacks);
export const readJoinedGroups = whole(joinedGroups);

const allAccounts = whole(notificationAccounts);
const accountsWithLevel = withValues(notificationAccountsByLevel);

export function readNotificationAccounts(reader: PageReader, query: NotificationAccountsQuery): Page {
  const { appMangerLevel } = query;
  return appMangerLevel === undefined
    ? allAccounts(reader, query, { owner: "" })
    : accountsWithLevel(reader, query, {
        owner: "",
        ranges: rangesText(notificationAccountsByLevel, [appMangerLevel]),
      });
}

/** With fewer rows to skip, taking one row after the other is faster, however many groups there are. */
const fewSkipped = 200;

const requests = {
  early: reading(pageText(receivedGroupRequests, oneByOne(received))),
  late: reading(pageText(receivedGroupRequests, betweenKeys(received))),
};
const requestsWithResults = {
  early: reading(pageText(receivedGroupRequests, oneByOne(withResults))),
  late: reading(pageText(receivedGroupRequests, betweenKeys(withResults))),
};

const requestsForGroups = reading(
  pageText(
    receivedGroupRequests,
    filteredRows(sql`
      SELECT group_id, user_id, ${keyOf(receivedGroupRequests)} AS key FROM im_admin_group_requests
        WHERE group_id IN (
          SELECT group_id FROM ${listedTable(groupMembers)}
            WHERE group_id IN (SELECT value FROM json_each((SELECT group_ids FROM request)))
              AND user_id = (SELECT owner FROM request) AND ${isManaging}
        ) AND ${isIn(sql`handle_result`, "filter")}`),
  ),
);

export function readReceivedGroupRequests(reader: PageReader, query: ReceivedGroupRequestsQuery): Page {
  const { userID: owner, groupIDs, handleResults, offset } = query;
  if (groupIDs !== undefined) {
    const filter = handleResults === undefined ? null : JSON.stringify(handleResults);
    return requestsForGroups(reader, query, { owner, groupIDs: JSON.stringify(groupIDs), filter });
  }
  const isEarly = offset < fewSkipped;
  if (handleResults === undefined) return (isEarly ? requests.early : requests.late)(reader, query, { owner });
  const { early, late } = requestsWithResults;
  // Nodes tell the place of a single range only.
  const read = isEarly || handleResults.length !== 1 ? early : late;
  return read(reader, query, { owner, ranges: rangesText(groupRequestsByResult, handleResults) });
}

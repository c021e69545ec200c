/**
 * Reads lists from the records alone, where what is kept of them cannot be brought up to date in time: another program
 * has the lock, the file is read-only, or a million changes wait. The answers are the same, and slower: each reads and
 * sorts all records of its list.
 */
import type { PageRange } from "../../pagination.js";
import { blacks } from "../lists/blacks.js";
import { groupMembers } from "../lists/groupMembers.js";
import { receivedGroupRequests } from "../lists/groupRequests.js";
import { joinedGroups } from "../lists/joinedGroups.js";
import type { ListDefinition } from "../lists/list.js";
import { notificationAccounts } from "../lists/notificationAccounts.js";
import type { SqlDatabase } from "./database.js";
import { type FoundPage, pageText, type Request, readPage } from "./pages/readPage.js";
import { filteredRows, isIn, rowColumns } from "./pages/selections.js";
import { json, pageReader, type Reads } from "./reads.js";
import { keyOf } from "./schema/keys.js";
import { answeredNickname, isManaging } from "./schema/listed.js";
import { haveKeyword, inSmallLetters } from "./search/keyword.js";
import { columnsOf, our, type Sql, sql } from "./sql.js";

/** The records of a list, which have the alias `record`. */
function textOf(list: ListDefinition, condition: Sql) {
  const rows = sql`
    SELECT ${columnsOf("record", rowColumns(list))}, ${keyOf(list, "record")} AS key
      FROM ${our(list.table)} record
      WHERE ${condition}`;
  return pageText(list, filteredRows(rows), { isKept: false });
}

const owner = sql`(SELECT owner FROM request)`;

const hasKeyword = (list: ListDefinition) => sql`
  ((SELECT keyword FROM request) IS NULL
    OR ${haveKeyword([sql`record.user_id`, answeredNickname(list, sql`record`)])})`;

const texts = {
  members: textOf(
    groupMembers,
    sql`record.group_id = ${owner} AND ${isIn(sql`record.role_level`, "filter")} AND ${hasKeyword(groupMembers)}`,
  ),
  joined: textOf(joinedGroups, sql`record.user_id = ${owner}`),
  blacks: textOf(blacks, sql`record.owner_user_id = ${owner}`),
  requests: textOf(
    receivedGroupRequests,
    sql`
      record.group_id IN (SELECT group_id FROM im_admin_group_members WHERE user_id = ${owner} AND ${isManaging})
        AND ${isIn(sql`record.group_id`, "groupIDs")} AND ${isIn(sql`record.handle_result`, "filter")}`,
  ),
  accounts: textOf(
    notificationAccounts,
    sql`
      record.app_manger_level >= 3 AND ${isIn(sql`record.app_manger_level`, "filter")}
        AND ${hasKeyword(notificationAccounts)}`,
  ),
};

interface Asked extends PageRange {
  keyword?: string;
}

export function readsFromRecords(database: SqlDatabase): Reads {
  const reader = pageReader(database);
  const read = (
    name: keyof typeof texts,
    { keyword = "", ...range }: Asked,
    request: Request,
  ): Promise<FoundPage | undefined> => {
    const asked = keyword === "" ? request : { ...request, keyword: inSmallLetters(keyword) };
    return readPage(reader, texts[name], range, asked);
  };
  return {
    listGroupMembers: (query) => read("members", query, { owner: query.groupID, filter: json(query.roleLevels) }),
    listBlacks: (query) => read("blacks", query, { owner: query.ownerUserID, unit: query.unit ?? 1 }),
    listJoinedGroups: (query) => read("joined", query, { owner: query.userID }),
    listReceivedGroupRequests: ({ userID, groupIDs, handleResults, ...query }) =>
      read("requests", query, { owner: userID, groupIDs: json(groupIDs), filter: json(handleResults) }),
    listNotificationAccounts: ({ appMangerLevel, ...query }) =>
      read("accounts", query, { filter: json(appMangerLevel === undefined ? undefined : [appMangerLevel]) }),
  };
}

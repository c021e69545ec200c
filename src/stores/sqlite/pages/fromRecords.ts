/**
 * Reads lists from the records alone, where what is kept of them cannot be brought up to date in time: another program
 * has the lock, the file is read-only, or a million changes wait. The answers are the same, and slower: each reads and
 * sorts all records of its list.
 */

import { answeredBlacks, blacks } from "../../lists/blacks.js";
import { groupMembers } from "../../lists/groupMembers.js";
import { receivedGroupRequests } from "../../lists/groupRequests.js";
import { joinedGroups } from "../../lists/joinedGroups.js";
import type { ListDefinition } from "../../lists/list.js";
import { notificationAccounts } from "../../lists/notificationAccounts.js";
import type { SqlDatabase, Value } from "../database.js";
import type { Reads } from "../reads.js";
import { keyOf } from "../schema/keys.js";
import { isManaging } from "../schema/listed.js";
import { conditionOf, contains } from "../search/keyword.js";
import { columnsOf, our, type Sql, sql } from "../sql.js";
import { type FoundPage, pageStatement, readPage } from "./readPage.js";
import { filteredRows, rowColumns } from "./selections.js";

const columns = ["owner", "skip", "size", "filter", "groupIDs", "pattern", "literal"] as const;

/** The records of a list, which have the alias `record`. */
function statement(list: ListDefinition, condition: Sql) {
  const rows = sql`
    SELECT ${columnsOf("record", rowColumns(list))}, ${keyOf(list, "record")} AS key
      FROM ${our(list.table)} record
      WHERE ${condition}`;
  return pageStatement(list, filteredRows(rows), columns, { isKept: false });
}

const owner = sql`(SELECT owner FROM request)`;

/** The condition that a value is one of those of a JSON array, if there is an array. */
function isIn(value: Sql, values: Sql): Sql {
  return sql`(${values} IS NULL OR ${value} IN (SELECT value FROM json_each(${values})))`;
}

const isWanted = (value: Sql) => isIn(value, sql`(SELECT filter FROM request)`);

const hasKeyword = (texts: readonly Sql[]) => sql`((SELECT pattern FROM request) IS NULL OR ${contains(texts)})`;

const nickname = sql`
  (CASE record.nickname
    WHEN '' THEN coalesce((SELECT nickname FROM im_admin_users found WHERE found.user_id = record.user_id), '')
    ELSE record.nickname END)`;

const statements = {
  members: statement(
    groupMembers,
    sql`record.group_id = ${owner} AND ${isWanted(sql`record.role_level`)} AND ${hasKeyword([sql`record.user_id`, nickname])}`,
  ),
  joined: statement(joinedGroups, sql`record.user_id = ${owner}`),
  blacks: statement(blacks, sql`record.owner_user_id = ${owner}`),
  answeredBlacks: statement(answeredBlacks, sql`record.owner_user_id = ${owner}`),
  requests: statement(
    receivedGroupRequests,
    sql`
      record.group_id IN (SELECT group_id FROM im_admin_group_members WHERE user_id = ${owner} AND ${isManaging})
        AND ${isIn(sql`record.group_id`, sql`(SELECT group_ids FROM request)`)} AND ${isWanted(sql`record.handle_result`)}`,
  ),
  accounts: statement(
    notificationAccounts,
    sql`
      record.app_manger_level >= 3 AND ${isWanted(sql`record.app_manger_level`)}
        AND ${hasKeyword([sql`record.user_id`, sql`record.nickname`])}`,
  ),
};

interface Asked {
  offset: number;
  limit: number;
  filter?: readonly number[] | undefined;
  groupIDs?: readonly string[] | undefined;
  keyword?: string;
}

export function readsFromRecords(database: SqlDatabase): Reads {
  const read = (name: keyof typeof statements, owner: string, asked: Asked): Promise<FoundPage | undefined> => {
    const { offset: skip, limit: size, filter, groupIDs, keyword = "" } = asked;
    const { pattern, literal } = keyword === "" ? { pattern: null, literal: null } : conditionOf(keyword);
    const json = (values: readonly unknown[] | undefined): Value =>
      values === undefined ? null : JSON.stringify(values);
    const request = { owner, skip, size, filter: json(filter), groupIDs: json(groupIDs), pattern, literal };
    return readPage(database, statements[name], request);
  };
  return {
    listGroupMembers: (query) => read("members", query.groupID, { ...query, filter: query.roleLevels }),
    listBlacks: (query) => read("blacks", query.ownerUserID, query),
    answerBlacks: (query) => read("answeredBlacks", query.ownerUserID, query),
    listJoinedGroups: (query) => read("joined", query.userID, query),
    listReceivedGroupRequests: (query) => read("requests", query.userID, { ...query, filter: query.handleResults }),
    listNotificationAccounts: ({ appMangerLevel, ...query }) =>
      read("accounts", "", { ...query, filter: appMangerLevel === undefined ? undefined : [appMangerLevel] }),
  };
}

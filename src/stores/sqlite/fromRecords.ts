/**
 * Reads lists from the records alone, where what is kept of them cannot be brought up to date in time: another program
 * has the lock, the file is read-only, or a million changes wait. The answers are the same, and slower: each reads and
 * sorts all records of its list.
 */
import type { PageRange } from "../../pagination.js";
import type { RecordName } from "../../records.js";
import { blacks } from "../lists/blacks.js";
import { groupMembers } from "../lists/groupMembers.js";
import { receivedGroupRequests } from "../lists/groupRequests.js";
import { joinedGroups } from "../lists/joinedGroups.js";
import type { ListDefinition } from "../lists/list.js";
import { notificationAccounts } from "../lists/notificationAccounts.js";
import type { SqlDatabase } from "./database.js";
import type { Mark } from "./map/marks.js";
import { type FoundPage, pageText, type Request, readPage } from "./pages/readPage.js";
import { filteredRows, isIn, rowColumns } from "./pages/selections.js";
import { json, pageReader, type QueryOf, type Read, type ReadName } from "./reads.js";
import { hasKey, hasKeyOf, isRecordInList, keyOf } from "./schema/keys.js";
import { answeredNickname, isManaging } from "./schema/listed.js";
import { haveKeyword, inSmallLetters } from "./search/keyword.js";
import { findWaiting } from "./settle/unreadable.js";
import { all, columnsOf, name, our, raw, type Sql, sql } from "./sql.js";

/** The records of a list, which have the alias `record`. */
function textOf(list: ListDefinition, condition: Sql, from = sql`${our(list.table)} record`) {
  const { dividedBy } = list;
  const isInPart = dividedBy === undefined ? [] : [sql`record.${name(dividedBy)} = (SELECT part FROM request)`];
  const rows = sql`
    SELECT ${columnsOf("record", rowColumns(list))}, ${keyOf(list, "record")} AS key
      FROM ${from}
      WHERE ${all([...isRecordInList(list, "record"), ...isInPart, condition])}`;
  return pageText(list, filteredRows(rows), { isKept: false });
}

/** The condition that a record belongs to the owner of the list. */
const isOf = (record: RecordName, field: string) => hasKey(record, "record", field, raw("(SELECT owner FROM request)"));

const hasKeyword = (list: ListDefinition) => sql`
  ((SELECT keyword FROM request) IS NULL
    OR ${haveKeyword([sql`record.user_id`, answeredNickname(list, sql`record`)])})`;

const texts = {
  members: textOf(
    groupMembers,
    sql`${isOf("groupMembers", "groupID")} AND ${isIn(sql`record.role_level`, "filter")} AND ${hasKeyword(groupMembers)}`,
  ),
  joined: textOf(joinedGroups, isOf("groupMembers", "userID")),
  blacks: textOf(blacks, isOf("blacks", "ownerUserID")),
  requests: textOf(
    receivedGroupRequests,
    sql`${isIn(sql`record.group_id`, "groupIDs")} AND ${isIn(sql`record.handle_result`, "filter")}`,
    sql`
      (
        SELECT DISTINCT group_id FROM im_admin_group_members record
          WHERE ${isOf("groupMembers", "userID")} AND ${isManaging}
      ) managed CROSS JOIN im_admin_group_requests record ON ${hasKeyOf("groupRequests", "record", ["groupID"], "managed")}`,
  ),
  accounts: textOf(
    notificationAccounts,
    sql`
      ${isIn(sql`record.app_manger_level`, "filter")}
        AND ${hasKeyword(notificationAccounts)}`,
  ),
};

/** What was unreadable when it was settled, and what is of the rows that wait. */
async function unreadableOf({ read, recovery }: SqlDatabase): Promise<readonly Mark[]> {
  const [rows = []] = await read([
    sql`
      SELECT * FROM im_admin_unreadable settled WHERE NOT EXISTS (
        SELECT 1 FROM im_admin_changed changed
          WHERE kind = record AND changed.first = settled.first AND changed.second = settled.second)`,
  ]);
  const settled = rows.map((row) => Object.values(row) as unknown as Mark);
  return recovery ? [...settled, ...(await findWaiting(recovery.without))] : settled;
}

interface Asked extends PageRange {
  keyword?: string;
}

export function readsFromRecords(database: SqlDatabase): Read {
  const reader = { ...pageReader(database), unsettled: () => unreadableOf(database) };
  const read = (
    name: keyof typeof texts,
    { keyword = "", ...range }: Asked,
    request: Request,
  ): Promise<FoundPage | undefined> => {
    const asked = keyword === "" ? request : { ...request, keyword: inSmallLetters(keyword) };
    return readPage(reader, texts[name], range, asked);
  };
  const reads: { readonly [Name in ReadName]: (query: QueryOf<Name>) => ReturnType<Read> } = {
    listGroupMembers: (query) => read("members", query, { owner: query.groupID, filter: json(query.roleLevels) }),
    listBlacks: (query) => read("blacks", query, { owner: query.ownerUserID, unit: query.unit ?? 1 }),
    listJoinedGroups: (query) => read("joined", query, { owner: query.userID }),
    listReceivedGroupRequests: ({ userID, groupIDs, handleResults, ...query }) =>
      read("requests", query, { owner: userID, groupIDs: json(groupIDs), filter: json(handleResults) }),
    listNotificationAccounts: ({ appMangerLevel, ...query }) =>
      read("accounts", query, { filter: json(appMangerLevel === undefined ? undefined : [appMangerLevel]) }),
  };
  return (name, query) => reads[name](query);
}

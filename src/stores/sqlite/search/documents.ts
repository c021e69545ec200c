/** What a document is: the texts of a member that a search looks at, and how it is found. */
import { groupMembers } from "../../lists/groupMembers.js";
import { keyOf } from "../nodes/keys.js";
import { listedTable } from "../nodes/names.js";
import { raw, type Sql, sql } from "../sql.js";

/** The nickname that a member is answered with, where {@link recordOfMember} is joined. */
export const memberNickname = sql`
  (CASE record.nickname
    WHEN '' THEN coalesce((SELECT nickname FROM im_admin_users WHERE user_id = member.user_id), '')
    ELSE record.nickname END)`;

/** Joins the record to a listed `member`. */
export const recordOfMember = sql`
  CROSS JOIN im_admin_group_members record ON record.group_id = member.group_id AND record.user_id = member.user_id`;

/** The listed members. */
export const listedMembers = listedTable(groupMembers);

export const memberKey = keyOf(groupMembers, "member");

/** How many ids each list has in the indexes, so that those of one list are next to each other. */
const idsOfList = 2 ** 32;

/** The id of a document in the indexes, by the list's and the member's. */
export function documentID(list: Sql, member: Sql): Sql {
  return sql`${list} * ${raw(String(idsOfList))} + ${member}`;
}

/** Whether an id of the indexes is one of a list's. */
export function isDocumentOf(id: Sql, list: Sql): Sql {
  return sql`${id} BETWEEN ${documentID(list, raw("1"))} AND ${documentID(list, raw(String(idsOfList - 1)))}`;
}

/** The id of the member whose document it is. */
export function memberOf(id: Sql): Sql {
  return sql`${id} & ${raw(String(idsOfList - 1))}`;
}

/** A document has the texts of a member that a search reads. Here are its texts and its id. */
import { groupMembers } from "../../lists/groupMembers.js";
import { raw, type Sql, sql } from "../sql.js";
import { keyOf } from "./keys.js";
import { listedTable } from "./listed.js";

/** The answered nickname of a member, if {@link recordOfMember} is joined. */
export const memberNickname = sql`
  (CASE record.nickname
    WHEN '' THEN coalesce((SELECT nickname FROM im_admin_users WHERE user_id = member.user_id), '')
    ELSE record.nickname END)`;

/** The searched text of a member: the userID and the nickname, each on its own line. */
export const memberText = sql`member.user_id || x'0a' || ${memberNickname}`;

/** Joins the record to a listed `member`. */
export const recordOfMember = sql`
  CROSS JOIN im_admin_group_members record ON record.group_id = member.group_id AND record.user_id = member.user_id`;

/** The listed members. */
export const listedMembers = listedTable(groupMembers);

export const memberKey = keyOf(groupMembers, "member");

/** How many ids each list has in the indexes. The ids of one list are next to each other. */
const idsOfList = 2 ** 32;

/** The id of a document in the indexes, composed of the numbers of the list and the member. */
export function documentID(list: Sql, member: Sql): Sql {
  return sql`${list} * ${raw(String(idsOfList))} + ${member}`;
}

/** The condition that an id of the indexes belongs to a list. */
export function isDocumentOf(id: Sql, list: Sql): Sql {
  return sql`${id} BETWEEN ${documentID(list, raw("1"))} AND ${documentID(list, raw(String(idsOfList - 1)))}`;
}

/** The id of the member whose document it is. */
export function memberOf(id: Sql): Sql {
  return sql`${id} & ${raw(String(idsOfList - 1))}`;
}

/**
 * Keeps the documents of large groups and the indexes of their words. The documents of changed records are compared with
 * what the records say now: wrong ones go before the listed rows change, and missing ones come afterwards.
 */
import { type RecordName, recordKeys } from "../../../records.js";
import { groupMembers } from "../../lists/groupMembers.js";
import { joinedGroups } from "../../lists/joinedGroups.js";
import { listedMembers, memberKey, memberText, recordOfMember } from "../schema/documents.js";
import { keyOf } from "../schema/keys.js";
import { orderIndex } from "../schema/listed.js";
import { name, type Sql, sql } from "../sql.js";
import { sameKey } from "./listedChanges.js";
import { changedKeys } from "./portion.js";

/** The list of a group that has documents. */
const searchedList = sql`
  im_admin_lists list INDEXED BY im_admin_lists_searched
    ON list.owner = member.group_id AND list.name = 'groupMembers' AND list.has_documents`;

/** The kinds of records on which documents depend. */
type Concerned = "users" | "groupMembers";

export function concernsDocuments(record: RecordName): record is Concerned {
  return record === "users" || record === "groupMembers";
}

/** The members with a changed key or a changed part of it. */
function membersOf(fields: readonly string[]): Sql {
  const index =
    fields.length > 1
      ? sql``
      : sql` INDEXED BY ${name(orderIndex(fields[0] === "userID" ? joinedGroups : groupMembers))}`;
  return sql`changed CROSS JOIN ${listedMembers} member${index} ON ${sameKey(fields, "member", "changed")}`;
}

/** Members whose document is not as the records say, and that document. */
export function changedDocuments(fields: readonly string[]): Sql {
  return sql`
    SELECT member.group_id, member.user_id, document.list, document.key, document.member, document.text
      FROM ${membersOf(fields)} CROSS JOIN ${searchedList}
        CROSS JOIN im_admin_documents document ON document.list = list.id AND document.key = ${memberKey}
      WHERE NOT EXISTS (
        SELECT 1 FROM im_admin_group_members record
          WHERE record.group_id = member.group_id AND record.user_id = member.user_id
            AND ${keyOf(groupMembers, "record")} = document.key AND ${memberText} = document.text)`;
}

/** Members without a document. A host's table may have several rows of one key, of which one gets a document. */
function missingDocuments(fields: readonly string[]): Sql {
  return sql`
    SELECT list.id AS list, ${memberKey} AS key, member.id AS member, max(${memberText}) AS text
      FROM ${membersOf(fields)} CROSS JOIN ${searchedList}
        ${recordOfMember}
      WHERE NOT EXISTS (
        SELECT 1 FROM im_admin_documents document WHERE document.list = list.id AND document.key = ${memberKey})
      GROUP BY list.id, ${memberKey}`;
}

/** Deletes the wrong documents of changed records. */
export function deleteDocuments(record: Concerned): Sql {
  return sql`
    DELETE FROM im_admin_documents WHERE (list, key) IN (
      WITH ${changedKeys(record)}
      SELECT list, key FROM (
        ${changedDocuments(recordKeys[record])}
      ))`;
}

/** Makes the missing documents of changed records. */
export function makeDocuments(record: Concerned): Sql {
  return sql`
    INSERT INTO im_admin_documents (list, key, member, text)
      WITH ${changedKeys(record)}
      ${missingDocuments(recordKeys[record])}`;
}

/** Renews the documents of all groups after many members or users have changed. */
import { listedMembers, memberKey, memberText, recordOfMember } from "../schema/documents.js";
import type { Sizes } from "../schema/sizes.js";
import { applyChanges, byList, byMember, mendDocuments, selectDocuments } from "../settle/mendDocuments.js";
import { type Sql, sql } from "../sql.js";

/**
 * Deletes documents of groups that have none any more, and those that are not as the records say, and makes the missing
 * ones. The totals are right, and the marks of unfit lists are still there.
 */
export function renewDocuments(sizes: Sizes): Sql[] {
  return [
    sql`
      DELETE FROM im_admin_documents WHERE NOT EXISTS (
        SELECT 1 FROM im_admin_lists list NOT INDEXED CROSS JOIN ${listedMembers} member ON member.id = im_admin_documents.member
            ${recordOfMember}
          WHERE list.id = im_admin_documents.list AND list.has_documents AND list.owner = member.group_id
            AND ${memberKey} = im_admin_documents.key AND ${memberText} = im_admin_documents.text)`,
    sql`
      INSERT INTO im_admin_documents (list, key, member, text)
        ${selectDocuments(sql`im_admin_lists.has_documents`, byList)}
          AND NOT EXISTS (
            SELECT 1 FROM im_admin_documents document
              WHERE document.list = im_admin_lists.id AND document.key = ${memberKey})
        ON CONFLICT DO NOTHING`,
    ...applyChanges,
    ...mendDocuments(sizes, byMember),
  ];
}

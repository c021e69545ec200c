/** Keeps the indexes of documents, and which groups have documents. */
import { groupMembers } from "../../lists/groupMembers.js";
import { gramsOf, isBeyondAscii, listedMembers, memberKey, memberText, recordOfMember } from "../schema/documents.js";
import { rowsInOrder } from "../schema/listed.js";
import type { Sizes } from "../schema/sizes.js";
import { literal, name, type Sql, sql } from "../sql.js";
import { hasWrongSearch } from "./fitness.js";

/** Writes the texts that have come to the index of trigrams. */
export const addTrigrams = sql`
  INSERT INTO im_admin_document_trigrams (rowid, text)
    SELECT document, text FROM im_admin_document_changes
      GROUP BY document, text HAVING sum(change) > 0 ORDER BY document`;

/** Writes the texts that have come and gone to the index of grams. It deletes first, since two texts may share words. */
export const addGrams = sql`
  INSERT INTO im_admin_document_grams (im_admin_document_grams, rowid, grams)
    SELECT (CASE WHEN change < 0 THEN 'delete' END), document, ${gramsOf(sql`text`)} FROM (
      SELECT document, text, sum(change) AS change FROM im_admin_document_changes
        WHERE ${isBeyondAscii} GROUP BY document, text HAVING sum(change) <> 0
        ORDER BY document, sum(change)
    )`;

/** Writes the collected changes to the indexes. It skips a text that came and went, or went and came. */
export const applyChanges: readonly Sql[] = [addTrigrams, addGrams, sql`DELETE FROM im_admin_document_changes`];

/** Whether there are enough changes to write them to the indexes. */
export function areEnoughChanges({ collected }: Sizes): Sql {
  return sql`EXISTS (SELECT 1 FROM im_admin_document_changes WHERE id >= ${literal(collected)})`;
}

/** The unfit lists that should have documents and have none, or the other way round. */
function wrongLists(sizes: Sizes, hasDocuments: Sql): Sql {
  const list = { name: sql`name`, hasDocuments: sql`has_documents`, total: sql`total` };
  return sql`
    SELECT id FROM im_admin_lists INDEXED BY im_admin_lists_unfit
      WHERE is_unfit AND ${hasDocuments} AND ${hasWrongSearch(sizes, list)}`;
}

export function haveListsWrongDocuments(sizes: Sizes): Sql {
  return sql`EXISTS (${wrongLists(sizes, sql`true`)})`;
}

/** Selects the right documents of groups. `condition` is on `im_admin_lists` and the listed `member`. */
export function selectDocuments(condition: Sql, from: Sql): Sql {
  return sql`
    SELECT im_admin_lists.id AS list, ${memberKey} AS key, member.id AS member, ${memberText} AS text
      FROM ${from} ON member.group_id = im_admin_lists.owner
        ${recordOfMember}
      WHERE im_admin_lists.name = 'groupMembers' AND ${condition}`;
}

/** Reads members group by group, in the order of their list. */
export const byList = sql`im_admin_lists CROSS JOIN ${rowsInOrder(groupMembers, "member")}`;
/** Reads all members in the order of the table, which is faster for many. */
export const byMember = sql`${listedMembers} member NOT INDEXED CROSS JOIN im_admin_lists`;

/** How many bytes of an index SQLite collects in memory before it writes them. */
const collectedBytes = 8 * 2 ** 20;

/**
 * Makes the documents of groups that have become large, and deletes those of groups that have become small. Run it
 * before the marks of unfit lists are taken away.
 */
export function mendDocuments(sizes: Sizes, from = byList): Sql[] {
  const small = wrongLists(sizes, sql`has_documents`);
  const large = wrongLists(sizes, sql`NOT has_documents`);
  const indexes = ["im_admin_document_trigrams", "im_admin_document_grams"].map(name);
  return [
    ...indexes.map(
      (index) => sql`
        INSERT INTO ${index} (${index}, rank) SELECT 'hashsize', ${literal(collectedBytes)} WHERE EXISTS (${large})`,
    ),
    sql`DELETE FROM im_admin_documents WHERE list IN (${small})`,
    sql`
      INSERT INTO im_admin_documents (list, key, member, text)
        ${selectDocuments(sql`im_admin_lists.id IN (${large})`, from)}
        ORDER BY im_admin_lists.id, ${memberKey}
        ON CONFLICT DO NOTHING`,
    ...applyChanges,
    ...indexes.map((index) => sql`INSERT INTO ${index} (${index}) SELECT 'optimize' WHERE EXISTS (${large})`),
    sql`
      UPDATE im_admin_lists SET has_documents = NOT has_documents WHERE id IN (${wrongLists(sizes, sql`true`)})`,
  ];
}

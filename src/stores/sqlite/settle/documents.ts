/**
 * Keeps the documents of large groups, the indexes of their words, and which groups have documents. The documents of
 * changed records are compared with what the records say now: wrong ones go before the listed rows change, and missing
 * ones come afterwards.
 */
import { type RecordName, recordKeys } from "../../../records.js";
import { groupMembers } from "../../lists/groupMembers.js";
import { joinedGroups } from "../../lists/joinedGroups.js";
import { gramsOf, isBeyondAscii, listedMembers, memberKey, memberText, recordOfMember } from "../schema/documents.js";
import { keyOf } from "../schema/keys.js";
import { rowsInOrder } from "../schema/listed.js";
import type { Sizes } from "../schema/sizes.js";
import { literal, name, type Sql, sql } from "../sql.js";
import { changedKeys, sameKey } from "./changedKeys.js";
import { hasWrongSearch } from "./fitness.js";

/** The listed members with a changed key or a changed part of it, in groups that have documents. */
function changedMembers(fields: readonly string[]): Sql {
  const members =
    fields.length > 1
      ? sql`${listedMembers} member`
      : rowsInOrder(fields[0] === "userID" ? joinedGroups : groupMembers, "member");
  return sql`
    changed CROSS JOIN ${members} ON ${sameKey(fields, "member", "changed")}
      CROSS JOIN im_admin_lists INDEXED BY im_admin_lists_searched`;
}

/** Members whose document is not as the records say, and that document. */
export function changedDocuments(fields: readonly string[]): Sql {
  return sql`
    SELECT member.group_id, member.user_id, document.list, document.key, document.member, document.text
      FROM ${changedMembers(fields)} ON im_admin_lists.owner = member.group_id
        CROSS JOIN im_admin_documents document ON document.list = im_admin_lists.id AND document.key = ${memberKey}
      WHERE im_admin_lists.name = 'groupMembers' AND im_admin_lists.has_documents AND NOT EXISTS (
        SELECT 1 FROM im_admin_group_members record
          WHERE record.group_id = member.group_id AND record.user_id = member.user_id
            AND ${keyOf(groupMembers, "record")} = document.key AND ${memberText} = document.text)`;
}

/** Selects the right documents of groups. `condition` is on `im_admin_lists` and the listed `member`, which `from` joins. */
export function selectDocuments(condition: Sql, from: Sql): Sql {
  return sql`
    SELECT im_admin_lists.id AS list, ${memberKey} AS key, member.id AS member, ${memberText} AS text
      FROM ${from} ON member.group_id = im_admin_lists.owner
        ${recordOfMember}
      WHERE im_admin_lists.name = 'groupMembers' AND ${condition}`;
}

/** Inserts documents. A host's table may have several rows of one key, of which one gets a document. */
export function insertDocuments(documents: Sql): Sql {
  return sql`
    INSERT INTO im_admin_documents (list, key, member, text)
      ${documents}
      ON CONFLICT DO NOTHING`;
}

/** The documents that members of groups with documents lack. */
export function lackingDocuments(from: Sql): Sql {
  return sql`
    ${selectDocuments(sql`im_admin_lists.has_documents`, from)}
      AND NOT EXISTS (
        SELECT 1 FROM im_admin_documents document
          WHERE document.list = im_admin_lists.id AND document.key = ${memberKey})`;
}

/** The statements that delete the wrong documents of changed records, and make missing ones. */
export function documentChanges(record: RecordName): Record<"deleteDocuments" | "makeDocuments", readonly Sql[]> {
  if (record !== "users" && record !== "groupMembers") return { deleteDocuments: [], makeDocuments: [] };
  const changed = changedKeys(record);
  const key = recordKeys[record];
  return {
    deleteDocuments: [
      sql`
        DELETE FROM im_admin_documents WHERE (list, key) IN (
          WITH ${changed}
          SELECT list, key FROM (
            ${changedDocuments(key)}
          ))`,
    ],
    makeDocuments: [
      insertDocuments(sql`
        WITH ${changed}
        ${lackingDocuments(changedMembers(key))}`),
    ],
  };
}

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
  return sql`
    SELECT id FROM im_admin_lists INDEXED BY im_admin_lists_unfit
      WHERE is_unfit AND ${hasDocuments} AND ${hasWrongSearch(sizes)}`;
}

export function haveListsWrongDocuments(sizes: Sizes): Sql {
  return sql`EXISTS (${wrongLists(sizes, sql`true`)})`;
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
    insertDocuments(sql`
      ${selectDocuments(sql`im_admin_lists.id IN (${large})`, from)}
      ORDER BY im_admin_lists.id, ${memberKey}`),
    ...applyChanges,
    ...indexes.map((index) => sql`INSERT INTO ${index} (${index}) SELECT 'optimize' WHERE EXISTS (${large})`),
    sql`
      UPDATE im_admin_lists SET has_documents = NOT has_documents WHERE id IN (${wrongLists(sizes, sql`true`)})`,
  ];
}

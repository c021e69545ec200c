/** Builds documents and indexes again after many members have changed. */
import type { Sizes } from "../nodes/nodeTables.js";
import { literal, name, type Sql, sql } from "../sql.js";
import { documentID, listedMembers, memberKey } from "./documents.js";
import { byMember, gramIndex, gramsOf, isBeyondAscii, selectDocuments, trigramIndex } from "./documentTables.js";
import { upsertDocuments } from "./documentTriggers.js";

/** How many bytes of an index SQLite collects in memory before it writes them. */
const collectedBytes = 8 * 2 ** 20;

const indexes = [trigramIndex, gramIndex].map((index) => name(index.name));

const isLarge = ({ searched }: Sizes) => sql`name = 'groupMembers' AND total > ${literal(searched)}`;

/**
 * Forgets the documents of groups that are no longer large, or have twice as many members as documents: it is faster
 * to make those anew. A group with few members has no list any more. The triggers on documents are at work, and the
 * totals are right.
 */
export function dropDocuments(sizes: Sizes): Sql[] {
  const isKept = sql`
    has_documents AND ${isLarge(sizes)}
      AND total <= 2 * (SELECT count(*) FROM im_admin_documents WHERE im_admin_documents.list = im_admin_lists.id)`;
  return [
    sql`DELETE FROM im_admin_documents WHERE list NOT IN (SELECT id FROM im_admin_lists WHERE ${isKept})`,
    sql`
      UPDATE im_admin_lists SET has_documents = 0
        WHERE has_documents AND NOT EXISTS (SELECT 1 FROM im_admin_documents WHERE im_admin_documents.list = im_admin_lists.id)`,
  ];
}

/** Builds the documents of groups that have none, without triggers on documents. */
export function buildDocuments(sizes: Sizes): Sql[] {
  const isNew = sql`im_admin_documents.list IN (SELECT id FROM im_admin_lists WHERE ${isLarge(sizes)} AND NOT has_documents)`;
  const id = documentID(sql`list`, sql`member`);
  return [
    ...indexes.map(
      (index) => sql`INSERT INTO ${index} (${index}, rank) VALUES ('hashsize', ${literal(collectedBytes)})`,
    ),
    sql`
      INSERT INTO im_admin_documents (list, key, member, text)
        ${selectDocuments(sql`im_admin_lists.total > ${literal(sizes.searched)} AND NOT im_admin_lists.has_documents`, byMember)}
        ORDER BY im_admin_lists.id, ${memberKey}`,
    // Insert in the order of ids: an index writes its collected bytes whenever an id is less than the one before.
    sql`
      INSERT INTO im_admin_document_trigrams (rowid, text)
        SELECT ${id} AS id, text FROM im_admin_documents WHERE ${isNew} ORDER BY id`,
    sql`
      INSERT INTO im_admin_document_grams (rowid, grams)
        SELECT id, ${gramsOf(sql`text`)} FROM (
          SELECT ${id} AS id, text FROM im_admin_documents WHERE ${isBeyondAscii} AND ${isNew} ORDER BY id
        )`,
    ...indexes.map((index) => sql`INSERT INTO ${index} (${index}) VALUES ('optimize')`),
  ];
}

/**
 * Updates the documents of groups that have some, with triggers, and writes only changed ones. The unary plus removes
 * the affinity of a key, so that SQLite does not look up the key in the index of members.
 */
export function renewDocuments(sizes: Sizes): Sql[] {
  return [
    sql`
      DELETE FROM im_admin_documents WHERE list IN (SELECT id FROM im_admin_lists WHERE has_documents) AND NOT EXISTS (
        SELECT 1 FROM im_admin_lists CROSS JOIN ${listedMembers} member ON member.group_id = im_admin_lists.owner
          WHERE im_admin_lists.id = im_admin_documents.list AND ${memberKey} = +im_admin_documents.key)`,
    upsertDocuments(sql`im_admin_lists.has_documents`),
    sql`UPDATE im_admin_lists SET has_documents = ${isLarge(sizes)} WHERE name = 'groupMembers'`,
  ];
}

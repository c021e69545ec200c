/** Builds what is kept from all rows, which is faster than settling key by key. */
import { type RecordName, recordNames } from "../../../records.js";
import type { ListDefinition } from "../../lists/list.js";
import { ownTriggers } from "../schema/changed.js";
import { listedMembers, memberKey, memberText, recordOfMember } from "../schema/documents.js";
import { ownerOf } from "../schema/keys.js";
import { indexesOf, type Listed, listed, listedTable, rightRows, rowsInOrder } from "../schema/listed.js";
import { drop, type SchemaObject } from "../schema/schemaObject.js";
import { type Sizes, uncountedOf } from "../schema/sizes.js";
import {
  applyChanges,
  byList,
  byMember,
  insertDocuments,
  lackingDocuments,
  mendDocuments,
} from "../settle/documents.js";
import { isUnfitList } from "../settle/fitness.js";
import { upsertRows } from "../settle/listedChanges.js";
import { mendLists } from "../settle/mendLists.js";
import { join, literal, name, names, our, type Sql, sql } from "../sql.js";

/** The triggers on tables of im-admin's own. */
export function ownNoting(mapped: ReadonlySet<RecordName>): SchemaObject[] {
  return recordNames.filter((record) => !mapped.has(record)).flatMap(ownTriggers);
}

/** The tables of listed rows of some kinds of records. */
export function listedFrom(records: ReadonlySet<RecordName>): Listed[] {
  return listed.filter(({ table }) => records.has(table));
}

/** Builds all kept data again that depends on some kinds of records. */
export function build(sizes: Sizes, records: ReadonlySet<RecordName>): Sql[] {
  const built = listedFrom(records);
  return [
    ...built.flatMap(buildRows),
    ...built.flatMap(({ lists }) => lists.flatMap((list) => countRows(sizes, list))),
    sql`
      UPDATE im_admin_lists SET is_unfit = true
        WHERE NOT is_unfit AND ${isUnfitList(sizes)}`,
    ...(records.has("users") || records.has("groupMembers") ? renewDocuments(sizes) : []),
    ...mendLists(sizes),
    ...built.map(
      ({ table }) =>
        sql`DELETE FROM im_admin_changed WHERE kind = ${literal(table)} OR kind LIKE ${literal(`${table} %`)}`,
    ),
  ];
}

/** Builds listed rows. Members keep their numbers, from which the ids of documents are made. */
function buildRows(own: Listed): Sql[] {
  const indexes = indexesOf(own);
  const right = rightRows(own, sql`${our(own.table)} source`);
  return [
    ...indexes.map(drop),
    sql`
      DELETE FROM ${listedTable(own)} WHERE (${names(own.key)}) NOT IN (
        SELECT ${names(own.key)} FROM (
          ${right}
        ))`,
    sql`
      ${upsertRows(own, sql`SELECT * FROM (${right}) WHERE true ORDER BY ${join(own.key.map(name))}`)}`,
    ...indexes.map((index) => index.sql),
  ];
}

/** Counts the rows of all lists of a kind. Lists that stay keep their number, which documents have. */
function countRows(sizes: Sizes, list: ListDefinition): Sql[] {
  const ofKind = sql`name = ${literal(list.name)}`;
  return [
    sql`DELETE FROM im_admin_list_nodes WHERE list IN (SELECT id FROM im_admin_lists WHERE ${ofKind})`,
    sql`UPDATE im_admin_lists SET total = 0, height = 0, is_unfit = 0 WHERE ${ofKind}`,
    sql`
      INSERT INTO im_admin_lists (name, owner, total)
        SELECT ${literal(list.name)}, ${ownerOf(list)}, count(*)
          FROM ${rowsInOrder(list)}
          ${list.owner === undefined ? sql`` : sql`GROUP BY ${ownerOf(list)} `}HAVING count(*) > ${literal(uncountedOf(sizes, list))}
        ON CONFLICT (name, owner) DO UPDATE SET total = excluded.total`,
    sql`DELETE FROM im_admin_lists WHERE ${ofKind} AND total = 0`,
  ];
}

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
    insertDocuments(lackingDocuments(byList)),
    ...applyChanges,
    ...mendDocuments(sizes, byMember),
  ];
}

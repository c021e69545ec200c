/** Builds what is kept from all rows, which is faster than settling key by key. */
import { type RecordName, recordNames } from "../../../records.js";
import type { ListDefinition } from "../../lists/list.js";
import { ownTriggers } from "../schema/changed.js";
import { isInList, ownerOf } from "../schema/keys.js";
import { indexesOf, type Listed, listed, listedTable, rightRows, rowsInOrder } from "../schema/listed.js";
import { drop, type SchemaObject } from "../schema/schemaObject.js";
import { type Sizes, uncountedOf } from "../schema/sizes.js";
import { isUnfitList } from "../settle/fitness.js";
import { upsertRows } from "../settle/listedChanges.js";
import { mendLists } from "../settle/mendLists.js";
import { all, join, literal, name, names, our, type Sql, sql } from "../sql.js";

/** The triggers on tables of im-admin's own. */
export function ownNoting(mapped: ReadonlySet<RecordName>): SchemaObject[] {
  return recordNames.filter((record) => !mapped.has(record)).flatMap(ownTriggers);
}

/** The tables of listed rows of some kinds of records. */
export function listedFrom(records: ReadonlySet<RecordName>): Listed[] {
  // Members may have the nicknames of users.
  return listed.filter(({ table }) => records.has(table) || (table === "groupMembers" && records.has("users")));
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
    ...mendLists(sizes),
    ...built.map(
      ({ table }) =>
        sql`DELETE FROM im_admin_changed WHERE kind = ${literal(table)} OR kind LIKE ${literal(`${table} %`)}`,
    ),
  ];
}

/** Builds listed rows. */
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

/** Counts the rows of all lists of a kind. */
function countRows(sizes: Sizes, list: ListDefinition): Sql[] {
  const ofKind = sql`name = ${literal(list.name)}`;
  return [
    ...["listNodes", "listWords"].map(
      (table) => sql`DELETE FROM ${our(table)} WHERE list IN (SELECT id FROM im_admin_lists WHERE ${ofKind})`,
    ),
    sql`UPDATE im_admin_lists SET total = 0, height = 0, is_unfit = 0 WHERE ${ofKind}`,
    sql`
      INSERT INTO im_admin_lists (name, owner, total)
        SELECT ${literal(list.name)}, ${ownerOf(list)}, count(*)
          FROM ${rowsInOrder(list)} WHERE ${all(isInList(list))}
          ${list.owner === undefined ? sql`` : sql`GROUP BY ${ownerOf(list)} `}HAVING count(*) > ${literal(uncountedOf(sizes, list))}
        ON CONFLICT (name, owner) DO UPDATE SET total = excluded.total`,
    sql`DELETE FROM im_admin_lists WHERE ${ofKind} AND total = 0`,
  ];
}

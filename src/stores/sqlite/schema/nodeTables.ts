/**
 * The kept data of counted lists. With it, any page of a list costs about as much as the first one, and its total costs
 * one look-up.
 *
 * A list is the rows of its table in the order of an index. A list with more than a few rows has a row in
 * `im_admin_lists` with its total. When it outgrows a leaf, it gets nodes that count its rows. A node of level 1, a
 * leaf, counts the rows from its `start` up to the start of the next node. A node of level 2 counts the rows of several
 * leaves, and starts where the first of them starts. So it goes on up to the list's `height`. The first node of each
 * level starts at "". To find the row at an offset, a read skips whole nodes, the largest first, and then a part of one
 * leaf.
 *
 * A leaf of a long list that is searched also has the words of its rows, as one text. They are in a table of their own,
 * so that a read which skips nodes does not read them. Words that changes have made stale are not read; a search then
 * reads the rows of the leaf.
 *
 * Totals are always exact. A list or a node whose size no longer fits its height or level is marked as unfit, and is
 * still right: what mends it only makes reads fast. While it is mended, a node may be collapsed: put together of others.
 */
import { name, our, ourName, type Sql, sql } from "../sql.js";
import type { SchemaObject } from "./schemaObject.js";

export const nodeTables: readonly SchemaObject[] = [
  {
    type: "table",
    name: ourName("lists"),
    sql: sql`
      CREATE TABLE im_admin_lists (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        owner TEXT NOT NULL,
        total INTEGER NOT NULL,
        height INTEGER NOT NULL DEFAULT 0,
        is_unfit INTEGER NOT NULL DEFAULT 0,
        UNIQUE (name, owner)
      )`,
  },
  unfitIndex("lists", sql`id`),
  {
    type: "table",
    name: ourName("listNodes"),
    sql: sql`
      CREATE TABLE im_admin_list_nodes (
        list INTEGER NOT NULL,
        level INTEGER NOT NULL,
        start TEXT NOT NULL,
        total INTEGER NOT NULL,
        is_unfit INTEGER NOT NULL DEFAULT 0,
        is_collapsed INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (list, level, start)
      ) WITHOUT ROWID`,
  },
  unfitIndex("listNodes", sql`level`),
  {
    type: "table",
    name: ourName("listWords"),
    sql: sql`
      CREATE TABLE im_admin_list_words (
        list INTEGER NOT NULL,
        start TEXT NOT NULL,
        is_stale INTEGER NOT NULL DEFAULT 0,
        words TEXT NOT NULL,
        UNIQUE (list, start)
      )`,
  },
  {
    type: "index",
    name: ourName("listWordsStale"),
    sql: sql`
      CREATE INDEX im_admin_list_words_stale
        ON im_admin_list_words (list) WHERE is_stale`,
  },
];

/** The start of the node after one on its level; x'' at the end, since no text is greater than a blob. */
export function following(node: Sql, level: Sql = sql`${node}.level`): Sql {
  return sql`
    coalesce((
      SELECT min(start) FROM im_admin_list_nodes later
        WHERE later.list = ${node}.list AND later.level = ${level} AND later.start > ${node}.start
    ), x'')`;
}

/** Finds what is unfit, which is little at any time. */
function unfitIndex(table: string, columns: Sql): SchemaObject {
  const own = ourName(`${table}Unfit`);
  return {
    type: "index",
    name: own,
    sql: sql`
      CREATE INDEX ${name(own)}
        ON ${our(table)} (${columns}) WHERE is_unfit`,
  };
}

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
 */
import type { ListDefinition } from "../../lists/list.js";
import type { SchemaObject } from "../schema/schemaObject.js";
import { ourName, sql } from "../sql.js";

/** The sizes of lists and nodes. Tests use tiny ones. */
export interface Sizes {
  /** A list of an owner with at most so many rows has no total: each read counts it. */
  uncounted: number;
  /** The most rows of a leaf, a node of level 1. It must be at least 8, so that a quarter of it is a few rows. */
  leaf: number;
  /** How many times as many rows a node may count as a node of the level below; at least 2. */
  fanout: number;
  /** A group with more members has documents, which an index searches. */
  searched: number;
  /** How many changes of documents are collected before they are written to the indexes. */
  collected: number;
}

export const defaultSizes: Sizes = { uncounted: 64, leaf: 300, fanout: 10, searched: 2000, collected: 100 };

/**
 * The most rows of a list without a total. A list without owners has a total from its first row on: otherwise each write
 * would have to count it. A group's list of join requests gets a total with its second leaf: until then, managers have
 * copies, which are faster to read than the lists of many groups.
 */
export function uncountedOf(
  { uncounted, leaf }: Sizes,
  { owner, isLasting = false }: Pick<ListDefinition, "owner" | "isLasting">,
): number {
  if (owner === undefined) return 0;
  return isLasting ? leaf : uncounted;
}

/** The levels of nodes. The last one may have any number of nodes, which costs little below a hundred million rows. */
export const levels = [1, 2, 3, 4] as const;

/** The most rows that a node of a level counts. */
export function capacity({ leaf, fanout }: Sizes, level: number): number {
  return leaf * fanout ** (level - 1);
}

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
        has_documents INTEGER NOT NULL DEFAULT 0,
        changed_key TEXT NOT NULL DEFAULT '',
        UNIQUE (name, owner)
      ) STRICT`,
  },
  {
    type: "table",
    name: ourName("listNodes"),
    sql: sql`
      CREATE TABLE im_admin_list_nodes (
        list INTEGER NOT NULL,
        level INTEGER NOT NULL,
        start TEXT NOT NULL,
        total INTEGER NOT NULL,
        PRIMARY KEY (list, level, start)
      ) STRICT, WITHOUT ROWID`,
  },
];

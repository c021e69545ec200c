/**
 * What the database keeps of its counted lists, so that any page of a list costs about what the first one costs, and
 * its total one look-up.
 *
 * The entries of a list are rows of its table, in the order of an index. A list with more than a few entries has a row
 * in `lists` with its total. Once it outgrows a leaf, nodes count its entries: a node of level 1 those from its `start`
 * up to the next node's; a node of level 2 those of several nodes of level 1, whose starts include its own, and so on
 * up to the list's `height`. The first node of each level starts at "". To find the entry at an offset, one passes over
 * whole nodes, the largest first, and then over part of one leaf.
 */
import type { ListDefinition } from "../../lists/list.js";
import type { SchemaObject } from "../schema/schemaObject.js";
import { ourName, sql } from "../sql.js";

/** How large lists and nodes get; tests use tiny ones. */
export interface Sizes {
  /** How many entries the list of an owner has at most that is counted whenever it is read. */
  uncounted: number;
  /** How many entries a leaf (a node of level 1) counts at most; at least 8, so that a quarter of it is a few. */
  leaf: number;
  /** How many times the entries of its children's level a larger node counts at most; at least 2. */
  fanout: number;
  /** From how many members on a group has documents, which are searched by an index. */
  searched: number;
  /** How many changes of documents are collected before the indexes are written. */
  collected: number;
}

export const defaultSizes: Sizes = { uncounted: 64, leaf: 300, fanout: 10, searched: 2000, collected: 100 };

/**
 * How many entries a list has at most that has no total. What there is one list of has one from its first entry on: no
 * write that comes to it is to look at the others.
 */
export function uncountedOf({ uncounted }: Sizes, { owner }: Pick<ListDefinition, "owner">): number {
  return owner === undefined ? 0 : uncounted;
}

/** The levels of nodes. Of the last one there may be any number, which costs little below a hundred million entries. */
export const levels = [1, 2, 3, 4] as const;

/** How many entries a node of a level counts at most. */
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

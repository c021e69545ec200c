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
import { lists } from "../../lists/index.js";
import { type ListDefinition, type ListedTable, listedTables } from "../../lists/list.js";
import { procedure, type SchemaObject } from "../schema/schemaObject.js";
import { name, names, our, ourName, sql } from "../sql.js";
import { isListed, keyOf } from "./keys.js";
import { countProcedure, orderIndex } from "./names.js";

/** How large lists and nodes get; tests use tiny ones. */
export interface Sizes {
  /** How many entries a list has at most that is counted whenever it is read. */
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

/** The levels of nodes. Of the last one there may be any number, which costs little below a hundred million entries. */
export const levels = [1, 2, 3, 4] as const;

/** How many entries a node of a level counts at most. */
export function capacity({ leaf, fanout }: Sizes, level: number): number {
  return leaf * fanout ** (level - 1);
}

/** The indexes of all lists: by owner and key. */
export const orderIndexes: readonly SchemaObject[] = lists.map((list) => {
  const owner = list.owner === undefined ? sql`` : sql`${name(list.owner)}, `;
  const covered = list.covers === undefined ? sql`` : sql`, ${names(list.covers)}`;
  const condition = list.least === undefined ? sql`` : sql` WHERE ${isListed(list)}`;
  return {
    type: "index",
    name: orderIndex(list),
    sql: sql`
      CREATE INDEX ${name(orderIndex(list))}
        ON ${our(list.table)} (${owner}${keyOf(list)}${covered})${condition}`,
  };
});

/** A table whose rows others write too, with what has to be known of its rows. */
export interface WatchedTable {
  name: Exclude<ListedTable, "receivedGroupRequests">;
  key: readonly string[];
  /** The columns that lists are made of, those of the key aside. */
  fields: readonly string[];
  lists: readonly ListDefinition[];
  /** Where rows are remembered as they were before a write. */
  before: string;
}

/** The listed tables, but for the one that only triggers write. */
export const watchedTables: readonly WatchedTable[] = (Object.keys(listedTables) as ListedTable[])
  .filter((table) => table !== "receivedGroupRequests")
  .map((table) => ({
    name: table,
    key: listedTables[table].key,
    fields: listedTables[table].fields,
    lists: lists.filter((list) => list.table === table),
    before: `${table}Before`,
  }));

/**
 * Rows as they were before a write that is under way, without fields where there was none; and other rows that it may
 * replace, its conflicts. They are forgotten when the write is done. Those of a write that did not happen after all are
 * forgotten when the same table is written next, in another millisecond. A write has happened, and is under way, where
 * its row is written once more and is not what it was before. `isConflict` is 1 for the row with the same key that an
 * INSERT may replace, and 2 for one with another key.
 */
const beforeTables = watchedTables.map(({ name: table, before, key, fields }): SchemaObject => {
  const id = table === "groupMembers" ? sql`id, ` : sql``;
  return {
    type: "table",
    name: ourName(before),
    sql: sql`
      CREATE TABLE ${our(before)} (
        ${id}${names([...key, ...fields])}, is_conflict, written_at, is_replaced INTEGER NOT NULL DEFAULT 0,
        has_happened INTEGER NOT NULL DEFAULT 0
      )`,
  };
});

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
  ...beforeTables,
  ...lists.map((list) => procedure(countProcedure(list), { owner: "TEXT" })),
  procedure("splitLeaf", { list: "INTEGER", start: "TEXT", total: "INTEGER" }),
  procedure("resizeList", { id: "INTEGER" }),
];

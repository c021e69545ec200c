import type { Page, PageRange } from "../../pagination.js";
import type { Row, SqlDatabase } from "./database.js";
import { type Part, sql } from "./part.js";

/** Which entries are listed, and in which order. */
export interface Selection {
  /** How many there are, as an expression. */
  total: Part;
  /** A page of them, as a SELECT of their `key`, which gives the order, and their `item`. */
  page(range: PageRange): Part;
}

/** A list, in the terms that its two statements are made of. */
export interface List {
  /** The row whose existence the list depends on: a FROM clause with its condition. */
  parent: Part;
  selection: Selection;
  /** What is answered, by the names of the item's fields; `"userInfo.userID"` is a field of a nested object. */
  columns: string;
  /** The joins that `columns` need, after the page as `entry`. */
  joins: string;
}

/** Reads a page of a list and its total; undefined where the parent does not exist. */
export async function readList<Item>(
  database: SqlDatabase,
  { parent, selection, columns, joins }: List,
  range: PageRange,
): Promise<Page<Item> | undefined> {
  const [totals, rows] = await database.read([
    sql`SELECT ${selection.total} AS total FROM ${parent}`,
    sql`SELECT ${columns} FROM (${selection.page(range)}) entry ${joins} ORDER BY entry.key`,
  ]);
  const total = totals?.[0]?.["total"];
  if (total === undefined || rows === undefined) return undefined;
  // The columns of each list are written to be the fields of its item.
  const items = columns.includes('"') ? rows.map(nested) : rows;
  return { total: Number(total), items: items as Item[] };
}

/** Makes an item of a row: the column `"userInfo.userID"` is the field `userID` of the object `userInfo`. */
function nested(row: Row): object {
  const item: Record<string, unknown> = {};
  const objects: Record<string, Row> = {};
  for (const [column, value] of Object.entries(row)) {
    const dot = column.indexOf(".");
    if (dot < 0) {
      item[column] = value;
      continue;
    }
    const name = column.slice(0, dot);
    const object = objects[name] ?? {};
    object[column.slice(dot + 1)] = value;
    objects[name] = object;
    item[name] = object;
  }
  return item;
}

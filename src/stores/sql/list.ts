import type { Page, PageRange } from "../../pagination.js";
import type { Row, SqlDatabase, Value } from "./database.js";
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
  const items = columns.includes('"') ? nested(rows) : rows;
  return { total: Number(total), items: items as Item[] };
}

/** Makes items of rows: the column `"userInfo.userID"` is the field `userID` of the object `userInfo`. */
function nested(rows: readonly Row[]): object[] {
  const fields = Object.keys(rows[0] ?? {}).map((column) => ({ column, path: column.split(".") }));
  return rows.map((row) => {
    const item: Record<string, Row | Value> = {};
    for (const { column, path } of fields) {
      const [name = "", field] = path;
      const value = row[column] ?? null;
      if (field === undefined) {
        item[name] = value;
        continue;
      }
      const object = (item[name] ?? {}) as Row;
      object[field] = value;
      item[name] = object;
    }
    return item;
  });
}

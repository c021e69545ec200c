import type { Page, PageRange } from "../../pagination.js";
import type { Row, SqlDatabase, Statement, Value } from "./database.js";

/** A part of a statement, with the values of its `?`. */
export interface Part {
  sql: string;
  values: readonly Value[];
}

/** A list, in the terms that its two statements are made of. */
export interface List {
  /** The row whose existence the list depends on: a FROM clause with its condition. */
  parent: Part;
  /** Which rows are listed: a table and its alias, and the joins that `conditions` need. */
  from: string;
  /** The alias in `from` of the table whose rows are listed. */
  listed: string;
  /** All of them must hold. */
  conditions: readonly Part[];
  /** The total without looking at the rows, where the triggers keep it; absent where conditions restrict the list. */
  total?: Part;
  /** A total order, so that pages neither skip nor repeat a row. */
  order: string;
  /** What is answered, by the names of the item's fields; `"userInfo.userID"` is a field of a nested object. */
  columns: string;
  /** The joins that `columns` need, as a whole FROM clause with the same alias of the listed table. */
  columnsFrom: string;
}

/** Reads a page of a list and its total; undefined where the parent does not exist. */
export async function readList<Item>(
  database: SqlDatabase,
  list: List,
  range: PageRange,
): Promise<Page<Item> | undefined> {
  const [totals, rows] = await database.read([totalStatement(list), pageStatement(list, range)]);
  const total = totals?.[0]?.["total"];
  if (total === undefined || rows === undefined) return undefined;
  // The columns of each list are written to be the fields of its item.
  return { total: Number(total), items: rows.map(nested) as Item[] };
}

function totalStatement({ parent, from, conditions, total }: List): Statement {
  const counted = total ?? where(`(SELECT count(*) FROM ${from} WHERE`, conditions, ")");
  return {
    sql: `SELECT ${counted.sql} AS total FROM ${parent.sql}`,
    values: [...counted.values, ...parent.values],
  };
}

/** Finds the page's rows in an index first, so that the rows before the page are not read. */
function pageStatement(list: List, { offset, limit }: PageRange): Statement {
  const { from, listed, conditions, order, columns, columnsFrom } = list;
  const page = where(`SELECT ${listed}.rowid FROM ${from} WHERE`, conditions, `ORDER BY ${order} LIMIT ? OFFSET ?`);
  return {
    sql: `SELECT ${columns} FROM ${columnsFrom} WHERE ${listed}.rowid IN (${page.sql}) ORDER BY ${order}`,
    values: [...page.values, limit, offset],
  };
}

function where(before: string, conditions: readonly Part[], after: string): Part {
  return {
    sql: `${before} ${conditions.map(({ sql }) => sql).join(" AND ")} ${after}`,
    values: conditions.flatMap(({ values }) => values),
  };
}

/** The condition that one of the expressions contains the keyword, whatever the case of ASCII letters. */
export function contains(keyword: string, ...expressions: string[]): Part[] {
  if (keyword === "") return [];
  return [
    {
      // SQLite's lower() leaves all but ASCII letters alone, and instr() knows no wildcards.
      sql: `(${expressions.map((expression) => `instr(lower(${expression}), lower(?)) > 0`).join(" OR ")})`,
      values: expressions.map(() => keyword),
    },
  ];
}

/** The condition that an expression is one of the values, where any are given. */
export function isOneOf(expression: string, values: readonly Value[] | undefined): Part[] {
  if (values === undefined) return [];
  return [{ sql: `${expression} IN (SELECT value FROM json_each(?))`, values: [JSON.stringify(values)] }];
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

/** Statements that answer a page of a list with its total, as JSON that the engine writes. */
import type { JsonPage } from "../../../jsonLists.js";
import { recordKeys } from "../../../records.js";
import type { ListDefinition } from "../../lists/list.js";
import { rowsOf, type SqlDatabase, type Value } from "../database.js";
import { waitingKinds } from "../schema/changed.js";
import { all, join, name, names, our, raw, type Sql, sql } from "../sql.js";
import { itemRows } from "./itemRows.js";
import { entryJoin, itemObject } from "./items.js";
import type { PageParts } from "./pageForm.js";
import type { Selection } from "./selections.js";

/** A statement that takes its values by name for each call. */
export interface PageStatement<Request extends string> {
  parts: PageParts;
  values(request: Readonly<Record<Request, Value>>): Value[];
}

interface PageOptions {
  /** A further condition. */
  condition?: Sql;
  /** Whether it reads what is kept of lists, and not the records alone. */
  isKept?: boolean;
}

/**
 * The statement for a selection. It binds each value once, as a column of `request`. It returns no rows if the owner
 * does not exist or a further condition is false.
 */
export function pageStatement<Request extends string>(
  list: ListDefinition,
  selection: Selection,
  request: readonly Request[],
  { condition, isKept = true }: PageOptions = {},
): PageStatement<Request> {
  const conditions: Sql[] = [];
  if (list.parent !== undefined) {
    const [key] = recordKeys[list.parent];
    conditions.push(sql`EXISTS (SELECT 1 FROM ${our(list.parent)} WHERE ${name(key)} = request.owner)`);
  }
  if (condition !== undefined) conditions.push(condition);
  const values = raw(request.map(() => "?").join(", "));
  const definitions = [sql`request (${names(request)}) AS MATERIALIZED (VALUES (${values}))`, ...selection.definitions];
  return {
    parts: {
      total: sql`
        WITH RECURSIVE ${join(definitions, ",\n")}
        SELECT ${selection.total} AS total, ${isKept ? waitingKinds : sql`NULL`} AS waiting`,
      item: itemObject(list.item.fields, list.item, isKept),
      select: (what) => sql`
        SELECT ${what} FROM (
          ${selection.page}
        ) place
        ${entryJoin(list)}`,
      from: sql`FROM request WHERE ${all(conditions)}`,
    },
    values: (values) => request.map((column) => values[column]),
  };
}

/** A page, and the kinds of records of which changes wait to be settled. If there are any, the page may be wrong. */
export interface FoundPage extends JsonPage {
  waiting?: string;
}

/** Reads a page; undefined if the parent does not exist. */
export async function readPage<Request extends string>(
  database: SqlDatabase,
  { parts, values }: PageStatement<Request>,
  request: Readonly<Record<Request, Value> & { size: number }>,
): Promise<FoundPage | undefined> {
  const { text, itemsOf } = database.pages ?? itemRows;
  const rows = rowsOf(await database.read([{ text: text(parts, request.size), values: values(request) }]), 0);
  const [row] = rows;
  if (row === undefined) return undefined;
  const total = Number(row["total"]);
  const waiting = row["waiting"];
  return typeof waiting === "string" ? { total, items: "[]", waiting } : { total, items: itemsOf(rows) };
}

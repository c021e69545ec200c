/** Statements that answer a page of a list with its total, as JSON that the engine writes. */
import type { JsonPage } from "../../../jsonLists.js";
import { recordKeys } from "../../../records.js";
import type { ListDefinition } from "../../lists/list.js";
import { rowsOf, type SqlDatabase, type Value } from "../database.js";
import type { Selection } from "../nodes/selections.js";
import { all, join, name, names, our, raw, type Sql, sql } from "../sql.js";
import { itemRows } from "./itemRows.js";
import { entryJoin, itemObject } from "./items.js";
import type { PageParts } from "./pageForm.js";

/** A statement that takes its values by name for each call. */
export interface PageStatement<Request extends string> {
  parts: PageParts;
  values(request: Readonly<Record<Request, Value>>): Value[];
}

/**
 * The statement for a selection. It binds each value once, as a column of `request`. It returns no rows if the owner
 * does not exist or a further condition is false.
 */
export function pageStatement<Request extends string>(
  list: ListDefinition,
  selection: Selection,
  request: readonly Request[],
  condition?: Sql,
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
        SELECT ${selection.total} AS total`,
      item: itemObject(list.item.fields, list.item),
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

/** Reads a page; undefined if the parent does not exist. */
export async function readPage<Request extends string>(
  database: SqlDatabase,
  { parts, values }: PageStatement<Request>,
  request: Readonly<Record<Request, Value> & { size: number }>,
): Promise<JsonPage | undefined> {
  const { text, itemsOf } = database.pages ?? itemRows;
  const rows = rowsOf(await database.read([{ text: text(parts, request.size), values: values(request) }]), 0);
  const [row] = rows;
  return row && { total: Number(row["total"]), items: itemsOf(rows) };
}

/** Statements that answer a page of a list with its total, as JSON that the engine writes. */
import type { JsonPage } from "../../../jsonLists.js";
import { recordKeys } from "../../../records.js";
import type { ListDefinition } from "../../lists/list.js";
import { rowsOf, type SqlDatabase, type Value } from "../database.js";
import type { Selection } from "../nodes/read.js";
import { all, join, name, names, our, raw, type Sql, sql } from "../sql.js";
import { entryJoin, itemObject } from "./items.js";

/** A statement whose values are given for each call, by their names. */
export interface PageStatement<Item, Request extends string> {
  list: ListDefinition<Item>;
  /** Its items are a text. */
  text: string;
  /** Its items are the bytes of that text. */
  textOfBytes: string;
  values(request: Readonly<Record<Request, Value>>): Value[];
}

/**
 * The statement for a selection; its values are bound once, as the columns of `request`. It answers nothing where the
 * owner or a further condition is not met.
 */
export function pageStatement<Item, Request extends string>(
  list: ListDefinition<Item>,
  selection: Selection,
  request: readonly Request[],
  condition?: Sql,
): PageStatement<Item, Request> {
  const conditions: Sql[] = [];
  if (list.parent !== undefined) {
    const [key] = recordKeys[list.parent];
    conditions.push(sql`EXISTS (SELECT 1 FROM ${our(list.parent)} WHERE ${name(key)} = request.owner)`);
  }
  if (condition !== undefined) conditions.push(condition);
  const values = raw(request.map(() => "?").join(", "));
  const definitions = [sql`request (${names(request)}) AS MATERIALIZED (VALUES (${values}))`, ...selection.definitions];
  const textFor = (items: (json: Sql) => Sql) =>
    sql`
    WITH RECURSIVE ${join(definitions, ",\n")}
    SELECT ${selection.total} AS total, (
      SELECT ${items(sql`coalesce('[' || group_concat(${itemObject(list.item.fields, list.item)}, ',' ORDER BY place.key) || ']', '[]')`)} FROM (
        ${selection.page}
      ) place
      ${entryJoin(list)}
    ) AS items
    FROM request WHERE ${all(conditions)}`.text;
  return {
    list,
    text: textFor((json) => json),
    textOfBytes: textFor((json) => sql`CAST(${json} AS BLOB)`),
    values: (values) => request.map((column) => values[column]),
  };
}

/** Reads a page; undefined where the parent does not exist. */
export async function readPage<Item, Request extends string>(
  database: SqlDatabase,
  statement: PageStatement<Item, Request>,
  request: Readonly<Record<Request, Value>>,
): Promise<JsonPage | undefined> {
  const text = database.jsonOf === undefined ? statement.text : statement.textOfBytes;
  const results = await database.read([{ text, values: statement.values(request) }]);
  const [row] = rowsOf(results, 0);
  if (row === undefined) return undefined;
  const { total, items } = row;
  return { total: Number(total), items: database.jsonOf?.(items) ?? String(items) };
}

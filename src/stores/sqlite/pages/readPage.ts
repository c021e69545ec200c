/** Reads pages of lists: makes a statement that answers a page with its total, as JSON that the engine writes. */
import { argsError } from "../../../errors.js";
import type { Json } from "../../../json.js";
import type { JsonPage } from "../../../jsonLists.js";
import type { PageRange } from "../../../pagination.js";
import { recordKeys } from "../../../records.js";
import { remembered } from "../../../remembered.js";
import type { ListDefinition } from "../../lists/list.js";
import type { Row, SqlDatabase, Statement, Value } from "../database.js";
import { waitingKinds } from "../schema/changed.js";
import { hasKey } from "../schema/keys.js";
import { all, join, literal, names, our, raw, type Sql, sql } from "../sql.js";
import { entryJoin, itemObject } from "./items.js";
import type { Selection } from "./selections.js";

/** What is not asked for. */
const none = null as Value;

/** What a call may ask for. Each statement binds all of it, as the columns of `request`. */
const nothing = {
  /** The owner of the list. */
  owner: none,
  /** How many rows are before the page, and how many are on it. */
  skip: none,
  size: none,
  /** Ranges of keys, as a JSON array of pairs, in the order of the list and without overlaps. */
  ranges: none,
  /** Values of a field, and groups, as JSON arrays. */
  filter: none,
  groupIDs: none,
  /** The keyword in small letters. */
  keyword: none,
  /** How many milliseconds are one in the answered times. */
  unit: none,
};

/** What a call asks for, beside the range of the page. What it leaves out is NULL. */
export type Request = Readonly<Partial<typeof nothing>>;

const columns = Object.keys(nothing);

/** How an engine returns the items of a page. */
type Form = "one value" | "rows" | "measured rows";

/** The text of a statement that answers a page. */
export type PageText = (form: Form) => string;

interface PageOptions {
  /** A further condition. */
  condition?: Sql;
  /** Whether it reads what is kept of lists, and not the records alone. */
  isKept?: boolean;
}

/** The statement for a selection. It returns no rows if the owner does not exist or a further condition is false. */
export function pageText(
  list: ListDefinition,
  { definitions, total, page }: Selection,
  { condition, isKept = true }: PageOptions = {},
): PageText {
  const conditions = condition === undefined ? [] : [condition];
  if (list.parent !== undefined) {
    const [key] = recordKeys[list.parent];
    const isParent = hasKey(list.parent, "parent", key, raw("request.owner"));
    conditions.push(sql`EXISTS (SELECT 1 FROM ${our(list.parent)} parent WHERE ${isParent})`);
  }
  const request = sql`
    request (${names(columns)}) AS MATERIALIZED (VALUES (${raw(columns.map(() => "?").join(", "))}))`;
  const from = sql`FROM request WHERE ${all(conditions)}`;
  const item = itemObject(list.item.fields, list.item, isKept);
  const select = (what: Sql) => sql`
    SELECT ${what} FROM (
      ${page}
    ) place
    ${entryJoin(list)}`;
  return remembered(
    (form: Form) =>
      sql`
      WITH RECURSIVE ${join([request, ...definitions], ",\n")}
      SELECT ${total} AS total, ${isKept ? waitingKinds : sql`NULL`} AS waiting, ${itemsAs(form, item, select, from)}`
        .text,
  );
}

/** The most bytes of a page's items. A Worker has 128 MB of memory in all. */
const mostBytes = 16_777_216;

/** The database computes the size of a page of so many rows or more, for which D1 reads three more rows for each. */
const manyRows = 50;

/** The items as one value, the bytes of a JSON array; or a row with the total, and then one for each item. */
function itemsAs(form: Form, item: Sql, select: (what: Sql) => Sql, from: Sql): Sql {
  if (form === "one value") {
    return sql`
      (
        ${select(sql`CAST(coalesce('[' || group_concat(${item}, ',' ORDER BY place.key) || ']', '[]') AS BLOB)`)}
      ) AS items
      ${from}`;
  }
  const short = sql`CASE WHEN sum(octet_length(item)) OVER (ORDER BY key) <= ${literal(mostBytes)} THEN item END`;
  return sql`
    '' AS key, '' AS item ${from}
    UNION ALL
    SELECT NULL, NULL, key, ${form === "rows" ? sql`item` : short} FROM (
      ${select(sql`place.key, ${item} AS item`)}
    ) WHERE EXISTS (SELECT 1 ${from}) ORDER BY key`;
}

function joined(rows: readonly Row[]): Json {
  const items = rows.flatMap(({ item }) => item ?? []);
  if (items.length === rows.length) return `[${items.join()}]`;
  throw argsError(`pagination.showNumber must be at most ${items.length}: more have over ${mostBytes} bytes`);
}

/** Runs the statements of a page. */
export interface PageReader extends Pick<SqlDatabase, "jsonOf"> {
  run(statement: Statement): Promise<Row[]>;
}

/** A page, and the kinds of records of which changes wait to be settled. If there are any, the page may be wrong. */
export interface FoundPage extends JsonPage {
  waiting?: string;
}

/** Reads a page; undefined if the parent does not exist. */
export async function readPage(
  { run, jsonOf }: PageReader,
  text: PageText,
  { offset: skip, limit: size }: PageRange,
  request: Request,
): Promise<FoundPage | undefined> {
  const form = jsonOf ? "one value" : size > manyRows ? "measured rows" : "rows";
  const rows = await run({ text: text(form), values: Object.values({ ...nothing, skip, size, ...request }) });
  const [row] = rows;
  if (row === undefined) return undefined;
  const total = Number(row["total"]);
  const waiting = row["waiting"];
  if (typeof waiting === "string") return { total, items: "[]", waiting };
  return { total, items: jsonOf ? jsonOf(row["items"]) : joined(rows.slice(1)) };
}

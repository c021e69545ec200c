/** Reads pages of lists: makes a statement that answers a page with its total, as JSON that the engine writes. */
import type { Json } from "../../../json.js";
import type { JsonPage } from "../../../jsonLists.js";
import { defaultLimits } from "../../../limits.js";
import type { PageRange } from "../../../pagination.js";
import { recordKeys } from "../../../records.js";
import type { ListDefinition } from "../../lists/list.js";
import type { Row, SqlDatabase, Statement, Value } from "../database.js";
import { isOfRow } from "../failures.js";
import type { Mark } from "../map/marks.js";
import type { Recovery } from "../recovery.js";
import { nothingWaits, waitingKinds } from "../schema/changed.js";
import { hasKey } from "../schema/keys.js";
import { all, join, names, our, raw, type Sql, sql } from "../sql.js";
import { entryJoin, itemObject, tooLong } from "./items.js";
import type { CarefulPage } from "./readCarefully.js";
import { rowColumns, type Selection } from "./selections.js";

/** What is not asked for. */
const none = null as Value;

/** What a call may ask for. Each statement binds all of it, as the columns of `request`. */
const nothing = {
  /** The owner of the list, and the value of the field that divides lists, as a text. */
  owner: none,
  part: none,
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

/** How the items of a page are returned. "lengths" returns how many bytes each of them has. */
type Form = "one value" | "rows" | "lengths";

/** The statements of a page. */
export interface PageText {
  list: ListDefinition;
  looksAt: Selection["looksAt"];
  isKept: boolean;
  /**
   * The text of the statement that answers it.
   *
   * @param longest how many bytes the texts of an object may have, or {@link tooLong} takes its place; undefined for any number
   */
  in(form: Form, longest: number | undefined): string;
  /** The text of a statement that reads the keys of its rows. */
  keys(): string;
}

interface PageOptions {
  /** A further condition. */
  condition?: Sql;
  /** Whether it reads what is kept of lists, and not the records alone. */
  isKept?: boolean;
}

/** The statement for a selection. It returns no rows if the owner does not exist or a further condition is false. */
export function pageText(
  list: ListDefinition,
  { looksAt, definitions, total, page }: Selection,
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
  const select = (what: Sql) => sql`
    SELECT ${what} FROM (
      ${page}
    ) place
    ${entryJoin(list)}`;
  const defined = sql`WITH RECURSIVE ${join([request, ...definitions], ",\n")}`;
  const texts = new Map<string, string>();
  return {
    list,
    looksAt,
    isKept,
    in(form, longest) {
      const key = `${form} ${longest}`;
      let text = texts.get(key);
      if (text === undefined) {
        const item = itemObject(list.item.fields, { ...list.item, table: list.table }, isKept, longest);
        text = sql`
        ${defined}
        SELECT ${total} AS total, ${isKept ? waitingKinds : sql`NULL`} AS waiting,
          ${itemsAs(form, item, select, from)}`.text;
        texts.set(key, text);
      }
      return text;
    },
    keys: () =>
      sql`
      ${defined}
      SELECT ${names(rowColumns(list))} FROM (
        ${page}
      )`.text,
  };
}

/** The items as one value, the bytes of a JSON array; or a row with the total, and then one for each item. */
function itemsAs(form: Form, item: Sql, select: (what: Sql) => Sql, from: Sql): Sql {
  if (form === "one value") {
    return sql`
      (
        ${select(sql`CAST(coalesce('[' || group_concat(${item}, ',' ORDER BY place.key) || ']', '[]') AS BLOB)`)}
      ) AS items
      ${from}`;
  }
  return sql`
    '' AS key, '' AS item ${from}
    UNION ALL
    SELECT NULL, NULL, key, item FROM (
      ${select(sql`place.key, ${form === "lengths" ? sql`octet_length(${item})` : item} AS item`)}
    ) WHERE EXISTS (SELECT 1 ${from}) ORDER BY key`;
}

/** Runs the statements of a page. */
export interface PageReader extends Pick<SqlDatabase, "jsonOf" | "recovery"> {
  /** Finds what cannot be read, if what is kept of it is not up to date. */
  unsettled?: () => Promise<readonly Mark[]>;
  run(statement: Statement): Promise<Row[]>;
}

/** A page, and the kinds of records of which changes wait to be settled. If there are any, the page may be wrong. */
export interface FoundPage extends JsonPage {
  waiting?: string;
}

/** How many rows are measured at first. Each time, at most as many more as are known to fit. */
const measuredFirst = 10;

/**
 * Reads a page; undefined if the parent does not exist.
 *
 * Nearly every page is read at once, as none of its items has more than its share of the bytes. If one has more, the page
 * is measured before it is read, so that its items are in memory together only if they fit.
 */
export async function readPage(
  { run, jsonOf, recovery, unsettled }: PageReader,
  text: PageText,
  { offset, limit, mostBytes = defaultLimits.pageBytes }: PageRange,
  request: Request,
): Promise<FoundPage | undefined> {
  /** Reads so many rows. There are no items if changes wait. */
  async function read<Items>(
    form: Form,
    longest: number | undefined,
    { skip, size }: { skip: number; size: number },
    itemsOf: (rows: readonly Row[]) => Items,
  ): Promise<(Omit<FoundPage, "items"> & { items?: Items }) | undefined> {
    const values = Object.values({ ...nothing, skip, size, ...request });
    const { rows, unreadable } = await readRows({ text: text.in(form, longest), values });
    const [row] = rows;
    if (row === undefined) return undefined;
    const total = Number(row["total"]);
    const waiting = row["waiting"];
    if (typeof waiting === "string" && waiting !== nothingWaits) return { total, waiting };
    return { total, items: itemsOf(rows), ...(unreadable && { unreadable }) };
  }

  async function readRows(page: Statement): Promise<CarefulPage> {
    const carefully = (recovery: Recovery, isBroken: boolean) => {
      const keys = { text: text.keys(), values: page.values };
      return recovery.readPage({ ...text, request, page, keys, isBroken }, unsettled);
    };
    try {
      const rows = await run(page);
      return recovery && rows[0]?.["waiting"] === nothingWaits ? await carefully(recovery, false) : { rows };
    } catch (error) {
      if (recovery === undefined || !isOfRow(error)) throw error;
      return carefully(recovery, true);
    }
  }

  const whole = { skip: offset, size: limit };
  const readItems = (longest: number | undefined) => {
    // A text of a record that only looks like it costs time, and nothing else.
    const unless = longest === undefined ? undefined : tooLong;
    return jsonOf
      ? read("one value", longest, whole, ([row]) => jsonOf(row?.["items"], unless))
      : read("rows", longest, whole, (rows) => joined(rows, unless));
  };

  const page = await readItems(shareOf(mostBytes / limit));
  if (page === undefined) return undefined;
  const { items = page.waiting === undefined ? undefined : "[]" } = page;
  if (items !== undefined && mostBytesIn(items) <= mostBytes) return { ...page, items };

  let bytes = 0;
  for (let measured = 0; measured < limit; ) {
    const size = Math.min(Math.max(measuredFirst, measured), limit - measured);
    const next = await read("lengths", undefined, { skip: offset + measured, size }, ([, ...rows]) => rows);
    if (next === undefined) return undefined;
    if (next.items === undefined) return { ...next, items: "[]" };
    for (const { item } of next.items) {
      bytes += Number(item);
      if (bytes > mostBytes && measured > 0) return { total: next.total, items: "[]", fitting: measured };
      measured += 1;
    }
    if (next.items.length < size) break;
  }
  const fitting = await readItems(undefined);
  return fitting && { ...fitting, items: fitting.items ?? "[]" };
}

/** A power of 2 that is at most a page's bytes for each of its items, so that there are few texts of statements. */
function shareOf(bytes: number): number {
  return 2 ** Math.floor(Math.log2(Math.max(1, bytes)));
}

/** How many bytes JSON has at most in UTF-8. */
function mostBytesIn(items: Json): number {
  return typeof items === "string" ? items.length * 3 : items.length;
}

function joined([, ...rows]: readonly Row[], unless: string | undefined): Json | undefined {
  const items = rows.map(({ item }) => item).join();
  return unless !== undefined && items.includes(unless) ? undefined : `[${items}]`;
}

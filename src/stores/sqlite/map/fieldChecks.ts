/** Refuses a map whose expressions cannot be right, with the name of the field. */
import { keyFields, type RecordName } from "../../../records.js";
import { type MappedRecord, mappedRecords, type TableMap } from "../../../tables/map.js";
import { aliasOf, isQuery } from "../../../tables/mapNames.js";
import { decidingColumns } from "../schema/changed.js";
import { listedOf } from "../schema/listed.js";
import { isSame } from "../schema/storedSchema.js";
import { literal, raw, type Sql, sql } from "../sql.js";
import { keyText, partOf } from "./key.js";
import { plainName, quoted, tablesIn } from "./sqlWords.js";
import { decidingTexts } from "./watching.js";

/** A part of the map, and a statement that fails if it cannot be right. */
export interface FieldCheck {
  /** The place in the map, such as `users.nickname`. */
  path: string;
  statement: Sql;
  /** The same over all rows: it fails if an expression fails for one of them. */
  rows: Sql;
  /** The table that gets triggers; undefined for a query. */
  watched: string | undefined;
  /** What the part may read if lists depend on it. */
  deciding?: Dependence | undefined;
}

/** The tables whose writes im-admin notices. */
interface Dependence {
  text: string;
  /** All texts of the record on which lists depend. */
  texts: readonly string[];
  /** The table of the records; undefined for a query. It may be read once, for the row itself. */
  from: string | undefined;
  also: readonly string[];
}

/**
 * Statements of which SQLite checks the names when it prepares them. They read no row. SQLite allows neither aggregates
 * nor window functions in WHERE.
 *
 * @throws TypeError for an expression whose value changes without a write
 */
export function fieldChecks(map: TableMap): FieldCheck[] {
  return mappedRecords(map).flatMap(([record, mapped]) => checksOf(record, mapped, map.separator ?? ":"));
}

function checksOf(record: RecordName, mapped: MappedRecord, separator: string): FieldCheck[] {
  const { from, where, latest, fields = {}, also = [] } = mapped;
  const dependence = {
    texts: decidingTexts(record, mapped),
    from: isQuery(from) ? undefined : plainName(aliasOf(from)),
    also: also.map(({ table }) => plainName(aliasOf(table))),
  };
  const check = (path: string, table: string, condition: Sql, text?: string, among = "true"): FieldCheck => ({
    path: `${record}.${path}`,
    // An index would be a second reader of the table.
    statement: sql`
      SELECT ${literal(`${record}.${path}`)} AS checked FROM ${raw(table)}${raw(isQuery(table) ? "" : " NOT INDEXED")} WHERE (${condition}) LIMIT 0`,
    rows: sql`SELECT count(*) FROM ${raw(table)} WHERE (${raw(among)}) AND (${condition})`,
    watched: isQuery(table) ? undefined : plainName(aliasOf(table)),
    deciding: text === undefined || listedOf(record) === undefined ? undefined : { ...dependence, text },
  });
  const given = Object.entries<string>(fields);
  for (const [field, text] of given) requireSteady(`${record}.${field}`, text, decides(record, field));
  if (where !== undefined) requireSteady(`${record}.where`, where, true);
  if (isQuery(from)) requireSteady(`${record}.from`, from, true);
  const keysOf = (path: string, table: string, key: Parameters<typeof partOf>[0]) =>
    keyFields[record].flatMap(([field]) => {
      const part = partOf(key, field);
      if (part === undefined) return [];
      const own = `${path}${field}`;
      if (typeof part !== "object" || !("sql" in part))
        return [check(own, table, keyText(part, separator, aliasOf(table)))];
      requireSteady(`${record}.${own}`, part.sql, true);
      if (/\bselect\b/i.test(part.sql)) throw new TypeError(`${record}.${own}: a key reads nothing but its row`);
      return [check(own, table, raw(part.sql)), check(own, table, keyText(part, separator, aliasOf(table)))];
    });
  return [
    check("from", from, raw("true"), isQuery(from) ? from : undefined),
    ...keysOf("", from, mapped.key),
    ...(latest === undefined ? [] : [check("latest", from, raw(`${aliasOf(from)}.${quoted(latest)}`))]),
    ...(where === undefined ? [] : [check("where", from, raw(where), where)]),
    ...given.map(([field, text]) => check(field, from, raw(text), decides(record, field) ? text : undefined, where)),
    ...also.flatMap(({ table, key }, index) => keysOf(`also[${index}].`, table, key)),
  ];
}

/** Whether a field decides where its record is listed, or by which words it is found. */
function decides(record: RecordName, field: string): boolean {
  return decidingColumns(record).includes(field);
}

/** Functions that differ from call to call. */
const unsteady = /\b(random|randomblob|changes|total_changes|last_insert_rowid)\s*\(/i;

/** The time: a word, a function without a time among its arguments, or a function of 'now'. */
const clock =
  /\bcurrent_(?:date|time|timestamp)\b|\b(?:(?:date|time|datetime|julianday|unixepoch)\s*\(|strftime\s*\(\s*'[^']*'\s*,?)\s*(?:\)|'subsec)|'now'/i;

/** @throws TypeError for functions whose value changes without a write */
export function requireSteady(path: string, text: string, isDeciding: boolean): void {
  const [, name] = unsteady.exec(text.replace(/'[^']*'/g, "''")) ?? [];
  if (name !== undefined) throw new TypeError(`${path}: ${name}() differs from call to call`);
  if (isDeciding && clock.test(text)) {
    throw new TypeError(`${path}: the time decides, and no write tells im-admin when it does`);
  }
}

/**
 * Requires that `also` names each table that a part reads, so that im-admin notices its writes.
 *
 * @param reads the tables as often as they are read; the table of the records once for the row itself
 */
export function requireNoticed({ path, deciding }: FieldCheck, reads: readonly string[]): void {
  if (deciding === undefined) return;
  const { from, also } = deciding;
  const others = [...reads];
  const own = others.findIndex((table) => from !== undefined && isSame(table, from));
  if (own >= 0) others.splice(own, 1);
  const unknown = others.sort().find((table) => !also.some((noticed) => isSame(noticed, table)));
  if (unknown === undefined) return;
  if (from !== undefined && isSame(unknown, from)) {
    throw new TypeError(
      `${path} reads other rows of ${unknown}: name it in also, so that im-admin notices their writes, or name the column that grows in latest`,
    );
  }
  throw new TypeError(
    `${path} reads ${unknown}: name it in also, so that im-admin notices its writes, or leave it out of the map`,
  );
}

/**
 * The same without a database, by the names in the texts. A table of `also` that no text names may be read through a
 * view, whose name then means nothing.
 */
export function requireNamed(map: TableMap): void {
  for (const check of fieldChecks(map)) {
    if (check.deciding === undefined) continue;
    const { text, texts, from, also } = check.deciding;
    const named = texts.flatMap(tablesIn);
    if (also.some((table) => !named.some((other) => isSame(other, table)))) continue;
    requireNoticed(check, [...(from === undefined ? [] : [from]), ...tablesIn(text)]);
  }
}

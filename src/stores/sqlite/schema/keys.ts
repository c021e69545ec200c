/**
 * The key of a listed row: one text that sorts bytewise in the order of the list. It calls no SQL function, since a host
 * could have replaced it.
 */
import type { RecordName } from "../../../records.js";
import { type KeyRange, offsetOf, rangesOf } from "../../lists/digits.js";
import { lists } from "../../lists/index.js";
import type { ListDefinition, Order } from "../../lists/list.js";
import { all, join, literal, name, our, raw, type Sql, sql } from "../sql.js";

export { rangeOf } from "../../lists/digits.js";

function columnOf(field: string, alias: string | undefined): Sql {
  return alias === undefined ? name(field) : sql`${raw(alias)}.${name(field)}`;
}

function partOf(table: RecordName, { field, direction }: Order, isLast: boolean, alias: string | undefined): Sql {
  const offset = offsetOf(table, field);
  const column = columnOf(field, alias);
  if (offset !== undefined) return sql`(${literal(offset)} ${raw(direction === "ascending" ? "+" : "-")} ${column})`;
  // A NUL is less than any character of an identifier.
  return isLast ? column : sql`${column} || x'00'`;
}

/** The key of a row, from the columns of an index or of an alias. */
export function keyOf({ table, order }: Pick<ListDefinition, "table" | "order">, alias?: string): Sql {
  const parts = order.map((item, index) => partOf(table, item, index === order.length - 1, alias));
  // With '', a single column gets an index of its own, and a single integer becomes text.
  return sql`(${parts.length === 1 ? sql`'' || ${join(parts)}` : join(parts, " || ")})`;
}

type Owned = Pick<ListDefinition, "owner" | "dividedBy">;

/** The owner of a row's list. */
export function ownerOf({ owner, dividedBy }: Owned, alias?: string): Sql {
  if (owner === undefined) return literal("");
  const own = columnOf(owner, alias);
  return dividedBy === undefined ? own : sql`(${partOfOwner(own, columnOf(dividedBy, alias))})`;
}

/** The owner of the list that an owner has for one value of the field that divides lists. */
export function partOfOwner(owner: Sql, value: Sql): Sql {
  return sql`${owner} || x'00' || ${value}`;
}

type Filtered = Pick<ListDefinition, "table" | "least">;

/** The condition that a listed row is in a list of its owner. There is none if all listed rows of the table are. */
export function isInList({ table, least }: Filtered, alias?: string): Sql[] {
  return least === undefined || leastsOf(table).length === 1 ? [] : [hasLeast(least, alias)];
}

/** The least values of the lists of a table; undefined stands for none. */
function leastsOf(table: RecordName): (ListDefinition["least"] | undefined)[] {
  const all = lists.filter((list) => list.table === table).map((list) => list.least);
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}

function hasLeast({ field, value }: NonNullable<ListDefinition["least"]>, alias: string | undefined): Sql {
  return sql`${columnOf(field, alias)} >= ${literal(value)}`;
}

/** The condition that a record is in any list of its kind. There is none if all records are. */
export function isInAnyList(table: RecordName, alias: string): Sql[] {
  const conditions = leastsOf(table).map((least) => (least === undefined ? undefined : hasLeast(least, alias)));
  const [only, ...others] = conditions;
  if (only === undefined || conditions.includes(undefined)) return [];
  return others.length === 0
    ? [only]
    : [
        sql`(${join(
          conditions.flatMap((one) => one ?? []),
          " OR ",
        )})`,
      ];
}

/** The condition that a record is in a list of its owner. There is none if all records are. */
export function isRecordInList({ least }: Filtered, alias: string): Sql[] {
  return least === undefined ? [] : [hasLeast(least, alias)];
}

/**
 * The condition that a row of a table of records has a value in a column of the key. It is marked, so that
 * {@link addToKeyConditions} finds it if the records are in a table of a host.
 *
 * @param value a column, or a SELECT of one in parentheses
 */
export function hasKey(record: RecordName, row: string, field: string, value: Sql): Sql {
  return sql`${raw(row)}.${name(field)} = ${value} /* key of ${our(record)} */`;
}

/** A condition of {@link hasKey}, as SQL. */
interface KeyCondition {
  /** The table of the records. */
  table: string;
  row: string;
  column: string;
  value: string;
}

const markedCondition = /(\w+)\.(\w+) = ([\w.]+|\([^()]+\)) \/\* key of (\w+) \*\//g;

/** Adds conditions to each condition of {@link hasKey} in a text. */
export function addToKeyConditions(text: string, more: (condition: KeyCondition) => readonly string[]): string {
  return text.replace(markedCondition, (condition, row, column, value, table) =>
    [condition, ...more({ table, row, column, value })].join(" AND "),
  );
}

/** The condition that a row of a table of records has the same key as another row, or the same part of it. */
export function hasKeyOf(record: RecordName, row: string, fields: readonly string[], other: string): Sql {
  return all(fields.map((field) => hasKey(record, row, field, sql`${raw(other)}.${name(field)}`)));
}

/** The rows of an owner's list. */
export function isOwnedBy(list: Owned & Filtered, owner: Sql, alias?: string): Sql {
  // With `+`, a column has no affinity, and SQLite finds the rows by an index of an expression.
  const value = list.dividedBy === undefined ? owner : sql`+${owner}`;
  const isOwned = list.owner === undefined ? [] : [sql`${ownerOf(list, alias)} = ${value}`];
  return all([...isOwned, ...isInList(list, alias)]);
}

/** The ranges for several values, in the order of the list, as an array in JSON. */
export function rangesText(list: ListDefinition, values: readonly number[]): string {
  return JSON.stringify(rangesOf(list, values));
}

/** The condition that a row's key is in a given range. */
export function isInRange(list: ListDefinition, [from, to]: KeyRange): Sql {
  return sql`${keyOf(list)} >= ${literal(from)} AND ${keyOf(list)} < ${literal(to)}`;
}

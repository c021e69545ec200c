/** The order of a list as one text that sorts bytewise, made without any function, which a host could have replaced. */
import type { ListDefinition, ListedTable, listedTables, Order } from "../../lists/list.js";
import { all, join, literal, name, raw, type Sql, sql } from "../sql.js";

/** The fields that lists are sorted by as numbers. */
type ListedNumber = (typeof listedTables)[ListedTable]["fields"][number];

/** What is added to an integer, or what it is taken from, so that all of a field have the same number of digits. */
const offsets: Readonly<Record<ListedNumber, number | string>> = {
  roleLevel: 2000,
  appMangerLevel: 30_000_000_000,
  handleResult: 30_000_000_000,
  joinTime: "20000000000000000",
  createTime: "20000000000000000",
  reqTime: "20000000000000000",
};

function offsetOf(field: string): number | string | undefined {
  return (offsets as Record<string, number | string>)[field];
}

/** The columns of a list that its order is made of, or the expressions that stand for them. */
type Columns = (field: string) => Sql;

function part({ field, direction }: Order, isLast: boolean, columns: Columns): Sql {
  const offset = offsetOf(field);
  const column = columns(field);
  if (offset !== undefined)
    return sql`(${raw(String(offset))} ${raw(direction === "ascending" ? "+" : "-")} ${column})`;
  if (direction === "descending") throw new TypeError(`a list cannot be sorted by the text ${field} descending`);
  // A NUL is less than any character of an identifier.
  return isLast ? column : sql`${column} || x'00'`;
}

/** The key of a row, by its columns in an index or by those of an alias. */
export function keyOf({ order }: Pick<ListDefinition, "order">, alias?: string): Sql {
  const columns = columnsOfAlias(alias);
  const parts = order.map((item, index) => part(item, index === order.length - 1, columns));
  // A sole column would be taken for another index, and a sole integer would not be text.
  return sql`(${parts.length === 1 ? sql`'' || ${join(parts)}` : join(parts, " || ")})`;
}

/** The owner of a row's list. */
export function ownerOf({ owner }: Pick<ListDefinition, "owner">, alias?: string): Sql {
  return owner === undefined ? literal("") : columnsOfAlias(alias)(owner);
}

/** Which rows are listed. */
export function isListed({ least }: Pick<ListDefinition, "least">, alias?: string): Sql {
  return least === undefined ? all([]) : sql`${columnsOfAlias(alias)(least.field)} >= ${literal(least.value)}`;
}

/** The rows of an owner's list. */
export function isOwnedBy(list: ListDefinition, owner: Sql, alias?: string): Sql {
  const conditions = [];
  if (list.owner !== undefined) conditions.push(sql`${ownerOf(list, alias)} = ${owner}`);
  if (list.least !== undefined) conditions.push(isListed(list, alias));
  return all(conditions);
}

/** A range of keys: from the first one up to the second, which is not in it. */
export type KeyRange = readonly [from: string, to: string];

/** The keys of the rows whose first field in the order has a value, which is a small integer. */
export function rangeOf({ name, order: [first] }: ListDefinition, value: number): KeyRange {
  const offset = first && offsetOf(first.field);
  if (typeof offset !== "number") throw new TypeError(`the list ${name} does not begin with a small integer`);
  const digits = first?.direction === "ascending" ? offset + value : offset - value;
  return [String(digits), String(digits + 1)];
}

/** The ranges of keys of some values, in the order of the list. */
export function rangesText(list: ListDefinition, values: readonly number[]): string {
  const ranges = [...new Set(values)].map((value): KeyRange => rangeOf(list, value));
  return JSON.stringify(ranges.sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** The condition that a row's key is in a range that is known. */
export function isInRange(list: ListDefinition, [from, to]: KeyRange): Sql {
  return sql`${keyOf(list)} >= ${literal(from)} AND ${keyOf(list)} < ${literal(to)}`;
}

function columnsOfAlias(alias: string | undefined): Columns {
  return alias === undefined ? name : (column) => sql`${name(alias)}.${name(column)}`;
}

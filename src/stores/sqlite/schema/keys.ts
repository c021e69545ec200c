/**
 * The key of a listed row: one text that sorts bytewise in the order of the list. It calls no SQL function, since a host
 * could have replaced it.
 */
import type { ListDefinition, ListedNumber, Order } from "../../lists/list.js";
import { all, join, literal, name, raw, type Sql, sql } from "../sql.js";

/**
 * What is added to a number of each field, or what the number is subtracted from if it descends, so that all numbers of
 * the field have the same number of digits.
 */
const offsets: Readonly<Record<ListedNumber, number>> = {
  roleLevel: 2000,
  appMangerLevel: 30_000_000_000,
  handleResult: 30_000_000_000,
  joinTime: 20_000_000_000_000_000,
  createTime: 20_000_000_000_000_000,
  reqTime: 20_000_000_000_000_000,
};

/** The offset of a field that sorts as a number; undefined for a text. */
function offsetOf(field: string): number | undefined {
  return (offsets as Record<string, number>)[field];
}

function columnOf(field: string, alias: string | undefined): Sql {
  return alias === undefined ? name(field) : sql`${raw(alias)}.${name(field)}`;
}

function partOf({ field, direction }: Order, isLast: boolean, alias: string | undefined): Sql {
  const offset = offsetOf(field);
  const column = columnOf(field, alias);
  if (offset !== undefined) return sql`(${literal(offset)} ${raw(direction === "ascending" ? "+" : "-")} ${column})`;
  // A NUL is less than any character of an identifier.
  return isLast ? column : sql`${column} || x'00'`;
}

/** The key of a row, from the columns of an index or of an alias. */
export function keyOf({ order }: Pick<ListDefinition, "order">, alias?: string): Sql {
  const parts = order.map((item, index) => partOf(item, index === order.length - 1, alias));
  // With '', a single column gets an index of its own, and a single integer becomes text.
  return sql`(${parts.length === 1 ? sql`'' || ${join(parts)}` : join(parts, " || ")})`;
}

/** The owner of a row's list. */
export function ownerOf({ owner }: Pick<ListDefinition, "owner">, alias?: string): Sql {
  return owner === undefined ? literal("") : columnOf(owner, alias);
}

/** The rows of an owner's list. */
export function isOwnedBy(list: Pick<ListDefinition, "owner">, owner: Sql, alias?: string): Sql {
  return list.owner === undefined ? all([]) : sql`${ownerOf(list, alias)} = ${owner}`;
}

/** A range of keys, from the first one up to, and without, the second. */
type KeyRange = readonly [from: string, to: string];

/** The range of keys whose rows have this value in the first field of the order, which must hold small integers. */
export function rangeOf({ name, order: [first] }: ListDefinition, value: number): KeyRange {
  const offset = first && offsetOf(first.field);
  if (!Number.isSafeInteger(offset)) throw new TypeError(`the list ${name} does not begin with a small integer`);
  const digits = Number(offset) + (first?.direction === "ascending" ? value : -value);
  return [String(digits), String(digits + 1)];
}

/** The ranges for several values, in the order of the list, as an array in JSON. */
export function rangesText(list: ListDefinition, values: readonly number[]): string {
  const ranges = [...new Set(values)].map((value) => rangeOf(list, value));
  return JSON.stringify(ranges.sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** The condition that a row's key is in a given range. */
export function isInRange(list: ListDefinition, [from, to]: KeyRange): Sql {
  return sql`${keyOf(list)} >= ${literal(from)} AND ${keyOf(list)} < ${literal(to)}`;
}

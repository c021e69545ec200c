/**
 * The key of a listed row: one text that sorts bytewise in the order of the list. It calls no SQL function, since a host
 * could have replaced it.
 */
import type { RecordName } from "../../../records.js";
import { type KeyRange, offsetOf, rangesOf } from "../../lists/digits.js";
import type { ListDefinition, Order } from "../../lists/list.js";
import { all, join, literal, name, our, raw, type Sql, sql } from "../sql.js";

export { rangeOf } from "../../lists/digits.js";

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

/**
 * The condition that a row of a table of records has a value in a column of the key. If the records are in a table of a
 * host, `mapped.ts` reads the comment, and names the host's columns, so that SQLite uses the host's index.
 *
 * @param value a column, or a SELECT of one in parentheses
 */
export function hasKey(record: RecordName, row: string, field: string, value: Sql): Sql {
  return sql`${raw(row)}.${name(field)} = ${value} /* key of ${our(record)} */`;
}

/** The condition that a row of a table of records has the same key as another row, or the same part of it. */
export function hasKeyOf(record: RecordName, row: string, fields: readonly string[], other: string): Sql {
  return all(fields.map((field) => hasKey(record, row, field, sql`${raw(other)}.${name(field)}`)));
}

/** The rows of an owner's list. */
export function isOwnedBy(list: Pick<ListDefinition, "owner">, owner: Sql, alias?: string): Sql {
  return list.owner === undefined ? all([]) : sql`${ownerOf(list, alias)} = ${owner}`;
}

/** The ranges for several values, in the order of the list, as an array in JSON. */
export function rangesText(list: ListDefinition, values: readonly number[]): string {
  return JSON.stringify(rangesOf(list, values));
}

/** The condition that a row's key is in a given range. */
export function isInRange(list: ListDefinition, [from, to]: KeyRange): Sql {
  return sql`${keyOf(list)} >= ${literal(from)} AND ${keyOf(list)} < ${literal(to)}`;
}

/**
 * Makes the key of a row: one text that sorts bytewise in the order of the list. It calls no SQL function, since a host
 * could have replaced it.
 */
import { digitsOf, type KeyRange } from "../../lists/keyRanges.js";
import type { ListDefinition, Order } from "../../lists/list.js";
import { all, join, literal, name, raw, type Sql, sql } from "../sql.js";

export { rangeOf, rangesText } from "../../lists/keyRanges.js";

/** Returns the column or expression for a field of the order. */
type Columns = (field: string) => Sql;

function part({ field, direction }: Order, isLast: boolean, columns: Columns): Sql {
  const offset = digitsOf(field);
  const column = columns(field);
  if (offset !== undefined)
    return sql`(${raw(String(offset))} ${raw(direction === "ascending" ? "+" : "-")} ${column})`;
  // A NUL is less than any character of an identifier.
  return isLast ? column : sql`${column} || x'00'`;
}

/** The key of a row, from the columns of an index or of an alias. */
export function keyOf({ order }: Pick<ListDefinition, "order">, alias?: string): Sql {
  const columns = columnsOfAlias(alias);
  const parts = order.map((item, index) => part(item, index === order.length - 1, columns));
  // With '', a single column gets an index of its own, and a single integer becomes text.
  return sql`(${parts.length === 1 ? sql`'' || ${join(parts)}` : join(parts, " || ")})`;
}

/** The owner of a row's list. */
export function ownerOf({ owner }: Pick<ListDefinition, "owner">, alias?: string): Sql {
  return owner === undefined ? literal("") : columnsOfAlias(alias)(owner);
}

/** The rows of an owner's list. */
export function isOwnedBy(list: Pick<ListDefinition, "owner">, owner: Sql, alias?: string): Sql {
  return list.owner === undefined ? all([]) : sql`${ownerOf(list, alias)} = ${owner}`;
}

/** The condition that a row's key is in a given range. */
export function isInRange(list: ListDefinition, [from, to]: KeyRange): Sql {
  return sql`${keyOf(list)} >= ${literal(from)} AND ${keyOf(list)} < ${literal(to)}`;
}

function columnsOfAlias(alias: string | undefined): Columns {
  return alias === undefined ? name : (column) => sql`${raw(alias)}.${name(column)}`;
}

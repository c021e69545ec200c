/** The order of a list as one text that sorts bytewise. */
import { digitsOf } from "../../lists/keyRanges.js";
import type { Order } from "../../lists/list.js";
import { snakeCase } from "../names.js";
import { join, name, raw, type Sql, sql } from "../sql.js";

/** More than any key: all begin with a digit. */
export const endOfKeys = ":";

/** The key of a row, by its columns in an index or by those of an alias. */
export function keyOf(order: readonly Order[], alias?: string): Sql {
  const parts = order.map((item, index) => part(item, index === order.length - 1, alias));
  const isNumber = digitsOf(order[0]?.field ?? "") !== undefined;
  return sql`(${join(isNumber ? parts : [raw("'1'"), ...parts], " || ")})`;
}

function part({ field, direction }: Order, isLast: boolean, alias: string | undefined): Sql {
  const column = columnOf(field, alias);
  const offset = digitsOf(field);
  if (offset !== undefined) {
    return sql`(${raw(String(offset))} ${raw(direction === "ascending" ? "+" : "-")} ${column})::text`;
  }
  if (direction === "descending") throw new TypeError(`a list cannot be sorted by the text ${field} descending`);
  return isLast ? column : sql`${column} || E'\\x01'`;
}

/** The same order by columns, for rows whose keys are not made. */
export function columnsInOrder(order: readonly Order[]): Sql {
  return join(
    order.map(({ field, direction }) => {
      const bytewise = digitsOf(field) === undefined ? ' COLLATE "C"' : "";
      return sql`${columnOf(field)}${raw(bytewise + (direction === "descending" ? " DESC" : ""))}`;
    }),
  );
}

/** A column of a row, or of an alias. */
export function columnOf(field: string, alias?: string): Sql {
  return alias === undefined ? name(snakeCase(field)) : sql`${name(alias)}.${name(snakeCase(field))}`;
}

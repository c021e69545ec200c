/** Pages in which each item is a row: engines such as D1 take no value of more than 2 MB. */
import { argsError } from "../../../errors.js";
import { remembered } from "../../../remembered.js";
import type { Row } from "../database.js";
import { literal, type Sql, sql } from "../sql.js";
import type { PageForm, PageParts } from "./pageForm.js";

/** The most bytes of a page's items. A Worker has 128 MB of memory in all. */
const mostBytes = 16_777_216;

/** The database computes the size of a page of so many rows or more, for which D1 reads three more rows for each. */
const manyEntries = 50;

/** A row with the total, and one for each entry. */
const textOf = (selected: Sql) =>
  remembered(
    ({ total, item, select, from }: PageParts) =>
      sql`
      ${total}, '' AS key, '' AS item ${from}
      UNION ALL
      SELECT NULL, NULL, key, ${selected} FROM (
        ${select(sql`place.key, ${item} AS item`)}
      ) WHERE EXISTS (SELECT 1 ${from}) ORDER BY key`.text,
  );
const ofFew = textOf(sql`item`);
const ofMany = textOf(
  sql`CASE WHEN sum(octet_length(item)) OVER (ORDER BY key) <= ${literal(mostBytes)} THEN item END`,
);

export const itemRows: PageForm = {
  text: (parts, size) => (size > manyEntries ? ofMany : ofFew)(parts),
  itemsOf([, ...rows]: readonly Row[]) {
    const items = rows.flatMap(({ item }) => item ?? []);
    if (items.length === rows.length) return `[${items.join()}]`;
    throw argsError(`pagination.showNumber must be at most ${items.length}: more have over ${mostBytes} bytes`);
  },
};

/** Pages whose items are one value, the bytes of a JSON array. */
import type { Json } from "../../../json.js";
import { remembered } from "../../../remembered.js";
import { sql } from "../sql.js";
import type { PageForm, PageParts } from "./pageForm.js";

const text = remembered(
  ({ total, item, select, from }: PageParts) =>
    sql`
    ${total}, (
      ${select(sql`CAST(coalesce('[' || group_concat(${item}, ',' ORDER BY place.key) || ']', '[]') AS BLOB)`)}
    ) AS items
    ${from}`.text,
);

/** @param jsonOf converts the engine's BLOB into JSON */
export function oneValue(jsonOf: (bytes: unknown) => Json): PageForm {
  return { text, itemsOf: ([row]) => jsonOf(row?.["items"]) };
}

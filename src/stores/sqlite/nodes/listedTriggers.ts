/**
 * The triggers on listed rows, which count each row into its lists and out of them. Only im-admin writes these rows.
 */
import type { ListDefinition } from "../../lists/list.js";
import { type SchemaObject, trigger } from "../schema/schemaObject.js";
import { literal, name, our, raw, type Sql, sql } from "../sql.js";
import { isOwnedBy, keyOf, ownerOf } from "./keys.js";
import type { Listed } from "./listedRows.js";
import { listedName, listedTable, orderIndex } from "./listNames.js";
import { type Sizes, uncountedOf } from "./nodeTables.js";

/** Further statements for a listed row that comes, changes or goes. */
export type FurtherStatements = (table: Listed["table"], event: "INSERT" | "UPDATE" | "DELETE") => readonly Sql[];

export function listedTriggers(
  { table, fields, lists }: Listed,
  sizes: Sizes,
  further: FurtherStatements,
): SchemaObject[] {
  const on = listedName(table);
  const moved = (list: ListDefinition) => sql` AND ${keyOf(list, "OLD")} <> ${keyOf(list, "NEW")}`;
  return [
    trigger({ name: `${table}Listed`, event: "AFTER INSERT", on }, [
      ...lists.flatMap((list) => [count(list, "NEW", "+"), countForTheFirstTime(list, sizes)]),
      ...further(table, "INSERT"),
    ]),
    // The key stays: a record with another one has another listed row.
    trigger({ name: `${table}Moved`, event: "AFTER UPDATE", of: fields, on }, [
      ...lists.flatMap((list) => [count(list, "OLD", "-", moved(list)), count(list, "NEW", "+", moved(list))]),
      ...further(table, "UPDATE"),
    ]),
    trigger({ name: `${table}Unlisted`, event: "AFTER DELETE", on }, [
      ...lists.map((list) => count(list, "OLD", "-")),
      ...further(table, "DELETE"),
    ]),
  ];
}

function count(list: ListDefinition, row: "NEW" | "OLD", sign: "+" | "-", condition = sql``): Sql {
  return sql`
    UPDATE im_admin_lists SET total = total ${raw(sign)} 1, changed_key = ${keyOf(list, row)}
      WHERE name = ${literal(list.name)} AND owner = ${ownerOf(list, row)}${condition}`;
}

/** Notes the total of a list when it gets more than a few rows. */
function countForTheFirstTime(list: ListDefinition, sizes: Sizes): Sql {
  const owner = ownerOf(list, "NEW");
  const entries = sql`${listedTable(list)} INDEXED BY ${name(orderIndex(list))} WHERE ${isOwnedBy(list, owner)}`;
  return sql`
    INSERT INTO ${our("lists")} (name, owner, total)
      SELECT ${literal(list.name)}, ${owner}, (SELECT count(*) FROM ${entries})
        WHERE NOT EXISTS (SELECT 1 FROM im_admin_lists WHERE name = ${literal(list.name)} AND owner = ${owner})
          AND (SELECT true FROM ${entries} LIMIT 1 OFFSET ${literal(uncountedOf(sizes, list))})`;
}

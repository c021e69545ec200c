/** Builds totals and nodes from the rows of tables, which is faster than the triggers for many rows. */
import type { ListDefinition } from "../../lists/list.js";
import { drop, type SchemaObject } from "../schema/schemaObject.js";
import { all, join, literal, name, raw, type Sql, sql } from "../sql.js";
import { isOwnedBy, keyOf, ownerOf } from "./keys.js";
import { orderIndexes } from "./listedRows.js";
import { listedTable, orderIndex } from "./listNames.js";
import { capacity, levels, type Sizes, uncountedOf } from "./nodeTables.js";

/** The indexes of lists. */
export function indexesOf(lists: readonly ListDefinition[]): SchemaObject[] {
  const indexes = new Set(lists.map(orderIndex));
  return orderIndexes.filter((index) => indexes.has(index.name));
}

/** Drops the indexes of lists, since building them again is faster than keeping them row by row. */
export function dropIndexes(lists: readonly ListDefinition[]): Sql[] {
  return indexesOf(lists).map(drop);
}

/** Builds totals and nodes of lists. Drop their triggers before. */
export function buildNodes(sizes: Sizes, lists: readonly ListDefinition[]): Sql[] {
  if (lists.length === 0) return [];
  const built = sql`name IN (${join(lists.map((list) => literal(list.name)))})`;
  // Make nodes three quarters full, so that the next write neither splits nor joins them.
  const leaf = Math.floor((sizes.leaf * 3) / 4);
  const height = levels.map((level) => `WHEN total <= ${capacity(sizes, level)} THEN ${level - 1}`).join(" ");
  return [
    sql`DELETE FROM im_admin_list_nodes WHERE list IN (SELECT id FROM im_admin_lists WHERE ${built})`,
    sql`UPDATE im_admin_lists SET total = 0, height = 0 WHERE ${built}`,
    ...lists.map((list) => buildTotals(sizes, list)),
    sql`UPDATE im_admin_lists SET height = (CASE ${raw(height)} ELSE ${literal(levels.length)} END) WHERE ${built}`,
    ...lists.map((list) => buildLeaves(leaf, list)),
    ...levels.slice(1).map(
      (level) => sql`
        INSERT INTO im_admin_list_nodes (list, level, start, total)
          SELECT list, ${literal(level)}, min(start), sum(total) FROM (
            SELECT list, start, node.total,
              (row_number() OVER (PARTITION BY list ORDER BY start) - 1) / ${literal(sizes.fanout)} AS parent
            FROM im_admin_lists CROSS JOIN im_admin_list_nodes node ON node.list = im_admin_lists.id AND node.level = ${literal(level - 1)}
            WHERE im_admin_lists.height >= ${literal(level)} AND ${built}
          ) GROUP BY list, parent`,
    ),
    // The lists that are too short to be counted.
    sql`DELETE FROM im_admin_lists WHERE ${built} AND total = 0`,
  ];
}

function buildTotals(sizes: Sizes, list: ListDefinition): Sql {
  const owner = ownerOf(list);
  return sql`
    INSERT INTO im_admin_lists (name, owner, total)
      SELECT ${literal(list.name)}, ${owner}, count(*) FROM ${listedTable(list)} INDEXED BY ${name(orderIndex(list))}
        ${list.owner === undefined ? sql`` : sql`GROUP BY ${owner} `}HAVING count(*) > ${literal(uncountedOf(sizes, list))}
      ON CONFLICT (name, owner) DO UPDATE SET total = excluded.total`;
}

/** Steps from the start of one leaf to that of the next. */
function buildLeaves(leaf: number, list: ListDefinition): Sql {
  const key = keyOf(list);
  return sql`
    INSERT INTO im_admin_list_nodes (list, level, start, total)
      WITH RECURSIVE leaves (list, list_owner, list_total, position, start) AS (
        SELECT id, owner, total, 0, '' FROM im_admin_lists WHERE name = ${literal(list.name)} AND height > 0
        UNION ALL
        SELECT list, list_owner, list_total, position + ${literal(leaf)}, (
          SELECT ${key} FROM ${listedTable(list)} INDEXED BY ${name(orderIndex(list))}
            WHERE ${all([isOwnedBy(list, sql`list_owner`), sql`${key} >= leaves.start`])}
            ORDER BY ${key} LIMIT 1 OFFSET ${literal(leaf)})
        FROM leaves WHERE position + ${literal(leaf)} < list_total
      ) SELECT list, 1, start, min(${literal(leaf)}, list_total - position) FROM leaves`;
}

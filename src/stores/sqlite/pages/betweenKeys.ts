/** Finds a late page of the join requests that a manager has received, without reading the rows before it. */
import { isOwnedBy, keyOf } from "../schema/keys.js";
import { rowsInOrder } from "../schema/listed.js";
import { literal, raw, type Sql, sql } from "../sql.js";
import type { Selected } from "./receivedRequests.js";
import type { Selection } from "./selections.js";

/** The highest level of nodes that narrows the bounds of a page. SQLite 3.54 refuses a statement with one more. */
const highest = 2;

/**
 * Sorts the rows between two keys that have the page between them. The starts of nodes are such keys:
 * see {@link narrow}. The last nodes that start before `low` are counted row by row, so its rank is exact. A key that
 * is `nearer` to the page probably has no more rows before it than the page skips. If it has, `low` is taken.
 */
export function betweenKeys({ list, managed, total }: Selected): Selection {
  const key = keyOf(list, "own");
  const isManaged = isOwnedBy(list, sql`managed.owner`, "own");
  const widest = sql`
    ${boundsOf(highest + 1)} (low, high, passed) AS MATERIALIZED (VALUES ('', x'', 0))`;
  const narrowed = Array.from({ length: highest }, (_, index) => narrow(highest - index));
  return {
    looksAt: "lists",
    total,
    definitions: [
      managed,
      sql`
        target (skip, size) AS MATERIALIZED (
          SELECT skip, size FROM request
        )`,
      widest,
      ...narrowed.flat(),
      sql`
        ranked (key, rank) AS MATERIALIZED (
          SELECT key, least + (
              SELECT coalesce(sum((
                  SELECT count(*) FROM ${rowsInOrder(list, "own")} WHERE ${isManaged}
                    AND ${key} >= ${startOfNode(1, sql`chosen.key`)} AND ${key} < chosen.key)), 0)
                FROM managed)
            FROM (
              SELECT low AS key, passed AS least FROM ${boundsOf(1)}
              UNION ALL
              SELECT max(key), max(least) FROM ${startsOf(1)} CROSS JOIN target
                WHERE (5 * most + 3 * least) / 8 <= skip
            ) chosen
        )`,
      sql`
        nearer (low, rank) AS MATERIALIZED (
          SELECT max(key), max(rank) FROM ranked CROSS JOIN target WHERE rank <= skip
        )`,
    ],
    page: sql`
      SELECT own.group_id, own.user_id, ${key} AS key
        FROM nearer CROSS JOIN ${boundsOf(1)} CROSS JOIN target CROSS JOIN managed
          CROSS JOIN ${rowsInOrder(list, "own")}
            ON ${isManaged} AND ${key} >= nearer.low AND ${key} < high
        ORDER BY key
        LIMIT (SELECT size FROM request) OFFSET (SELECT skip - rank FROM target CROSS JOIN nearer)`,
  };
}

/**
 * Narrows the bounds of a page with the nodes of a level. Before the start of a node are at most the nodes that start
 * earlier, and at least those of them that another one follows. So `low` is the last start with few enough rows before
 * it, and `high` the first one with enough. The next level looks only at nodes between them, and knows that `passed`
 * rows are before these. A list without nodes is a single node.
 */
function narrow(level: number): [starts: Sql, bounds: Sql] {
  const wider = boundsOf(level + 1);
  return [
    sql`
      ${startsOf(level)} (key, most, least) AS MATERIALIZED (
        SELECT start, passed + sum(total) OVER until - total, passed + sum(previous) OVER until
          FROM (
            SELECT passed, coalesce(start, '') AS start, coalesce(node.total, managed.total) AS total,
                lag(node.total, 1, 0) OVER (PARTITION BY managed.owner ORDER BY start) AS previous
              FROM ${wider} CROSS JOIN managed LEFT JOIN im_admin_list_nodes node
                ON node.list = managed.list AND node.level = ${literal(level)}
                  AND start >= ${startOfNode(level + 1, raw("low"))} AND start < high
          )
          WINDOW until AS (ORDER BY start ROWS UNBOUNDED PRECEDING)
      )`,
    sql`
      ${boundsOf(level)} (low, high, passed) AS MATERIALIZED (
        SELECT coalesce(max(key) FILTER (WHERE most <= skip), ''),
            coalesce(min(key) FILTER (WHERE least >= skip + size), x''),
            coalesce(max(least) FILTER (WHERE most <= skip), (SELECT passed FROM ${wider}))
          FROM ${startsOf(level)} CROSS JOIN target
      )`,
  ];
}

const startsOf = (level: number) => raw(`starts${level}`);
const boundsOf = (level: number) => raw(`bounds${level}`);

/** The start of the node of a managed list that has a key. */
function startOfNode(level: number, key: Sql): Sql {
  return sql`
    coalesce((SELECT max(start) FROM im_admin_list_nodes above
      WHERE above.list = managed.list AND above.level = ${literal(level)} AND above.start <= ${key}), '')`;
}

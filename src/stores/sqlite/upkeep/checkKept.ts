/** The checks of listed rows, totals and nodes. */
import { lists } from "../../lists/index.js";
import { isWaiting } from "../schema/changed.js";
import { isInList, isOwnedBy, keyOf, ownerOf } from "../schema/keys.js";
import { type Listed, listed, listedTable, rightRows, rowsInOrder } from "../schema/listed.js";
import { type Sizes, uncountedOf } from "../schema/sizes.js";
import { wrongWords } from "../settle/words.js";
import { all, join, literal, name, names, our, ourName, type Sql, sql } from "../sql.js";
import { type Check, compare } from "./comparison.js";

/** Rows as they should be, and rows as they are. */
interface RowPair {
  columns: readonly string[];
  right: Sql;
  kept: Sql;
  /** Names a row of `differing`. */
  named: Sql;
  /** Whether a row of `differing` waits to be settled. */
  isWaiting: Sql;
}

/** Selects the names of rows that should be there and are not, or the other way round. It reads both sides once. */
export function difference({ columns, right, kept, named, isWaiting }: RowPair): Sql {
  return sql`
    SELECT DISTINCT ${named} FROM (
      SELECT ${names(columns)} FROM (
        SELECT true AS is_right, * FROM (
          ${right}
        )
        UNION ALL
        SELECT false, * FROM (
          ${kept}
        )
      ) GROUP BY ${names(columns)} HAVING min(is_right) = max(is_right)
    ) differing WHERE NOT ${isWaiting}`;
}

export function keptChecks(sizes: Sizes): Check[] {
  return [...listed.map(checkRows), checkLists(sizes)];
}

/** Compares the listed rows with the records. */
function checkRows(own: Listed): Check {
  const { table, key, fields } = own;
  const kept = listedTable(own);
  const columns = [...key, ...fields];
  const wrong = difference({
    columns,
    right: rightRows(own, sql`${our(table)} source`),
    kept: sql`SELECT ${names(columns)} FROM ${kept}`,
    named: join(key.map(name), " || ' ' || "),
    isWaiting: isWaiting(table, sql`differing`),
  });
  return compare(`the rows of ${kept.text}`, [
    { problem: `${kept.text} has other rows than ${ourName(table)} gives it`, wrong },
  ]);
}

/** How many rows a list has from the start of a node to its stop. */
const rowsOfNode = sql`
  CASE list.name
    ${join(
      lists.map(
        (list) => sql`
          WHEN ${literal(list.name)} THEN (
            SELECT count(*) FROM ${rowsInOrder(list)}
              WHERE ${all([isOwnedBy(list, sql`list.owner`), sql`${keyOf(list)} >= +node.start`, sql`${keyOf(list)} < node.stop`])})`,
      ),
      "\n",
    )}
  END`;

/** The sum of the children of a node. There is none if the first of them starts elsewhere. */
const rowsOfChildren = sql`
  SELECT sum(total) FROM im_admin_list_nodes child
    WHERE child.list = node.list AND child.level = node.level - 1
      AND child.start >= node.start AND child.start < node.stop
    HAVING min(child.start) = node.start`;

/**
 * Checks totals and nodes. A tree may have any shape in which each node counts what is below it, so no other tree is
 * built to be compared. A list counts as a node above those of its highest level. A node stops where the next one of
 * its level starts, the last one at x'', since no text is greater than a blob.
 */
function checkLists(sizes: Sizes): Check {
  const listName = sql`list.name || ' ' || list.owner`;
  const nodeName = sql`' (level ' || node.level || ', from ' || quote(node.start) || ')'`;
  const long = lists.map(
    (list) => sql`
      SELECT ${literal(list.name)} || ' ' || owner FROM (
        SELECT ${ownerOf(list)} AS owner, count(*) AS total FROM ${rowsInOrder(list)} WHERE ${all(isInList(list))} GROUP BY 1
      ) WHERE total > ${literal(uncountedOf(sizes, list))} AND NOT EXISTS (
        SELECT 1 FROM im_admin_lists list WHERE list.name = ${literal(list.name)} AND list.owner = owner)`,
  );
  return compare("the totals and nodes of the lists", [
    { problem: "lists are long and have no total", wrong: join(long, "\nUNION ALL\n") },
    {
      problem: "lists and nodes do not count what is below them",
      wrong: sql`
        SELECT ${listName} || CASE WHEN node.level > list.height THEN '' ELSE ${nodeName} END FROM (
            SELECT *, lead(start, 1, x'') OVER (PARTITION BY list, level ORDER BY start) AS stop FROM (
              SELECT list, level, start, total FROM im_admin_list_nodes
              UNION ALL
              SELECT id, height + 1, '', total FROM im_admin_lists
            )
          ) node CROSS JOIN im_admin_lists list ON list.id = node.list
          WHERE node.total IS NOT (CASE node.level WHEN 1 THEN ${rowsOfNode} ELSE (${rowsOfChildren}) END)`,
    },
    {
      problem: "leaves have other words than their rows",
      wrong: sql`
        SELECT coalesce(${listName}, 'list ' || leaf.list) || ' (from ' || quote(leaf.start) || ')'
          FROM (${wrongWords}) leaf LEFT JOIN im_admin_lists list ON list.id = leaf.list`,
    },
    {
      problem: "nodes are on no level of a list",
      wrong: sql`
        SELECT coalesce(${listName}, 'list ' || node.list) || ${nodeName}
          FROM im_admin_list_nodes node LEFT JOIN im_admin_lists list ON list.id = node.list
          WHERE (node.level BETWEEN 1 AND list.height) IS NOT true`,
    },
    {
      problem: "lists have an impossible height",
      wrong: sql`
        SELECT ${listName} FROM im_admin_lists list
          WHERE typeof(height) <> 'integer'`,
    },
  ]);
}

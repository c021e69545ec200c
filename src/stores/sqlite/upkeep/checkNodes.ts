/** The checks of totals and nodes. */
import { lists } from "../../lists/index.js";
import type { ListDefinition } from "../../lists/list.js";
import { type Check, compare } from "../comparison.js";
import { isWaiting } from "../schema/changed.js";
import { isOwnedBy, keyOf, ownerOf } from "../schema/keys.js";
import { type Listed, listed, listedTable, orderIndex, rightRows } from "../schema/listed.js";
import { levels, type Sizes, uncountedOf } from "../schema/sizes.js";
import { all, join, literal, name, names, our, ourName, type Sql, sql } from "../sql.js";

const listName = sql`im_admin_lists.name || ' ' || im_admin_lists.owner`;
const nodeName = sql`
  coalesce((SELECT name || ' ' || owner FROM im_admin_lists WHERE id = node.list), 'list ' || node.list)
    || ', level ' || node.level || ', from ' || quote(node.start)`;

/**
 * The nodes with their ends: a node ends where the next one of its level starts. The last ends at x'', since no text is
 * greater than a blob.
 */
const nodes = sql`
  (SELECT list, level, start, total,
    lead(start, 1, x'') OVER (PARTITION BY list, level ORDER BY start) AS following FROM im_admin_list_nodes) node`;

export function nodeChecks(sizes: Sizes): Check[] {
  return [
    check(
      "lists have a name that im-admin does not know",
      sql`
      SELECT ${listName} FROM im_admin_lists WHERE name NOT IN (${join(lists.map((list) => literal(list.name)))})`,
    ),
    ...lists.flatMap((list) => listChecks(sizes, list)),
    check(
      "lists have an impossible height",
      sql`
      SELECT ${listName} FROM im_admin_lists WHERE height NOT BETWEEN 0 AND ${literal(levels.length)}`,
    ),
    check(
      "lists lack the first node of a level",
      sql`
      SELECT ${listName} || ', level ' || value FROM im_admin_lists CROSS JOIN json_each(${literal(JSON.stringify(levels))})
        WHERE value <= height AND NOT EXISTS (
          SELECT 1 FROM im_admin_list_nodes node WHERE node.list = im_admin_lists.id AND node.level = value AND node.start = '')`,
    ),
    check(
      "nodes are on no level of their list",
      sql`
      SELECT ${nodeName} FROM im_admin_list_nodes node
        WHERE level < 1 OR level > (SELECT height FROM im_admin_lists WHERE id = node.list)`,
    ),
    check(
      "nodes belong to no list",
      sql`
      SELECT ${nodeName} FROM im_admin_list_nodes node WHERE list NOT IN (SELECT id FROM im_admin_lists)`,
    ),
    check(
      "nodes count another number of entries than their children",
      sql`
      SELECT ${nodeName} FROM ${nodes} WHERE level > 1 AND total IS NOT (
        SELECT sum(total) FROM im_admin_list_nodes child
          WHERE child.list = node.list AND child.level = node.level - 1
            AND child.start >= node.start AND child.start < following)`,
    ),
    check(
      "nodes start where no child starts",
      sql`
      SELECT ${nodeName} FROM im_admin_list_nodes node WHERE level > 1 AND NOT EXISTS (
        SELECT 1 FROM im_admin_list_nodes child
          WHERE child.list = node.list AND child.level = node.level - 1 AND child.start = node.start)`,
    ),
    ...listed.map(rowsCheck),
  ];
}

/** One comparison as a check of its own, since the comparisons read different tables. */
function check(problem: string, wrong: Sql): Check {
  return compare("the totals and nodes of the lists", [{ problem, wrong }]);
}

function listChecks(sizes: Sizes, list: ListDefinition): Check[] {
  const rows = sql`${listedTable(list)} INDEXED BY ${name(orderIndex(list))}`;
  const isOwned = isOwnedBy(list, sql`im_admin_lists.owner`);
  const ofName = sql`im_admin_lists.name = ${literal(list.name)}`;
  return [
    check(
      `lists of ${list.name} have a wrong total`,
      sql`
      SELECT ${listName} FROM im_admin_lists WHERE ${ofName} AND total <> (SELECT count(*) FROM ${rows} WHERE ${isOwned})`,
    ),
    check(
      `leaves of ${list.name} count another number of entries than they have`,
      sql`
      SELECT ${nodeName} FROM im_admin_lists CROSS JOIN ${nodes} ON node.list = im_admin_lists.id AND node.level = 1
        WHERE ${ofName} AND node.total <> (
          SELECT count(*) FROM ${rows}
            WHERE ${all([isOwned, sql`${keyOf(list)} >= +node.start`, sql`${keyOf(list)} < node.following`])})`,
    ),
    check(
      `lists of ${list.name} are long and have no total`,
      sql`
      SELECT ${literal(list.name)} || ' ' || owner FROM (
        SELECT ${ownerOf(list)} AS owner, count(*) AS total FROM ${rows} GROUP BY 1
      ) WHERE total > ${literal(uncountedOf(sizes, list))} AND NOT EXISTS (
        SELECT 1 FROM im_admin_lists WHERE ${ofName} AND im_admin_lists.owner = owner)`,
    ),
  ];
}

/** Checks that the listed rows agree with the records, except for keys that wait to be settled. */
function rowsCheck(own: Listed): Check {
  const { table, key, fields } = own;
  const kept = sql`SELECT ${names([...key, ...fields])} FROM ${listedTable(own)}`;
  const right = rightRows(own, sql`${our(table)} source`);
  const named = join(key.map(name), " || ' ' || ");
  const listedName = listedTable(own).text;
  const isSettled = sql`NOT ${isWaiting(table, sql`differing`)}`;
  return compare(`the rows of ${listedName}`, [
    {
      problem: `${listedName} lacks rows that ${ourName(table)} gives it`,
      wrong: sql`SELECT ${named} FROM (${right} EXCEPT ${kept}) differing WHERE ${isSettled}`,
    },
    {
      problem: `${listedName} has rows that ${ourName(table)} does not give it`,
      wrong: sql`SELECT ${named} FROM (${kept} EXCEPT ${right}) differing WHERE ${isSettled}`,
    },
  ]);
}

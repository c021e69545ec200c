/** The ways to read a counted list: all of it, or ranges of its keys. Any page costs about as much as the first one. */
import { recordKeys } from "../../../records.js";
import type { ListDefinition } from "../../lists/list.js";
import { isOwnedBy, keyOf, partOfOwner, rangeOf } from "../schema/keys.js";
import { rowsInOrder } from "../schema/listed.js";
import { all, literal, name, names, type Sql, sql } from "../sql.js";

/**
 * A selection of rows, as parts of a statement. They use `request`, the row of what a call asks for.
 */
export interface Selection {
  /** The common table expressions of the other parts. */
  definitions: readonly Sql[];
  /** The number of selected rows, as an expression. */
  total: Sql;
  /** What it looks at: some rows around the page, all rows of the list, or such rows of each list that it merges. */
  looksAt: "page" | "list" | "lists";
  /** The rows of the page: the columns that {@link rowColumns} names, and their `key`. */
  page: Sql;
}

/** The owner of the requested list, over the row of the request. */
function askedOwner({ dividedBy }: ListDefinition): Sql {
  const owner = sql`request.owner`;
  return dividedBy === undefined ? owner : sql`(${partOfOwner(owner, sql`request.part`)})`;
}

/** The rows of the owner's list. */
export function ownedRows(list: ListDefinition, alias?: string): Sql {
  return sql`
    ${rowsInOrder(list, alias)}
      WHERE ${isOwnedBy(list, sql`(SELECT ${askedOwner(list)} FROM request)`, alias)}`;
}

/** The columns that look up the record of a listed row. */
export function rowColumns({ table }: Pick<ListDefinition, "table">): readonly string[] {
  return recordKeys[table];
}

/** Rows with their keys. */
export function rowsWithKey(list: ListDefinition): Sql {
  return sql`
    SELECT ${names(rowColumns(list))}, ${keyOf(list)} AS key
      FROM ${ownedRows(list)}`;
}

/** The number of rows of a list. */
function totalOf(list: ListDefinition): Sql {
  return sql`
    coalesce(
      (SELECT total FROM list),
      (SELECT count(*) FROM ${ownedRows(list)})
    )`;
}

/** The row of `im_admin_lists`, if the list is counted. */
export function listDefinition(list: ListDefinition): Sql {
  return sql`
    list AS MATERIALIZED (
      SELECT im_admin_lists.id, im_admin_lists.total, im_admin_lists.height FROM request
        CROSS JOIN im_admin_lists ON im_admin_lists.name = ${literal(list.name)} AND im_admin_lists.owner = ${askedOwner(list)}
    )`;
}

/** Selects all rows of a list. */
export function wholeList(list: ListDefinition): Selection {
  return {
    looksAt: "page",
    definitions: [listDefinition(list), seek(sql`request.skip`), leaf],
    total: totalOf(list),
    page: sql`
      ${rowsWithKey(list)}
          AND ${keyOf(list)} >= (SELECT start FROM leaf)
        ORDER BY ${keyOf(list)}
        LIMIT (SELECT size FROM request) OFFSET coalesce((SELECT skip FROM leaf), 0)`,
  };
}

/**
 * Goes down from the whole list to a leaf, and skips whole nodes on each level. It returns the leaf, and the number of
 * rows to skip in it. Past the end of a list with nodes it returns no leaf. A list without nodes is a single leaf. The
 * first row needs no nodes.
 */
function seek(skip: Sql): Sql {
  return sql`
    seek (list, level, start, skip) AS (
      SELECT list.id, coalesce(list.height * (${skip} > 0), 0), '', ${skip} FROM request LEFT JOIN list
      UNION ALL
      SELECT seek.list, seek.level - (seek.skip < node.total),
        CASE WHEN seek.skip < node.total THEN seek.start ELSE (
          SELECT start FROM im_admin_list_nodes following
            WHERE following.list = seek.list AND following.level = seek.level AND following.start > seek.start
            ORDER BY start LIMIT 1) END,
        CASE WHEN seek.skip < node.total THEN seek.skip ELSE seek.skip - node.total END
      FROM seek CROSS JOIN im_admin_list_nodes node
        ON node.list = seek.list AND node.level = seek.level AND node.start = seek.start
      WHERE seek.level > 0
    )`;
}

const leaf = sql`
  leaf AS MATERIALIZED (SELECT start, skip FROM seek WHERE +level = 0 AND skip IS NOT NULL)`;

/** Selects the rows of a list in the requested ranges of its keys. */
export function keyRanges(list: ListDefinition): Selection {
  const key = keyOf(list);
  const counted = countRanges(
    list,
    sql`SELECT ${askedOwner(list)} AS owner, list.id, list.height FROM request LEFT JOIN list`,
  );
  return {
    ...counted,
    looksAt: "page",
    definitions: [listDefinition(list), ...counted.definitions, seek(skipToRange), leaf],
    page: sql`
      ${rowsWithKey(list)}
          AND ${key} >= (
            SELECT ${key} FROM ${ownedRows(list)}
                AND ${key} >= (SELECT start FROM leaf)
              ORDER BY ${key}
              LIMIT 1 OFFSET coalesce((SELECT skip FROM leaf), 0))
          AND ${key} < (SELECT max(value ->> 1) FROM json_each((SELECT ranges FROM request)))
          AND ${isInRequestedRange(list, key)}
        ORDER BY ${key}
        LIMIT (SELECT size FROM request)`,
  };
}

/** The page starts in a range. Skip the rows before the range, and then the remaining rows within it. */
const skipToRange = sql`
  (SELECT rank + left FROM (
    SELECT rank, total, (SELECT skip FROM request) - sum(total) OVER (ORDER BY rank) + total AS left
      FROM ranges WHERE total > 0
  ) WHERE left >= 0 AND left < total)`;

/** The condition that a key is in one of the requested ranges. All keys of a range begin alike. */
function isInRequestedRange(list: ListDefinition, key: Sql): Sql {
  return sql`substr(${key}, 1, ${literal(rangeOf(list, 0)[0].length)}) IN (
    SELECT value ->> 0 FROM json_each((SELECT ranges FROM request)))`;
}

/** The condition that a key is in a requested range. If `request.ranges` is NULL, every key is. */
export function isWanted(list: ListDefinition, key: Sql): Sql {
  return sql`
    ${key} >= coalesce((SELECT min(value ->> 0) FROM json_each((SELECT ranges FROM request))), '')
      AND ${key} < coalesce((SELECT max(value ->> 1) FROM json_each((SELECT ranges FROM request))), x'')
      AND ((SELECT ranges FROM request) IS NULL OR ${isInRequestedRange(list, key)})`;
}

/**
 * For each range, the number of rows before it and in it, in all of some lists. To rank a bound, it goes down to the
 * bound's leaf. It adds up the nodes before the bound on each level, and then the rows before it in the leaf.
 *
 * @param lists a SELECT of the `owner`, `id` and `height` of each list
 */
export function countRanges(list: ListDefinition, lists: Sql): Pick<Selection, "definitions" | "total"> {
  const key = keyOf(list);
  const before = sql`
    SELECT max(start) FROM im_admin_list_nodes node
      WHERE node.list = descent.list AND node.level = descent.level - 1 AND node.start <= bound`;
  const definitions = [
    sql`
      descent (owner, list, range, bound, level, start, rank) AS (
        SELECT asked.owner, asked.id, range.key, bound.value, coalesce(height, 0) + 1, '', 0 FROM (${lists}) asked
          CROSS JOIN request CROSS JOIN json_each(request.ranges) range CROSS JOIN json_each(range.value) bound
        UNION ALL
        SELECT owner, list, range, bound, level - 1, (${before}),
          rank + (SELECT coalesce(sum(total), 0) FROM im_admin_list_nodes passed
            WHERE passed.list = descent.list AND passed.level = descent.level - 1
              AND passed.start >= descent.start AND passed.start < (${before}))
          FROM descent WHERE level > 1
      )`,
    sql`
      ranks (range, rank) AS MATERIALIZED (
        SELECT range, sum(rank + (
            SELECT count(*) FROM ${rowsInOrder(list)}
              WHERE ${all([isOwnedBy(list, sql`descent.owner`), sql`${key} >= descent.start AND ${key} < descent.bound`])}))
          FROM descent WHERE +level = 1 GROUP BY range, bound
      )`,
    sql`
      ranges AS MATERIALIZED (
        SELECT min(rank) AS rank, max(rank) - min(rank) AS total FROM ranks GROUP BY range
      )`,
  ];
  return { definitions, total: sql`(SELECT coalesce(sum(total), 0) FROM ranges)` };
}

/** The condition that a value is in an array of the request, if the request has the array. */
export function isIn(value: Sql, array: "filter" | "groupIDs"): Sql {
  const values = sql`(SELECT ${name(array)} FROM request)`;
  return sql`(${values} IS NULL OR ${value} IN (SELECT value FROM json_each(${values})))`;
}

/** Filters and sorts rows, so the cost grows with the number of rows. `rows` is a SELECT with a `key`. */
export function filteredRows(rows: Sql): Selection {
  return {
    looksAt: "list",
    definitions: [
      sql`
        hits AS MATERIALIZED (
          ${rows}
        )`,
    ],
    total: sql`(SELECT count(*) FROM hits)`,
    page: sql`
      SELECT * FROM hits ORDER BY key LIMIT (SELECT size FROM request) OFFSET (SELECT skip FROM request)`,
  };
}

/** The ways to read a counted list: all of it, or ranges of its keys. Any page costs about what the first one costs. */
import { recordKeys } from "../../../records.js";
import type { ListDefinition } from "../../lists/list.js";
import { literal, name, names, type Sql, sql } from "../sql.js";
import { isOwnedBy, keyOf, rangeOf } from "./keys.js";
import { listedTable, orderIndex, recordOf } from "./names.js";

/**
 * Which entries are listed, as parts of a statement with a `request`: its `owner`, how many entries to `skip` and the
 * `size` of the page, and what else they need.
 */
export interface Selection {
  /** The common table expressions of the other parts. */
  definitions: readonly Sql[];
  /** How many entries there are, as an expression. */
  total: Sql;
  /** The rows of the page: the columns that {@link rowColumns} names, and their `key`. */
  page: Sql;
}

/** The owner of the list that is asked for. */
const owner = sql`(SELECT owner FROM request)`;

/** The rows of the owner's list. */
export function ownedRows(list: ListDefinition): Sql {
  return sql`
    ${listedTable(list)} INDEXED BY ${name(orderIndex(list))}
      WHERE ${isOwnedBy(list, owner)}`;
}

/** The columns by which the record of a listed row is looked up. */
export function rowColumns({ table }: Pick<ListDefinition, "table">): readonly string[] {
  return recordKeys[recordOf({ table })];
}

/** Rows with their keys. */
export function rowsWithKey(list: ListDefinition): Sql {
  return sql`
    SELECT ${names(rowColumns(list))}, ${keyOf(list)} AS key
      FROM ${ownedRows(list)}`;
}

/** How many entries a list has. */
function totalOf(list: ListDefinition): Sql {
  return sql`
    coalesce(
      (SELECT total FROM list),
      (SELECT count(*) FROM ${ownedRows(list)})
    )`;
}

/** The row of `lists`, if the list is counted. */
function listDefinition(list: ListDefinition): Sql {
  return sql`
    list AS MATERIALIZED (
      SELECT im_admin_lists.id, im_admin_lists.total, im_admin_lists.height FROM request
        CROSS JOIN im_admin_lists ON im_admin_lists.name = ${literal(list.name)} AND im_admin_lists.owner = request.owner
    )`;
}

/** All entries of a list. */
export function wholeList(list: ListDefinition): Selection {
  return {
    definitions: [listDefinition(list), seek(sql`(SELECT skip FROM request)`), leaf],
    total: totalOf(list),
    page: sql`
      ${rowsWithKey(list)}
          AND ${keyOf(list)} >= (SELECT start FROM leaf)
        ORDER BY ${keyOf(list)}
        LIMIT (SELECT size FROM request) OFFSET coalesce((SELECT skip FROM leaf), 0)`,
  };
}

/**
 * Goes down from the whole list to a leaf, over the nodes that the skipped entries fill, and says how many entries are
 * left to skip there. A list with nodes has no leaf for what lies past its end; one without is a single leaf, and the
 * first entry is found without nodes.
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

/**
 * The entries of a list in some ranges of its keys: those of `request.ranges`, a JSON array of pairs of keys that are
 * in the order of the list and do not overlap.
 */
export function keyRanges(list: ListDefinition): Selection {
  const key = keyOf(list);
  return {
    ...countRanges(list),
    definitions: [
      ...countRanges(list).definitions,
      // The page starts in a range: as far into the list as that range, and as far into it as is left to skip.
      seek(sql`
        (SELECT rank + left FROM (
          SELECT rank, total, (SELECT skip FROM request) - sum(total) OVER (ORDER BY rank) + total AS left
            FROM ranges WHERE total > 0
        ) WHERE left >= 0 AND left < total)`),
      leaf,
    ],
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

/** The condition that a key is in one of the requested ranges, each of which has the keys that begin alike. */
function isInRequestedRange(list: ListDefinition, key: Sql): Sql {
  return sql`substr(${key}, 1, ${literal(rangeOf(list, 0)[0].length)}) IN (
    SELECT value ->> 0 FROM json_each((SELECT ranges FROM request)))`;
}

/** The condition that a key is wanted: where `request.ranges` is NULL, any is. */
export function isWanted(list: ListDefinition, key: Sql): Sql {
  return sql`
    ${key} >= coalesce((SELECT min(value ->> 0) FROM json_each((SELECT ranges FROM request))), '')
      AND ${key} < coalesce((SELECT max(value ->> 1) FROM json_each((SELECT ranges FROM request))), x'')
      AND ((SELECT ranges FROM request) IS NULL OR ${isInRequestedRange(list, key)})`;
}

/**
 * For each range, how many entries come before it and how many are in it. The rank of a bound is found on the way down
 * to its leaf: on each level, the nodes before it are added up, and at last the entries before it in the leaf.
 */
export function countRanges(list: ListDefinition): Pick<Selection, "definitions" | "total"> {
  const before = sql`
    SELECT max(start) FROM im_admin_list_nodes node
      WHERE node.list = descent.list AND node.level = descent.level - 1 AND node.start <= bound`;
  const definitions = [
    listDefinition(list),
    sql`
      descent (list, range, bound, level, start, rank) AS (
        SELECT list.id, range.key, bound.value, coalesce(list.height, 0) + 1, '', 0 FROM request
          CROSS JOIN json_each(request.ranges) range CROSS JOIN json_each(range.value) bound LEFT JOIN list
        UNION ALL
        SELECT list, range, bound, level - 1, (${before}),
          rank + (SELECT coalesce(sum(total), 0) FROM im_admin_list_nodes passed
            WHERE passed.list = descent.list AND passed.level = descent.level - 1
              AND passed.start >= descent.start AND passed.start < (${before}))
          FROM descent WHERE level > 1
      )`,
    sql`
      ranks (range, rank) AS MATERIALIZED (
        SELECT range, rank + (
          SELECT count(*) FROM ${ownedRows(list)}
            AND ${keyOf(list)} >= descent.start
            AND ${keyOf(list)} < descent.bound)
        FROM descent WHERE +level = 1
      )`,
    sql`
      ranges AS MATERIALIZED (
        SELECT min(rank) AS rank, max(rank) - min(rank) AS total FROM ranks GROUP BY range
      )`,
  ];
  return { definitions, total: sql`(SELECT coalesce(sum(total), 0) FROM ranges)` };
}

/** Filters and sorts row by row: it costs as much as there are rows. `rows` is a SELECT with a `key`. */
export function filteredRows(rows: Sql): Selection {
  return {
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

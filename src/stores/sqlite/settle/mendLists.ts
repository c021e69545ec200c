/**
 * Mends lists and nodes that are unfit, so that reads stay fast. The same statements build a list: a list without nodes
 * has the wrong height, gets one node on each level, and these are divided.
 */
import { lists } from "../../lists/index.js";
import type { ListDefinition } from "../../lists/list.js";
import { isOwnedBy, keyOf } from "../schema/keys.js";
import { rowsInOrder } from "../schema/listed.js";
import { following } from "../schema/nodeTables.js";
import { capacity, levels, type Sizes } from "../schema/sizes.js";
import { all, literal, type Sql, sql } from "../sql.js";
import { allLevels, fewestRows, hasWrongHeight, isTooShort, rightHeight } from "./fitness.js";
import { hasWords, makeWords } from "./words.js";

export function mendLists(sizes: Sizes): Sql[] {
  const [leaves, ...upper] = levels;
  return [
    ...changeHeights(sizes),
    // From the top down, so that the nodes of an empty part of a list come under one parent, which then has rows.
    ...levels.toReversed().flatMap((level) => collapse(sizes, level)),
    // From the leaves up: a node is divided where a node of the level below starts.
    ...lists.map((list) => divideLeaves(sizes, list)),
    ...upper.map((level) => divideNodes(sizes, level)),
    makeWords,
    sql`UPDATE im_admin_list_nodes SET is_unfit = 0, is_collapsed = 0 WHERE is_unfit AND level >= ${literal(leaves)}`,
  ];
}

/** Gives each list the height for its length, and forgets lists that are too short for a total. */
function changeHeights(sizes: Sizes): Sql[] {
  const isWrong = hasWrongHeight(sizes);
  const right = rightHeight(sizes);
  const unfit = sql`im_admin_lists INDEXED BY im_admin_lists_unfit`;
  const hadWords = hasWords(sql`name`, sql`height`);
  const getsWords = hasWords(sql`name`, right);
  return [
    sql`
      DELETE FROM im_admin_list_words WHERE list IN (
        SELECT id FROM ${unfit} WHERE is_unfit AND ${isWrong} AND ${hadWords} AND NOT ${getsWords})`,
    // Unfit leaves get words.
    sql`
      UPDATE im_admin_list_nodes SET is_unfit = 1 WHERE level = 1 AND list IN (
        SELECT id FROM ${unfit} WHERE is_unfit AND ${isWrong} AND ${getsWords} AND NOT ${hadWords})`,
    sql`
      DELETE FROM im_admin_list_nodes WHERE (list, level) IN (
        SELECT id, level FROM ${unfit} CROSS JOIN ${allLevels} levels
          WHERE is_unfit AND ${isWrong} AND level > ${right} AND level <= height)`,
    sql`
      INSERT INTO im_admin_list_nodes (list, level, start, total, is_unfit, is_collapsed)
        SELECT id, level, '', total, 1, 1 FROM ${unfit} CROSS JOIN ${allLevels} levels
          WHERE is_unfit AND ${isWrong} AND level > height AND level <= ${right}`,
    sql`UPDATE im_admin_lists INDEXED BY im_admin_lists_unfit SET height = ${right} WHERE is_unfit AND ${isWrong}`,
    sql`DELETE FROM im_admin_lists INDEXED BY im_admin_lists_unfit
      WHERE is_unfit AND height = 0 AND ${isTooShort(sizes)}`,
    sql`UPDATE im_admin_lists INDEXED BY im_admin_lists_unfit SET is_unfit = 0 WHERE is_unfit`,
  ];
}

/**
 * Puts all nodes with the same parent together if one of them is sparse. The nodes of a list's highest level have the
 * list as their parent.
 */
function collapse(sizes: Sizes, level: number): Sql[] {
  const isSparse = sql`is_unfit AND NOT is_collapsed AND level = ${literal(level)} AND total < ${literal(fewestRows(sizes, level))}`;
  /** The first node of each such parent, and where the parent ends. */
  const parents = sql`
    SELECT DISTINCT list, first, coalesce((
        SELECT min(start) FROM im_admin_list_nodes later
          WHERE later.list = sparse.list AND later.level = ${literal(level + 1)} AND later.start > first
      ), x'') AS stop
      FROM (
        SELECT list, coalesce((
            SELECT max(start) FROM im_admin_list_nodes parent
              WHERE parent.list = node.list AND parent.level = ${literal(level + 1)} AND parent.start <= node.start
          ), '') AS first
          FROM im_admin_list_nodes node INDEXED BY im_admin_list_nodes_unfit WHERE ${isSparse}
      ) sparse`;
  const others = sql`
    SELECT child.list, child.level, child.start
      FROM im_admin_list_nodes node INDEXED BY im_admin_list_nodes_unfit
        CROSS JOIN im_admin_list_nodes child ON child.list = node.list AND child.level = node.level
          AND child.start > node.start AND child.start < coalesce((
            SELECT min(start) FROM im_admin_list_nodes parent
              WHERE parent.list = node.list AND parent.level = ${literal(level + 1)} AND parent.start > node.start
          ), x'')
      WHERE node.is_unfit AND node.is_collapsed AND node.level = ${literal(level)}`;
  const words = sql`
    DELETE FROM im_admin_list_words WHERE (list, ${literal(level)}, start) IN (
      ${others})`;
  return [
    sql`
      INSERT INTO im_admin_list_nodes (list, level, start, total, is_unfit, is_collapsed)
        SELECT list, ${literal(level)}, first, (
            SELECT sum(total) FROM im_admin_list_nodes child
              WHERE child.list = parents.list AND child.level = ${literal(level)} AND child.start >= first AND child.start < stop
          ), 1, 1 FROM (
            ${parents}
          ) parents WHERE true
        ON CONFLICT (list, level, start) DO UPDATE SET total = excluded.total, is_unfit = 1, is_collapsed = 1`,
    ...(level === 1 ? [words] : []),
    sql`
      DELETE FROM im_admin_list_nodes WHERE (list, level, start) IN (
        ${others})`,
  ];
}

/**
 * The nodes of a level that are divided, and into how many parts, each nine tenths full. A collapsed node is divided
 * unless it is at most nine tenths full.
 */
function divided(sizes: Sizes, level: number): Sql {
  const full = capacity(sizes, level);
  const most = Math.floor((full * 9) / 10);
  return sql`
    SELECT node.list, node.start, node.total, (node.total + ${literal(most - 1)}) / ${literal(most)} AS parts, ${following(sql`node`)} AS stop
      FROM im_admin_list_nodes node INDEXED BY im_admin_list_nodes_unfit
      WHERE node.is_unfit AND node.level = ${literal(level)}
        AND node.total > CASE WHEN node.is_collapsed THEN ${literal(most)} ELSE ${literal(full)} END`;
}

/**
 * Steps from the start of one leaf to that of the next: by nine tenths of a leaf, and by half a leaf where the last
 * one would get too few rows otherwise. SQLite takes only constants for an OFFSET.
 */
function divideLeaves(sizes: Sizes, list: ListDefinition): Sql {
  const key = keyOf(list);
  const half = Math.floor(sizes.leaf / 2);
  const most = Math.floor((sizes.leaf * 9) / 10);
  const next = (rows: number) => sql`
    (SELECT ${key} FROM ${rowsInOrder(list)}
      WHERE ${all([isOwnedBy(list, sql`leaves.owner`), sql`${key} >= leaves.start`])}
      ORDER BY ${key} LIMIT 1 OFFSET ${literal(rows)})`;
  // Until they have got words.
  const isUnfit = literal(Number(list.isSearched ?? false));
  const isFar = sql`left > ${literal(most + half)}`;
  return sql`
    INSERT INTO im_admin_list_nodes (list, level, start, total, is_unfit)
      WITH RECURSIVE leaves (list, owner, start, left) AS (
        SELECT list, im_admin_lists.owner, start, divided.total FROM (
            ${divided(sizes, 1)}
          ) divided CROSS JOIN im_admin_lists ON im_admin_lists.id = divided.list
          WHERE im_admin_lists.name = ${literal(list.name)}
        UNION ALL
        SELECT list, owner,
            CASE WHEN ${isFar}
              THEN ${next(most)}
              ELSE ${next(half)} END,
            left - CASE WHEN ${isFar} THEN ${literal(most)} ELSE ${literal(half)} END
          FROM leaves WHERE left > ${literal(most)}
      )
      SELECT list, 1, start,
          CASE WHEN ${isFar} THEN ${literal(most)} WHEN left > ${literal(most)} THEN ${literal(half)} ELSE left END,
          ${isUnfit}
        FROM leaves WHERE true
      ON CONFLICT (list, level, start) DO UPDATE SET total = excluded.total, is_unfit = ${isUnfit}, is_collapsed = 0`;
}

/** Puts the nodes of the level below into parts of about the same number of rows. */
function divideNodes(sizes: Sizes, level: number): Sql {
  return sql`
    INSERT INTO im_admin_list_nodes (list, level, start, total, is_unfit)
      SELECT list, ${literal(level)}, min(start), sum(total), 0 FROM (
        SELECT child.list, child.start, child.total, divided.start AS whole, (
            sum(child.total) OVER (PARTITION BY child.list, divided.start ORDER BY child.start) - child.total
          ) * parts / divided.total AS part
          FROM (
            ${divided(sizes, level)}
          ) divided CROSS JOIN im_admin_list_nodes child
            ON child.list = divided.list AND child.level = ${literal(level - 1)}
              AND child.start >= divided.start AND child.start < divided.stop
      ) GROUP BY list, whole, part
      ON CONFLICT (list, level, start) DO UPDATE SET total = excluded.total, is_unfit = 0, is_collapsed = 0`;
}

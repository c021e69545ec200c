/**
 * The words of leaves, in which a search looks for a keyword before it reads rows. They are an array in JSON, of which
 * SQLite counts the elements with a keyword: null, and then a text for each row, in any order. If a row is too long, the
 * leaf has the words "", and a search reads its rows.
 */
import { lists } from "../../lists/index.js";
import type { ListDefinition } from "../../lists/list.js";
import { isWaiting } from "../schema/changed.js";
import { isInList, isOwnedBy, keyOf, ownerOf } from "../schema/keys.js";
import { answeredNickname, rowsInOrder } from "../schema/listed.js";
import { following } from "../schema/nodeTables.js";
import { all, join, literal, type Sql, sql } from "../sql.js";

const searched = lists.filter((list) => list.isSearched);

/** The least height of a list whose leaves have words. Of a shorter list, a search reads all rows. */
const leastHeight = 2;

/** Whether a list of a name and a height has words. */
export function hasWords(name: Sql, height: Sql): Sql {
  return sql`(${height} >= ${literal(leastHeight)} AND ${name} IN (${join(searched.map((list) => literal(list.name)))}))`;
}

/** The text of a row, with the comma before it. U+007F stands between the ID and the nickname. */
function entryOf(list: ListDefinition, row: Sql): Sql {
  return sql`',' || json_quote(lower(${row}.user_id) || char(127) || lower(${answeredNickname(list, row)}))`;
}

/** The rows of a leaf. With `+`, its start has no affinity, and SQLite finds the first row by the index. */
function rowsOf(list: ListDefinition, leaf: Sql): Sql {
  const key = keyOf(list, "row");
  const owner = sql`(SELECT owner FROM im_admin_lists WHERE id = ${leaf}.list)`;
  const isInLeaf = sql`${key} >= +${leaf}.start AND ${key} < ${following(leaf, literal(1))}`;
  return sql`${rowsInOrder(list, "row")} WHERE ${all([isOwnedBy(list, owner, "row"), isInLeaf])}`;
}

/** A query for the rows of a leaf, whichever list it is of. */
function ofLeaf(leaf: Sql, query: (list: ListDefinition) => Sql): Sql {
  const cases = searched.map((list) => sql`WHEN ${literal(list.name)} THEN (${query(list)})`);
  return sql`
    CASE (SELECT name FROM im_admin_lists WHERE id = ${leaf}.list)
      ${join(cases, "\n")}
    END`;
}

const begin = "[null";

/** The longest text of a row, in bytes: D1 has no texts of more than 2 MB, and a leaf may have more than a hundred rows. */
const longest = 10_000;

/** The words that a leaf should have: "" if the text of a row is too long. */
function rightWords(leaf: Sql): Sql {
  return ofLeaf(
    leaf,
    (list) => sql`
      SELECT CASE WHEN coalesce(max(octet_length(entry)), 0) > ${literal(longest)} THEN ''
          ELSE ${literal(begin)} || coalesce(group_concat(entry, '') FILTER (WHERE octet_length(entry) <= ${literal(longest)}), '') || ']' END
        FROM (SELECT ${entryOf(list, sql`row`)} AS entry FROM ${rowsOf(list, leaf)} LIMIT -1)`,
  );
}

/** Makes words for leaves that have been mended. */
export const makeWords = sql`
  INSERT INTO im_admin_list_words (list, start, words)
    SELECT node.list, node.start, ${rightWords(sql`node`)}
      FROM im_admin_list_nodes node INDEXED BY im_admin_list_nodes_unfit
        CROSS JOIN im_admin_lists list ON list.id = node.list
      WHERE node.is_unfit AND node.level = 1 AND ${hasWords(sql`list.name`, sql`list.height`)}
    ON CONFLICT (list, start) DO UPDATE SET words = excluded.words, is_stale = 0`;

/** Makes the words again that are stale. */
export const renewWords = sql`
  UPDATE im_admin_list_words AS leaf INDEXED BY im_admin_list_words_stale
    SET words = ${rightWords(sql`leaf`)}, is_stale = 0
    WHERE is_stale`;

/** The start of the leaf that has a key. */
export function startOfLeaf(list: Sql, key: Sql): Sql {
  return sql`(SELECT max(start) FROM im_admin_list_words leaf WHERE leaf.list = ${list} AND leaf.start <= ${key})`;
}

/** The most rows that come to a leaf, or go, and are edited in its words. With more, these are stale. */
const most = { come: 20, go: 1 };

/**
 * Edits the words of leaves where rows come or go. `differing` are these rows, in definitions that have them. A row that
 * goes is in the words with the nickname that the profile had when it was last settled.
 */
export function editWords(list: ListDefinition, definitions: Sql): Sql {
  const isKnown = list.table === "users" ? sql`true` : sql`(row.nickname <> '' OR NOT ${isWaiting("users", sql`row`)})`;
  const leaf = startOfLeaf(sql`list.id`, keyOf(list, "row"));
  return sql`
    INSERT INTO im_admin_list_words (list, start, words, is_stale)
      WITH ${definitions},
      moves AS (
        SELECT list.id AS list, ${leaf} AS start, change,
            CASE WHEN change > 0 OR ${isKnown} THEN ${entryOf(list, sql`row`)} END AS entry
          FROM differing row CROSS JOIN im_admin_lists list ON list.name = ${literal(list.name)} AND list.owner = ${ownerOf(list, "row")}
          WHERE ${all([hasWords(sql`list.name`, sql`list.height`), ...isInList(list, "row")])} LIMIT -1
      ),
      edits AS (
        SELECT list, start, coalesce(group_concat(entry, '') FILTER (WHERE change > 0 AND octet_length(entry) <= ${literal(longest)}), '') AS come,
            coalesce(max(entry) FILTER (WHERE change < 0), '') AS go,
            sum(change > 0) <= ${literal(most.come)} AND sum(change < 0) <= ${literal(most.go)}
              AND count(*) FILTER (WHERE octet_length(entry) <= ${literal(longest)}) = count(*) AS is_easy
          FROM moves GROUP BY list, start
      ),
      places AS (
        SELECT edits.*, leaf.words, leaf.is_stale, CASE WHEN leaf.words = '' THEN 0 WHEN go = '' THEN ${literal(begin.length + 1)}
            ELSE instr(leaf.words, go) END AS place
          FROM edits CROSS JOIN im_admin_list_words leaf ON leaf.list = edits.list AND leaf.start = edits.start
      )
      SELECT list, start, CASE WHEN is_easy AND place > 0
            THEN ${literal(begin)} || come || substr(words, ${literal(begin.length + 1)}, place - ${literal(begin.length + 1)})
              || substr(words, place + length(go))
            ELSE words END,
          is_stale OR NOT is_easy OR place = 0
        FROM places WHERE true
      ON CONFLICT (list, start) DO UPDATE SET words = excluded.words, is_stale = excluded.is_stale`;
}

/** A SELECT of the leaves whose words are not those of their rows. A nickname that waits to be settled may be another one. */
export const wrongWords: Sql = sql`
  SELECT node.list, node.start
    FROM im_admin_list_nodes node CROSS JOIN im_admin_lists list ON list.id = node.list
      LEFT JOIN im_admin_list_words leaf ON leaf.list = node.list AND leaf.start = node.start
    WHERE node.level = 1 AND ${hasWords(sql`list.name`, sql`list.height`)} AND leaf.is_stale IS NOT 1
      AND CASE WHEN leaf.words = '' THEN ${rightWords(sql`node`)} <> ''
        WHEN json_valid(leaf.words) THEN ${ofLeaf(sql`node`, differ)} ELSE true END
  UNION ALL
  SELECT list, start FROM im_admin_list_words leaf WHERE NOT EXISTS (
    SELECT 1 FROM im_admin_list_nodes node CROSS JOIN im_admin_lists list ON list.id = node.list
      WHERE node.list = leaf.list AND node.level = 1 AND node.start = leaf.start AND ${hasWords(sql`list.name`, sql`list.height`)})`;

/** Whether a row has not its text in the words, or the words have more or fewer texts than there are rows. */
function differ(list: ListDefinition): Sql {
  const isWaitingProfile =
    list.table === "users" ? sql`false` : sql`row.nickname = '' AND ${isWaiting("users", sql`row`)}`;
  return sql`
    SELECT coalesce(sum(surplus), 0) <> 0 OR coalesce(max(surplus < 0 AND NOT waits), false) FROM (
      SELECT sum(number) AS surplus, max(waits) AS waits FROM (
        SELECT value AS entry, 1 AS number, false AS waits FROM json_each(leaf.words) WHERE value IS NOT NULL
        UNION ALL
        SELECT substr(${entryOf(list, sql`row`)}, 2) ->> '$', -1, ${isWaitingProfile} FROM ${rowsOf(list, sql`node`)}
      ) GROUP BY entry
    )`;
}

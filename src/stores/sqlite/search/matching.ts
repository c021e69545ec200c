/**
 * The search for a keyword in a list. It looks into the words of all leaves, and counts the rows of those that have the
 * keyword. It reads rows only of leaves around the page, and where words do not tell: if they are stale or missing, if only a
 * part of a leaf is asked for, or if a keyword could reach from an ID into a nickname.
 */
import type { ListDefinition } from "../../lists/list.js";
import { listDefinition, ownedRows, rowColumns, type Selection } from "../pages/selections.js";
import { keyOf } from "../schema/keys.js";
import { answeredNickname } from "../schema/listed.js";
import { following } from "../schema/nodeTables.js";
import { columnsOf, literal, type Sql, sql } from "../sql.js";
import { haveKeyword } from "./keyword.js";

/** The keyword as it stands in JSON. */
const quoted = sql`(SELECT substr(json_quote(keyword), 2, length(json_quote(keyword)) - 2) FROM request)`;

/** The ranges of keys in which rows are wanted. */
const ranges = sql`json_each(coalesce((SELECT ranges FROM request), '[["", null]]'))`;

/** Selects the rows with the keyword in the requested ranges of keys. */
export function matching(list: ListDefinition): Selection {
  const key = keyOf(list, "own");
  const found = (start: Sql, stop: Sql) => sql`
    ${ownedRows(list, "own")}
      AND ${key} >= ${start} AND ${key} < ${stop}
      AND ${haveKeyword([sql`own.user_id`, answeredNickname(list, sql`own`)])}`;
  const [from, to] = [sql`(range.value ->> 0)`, sql`coalesce(range.value ->> 1, x'')`];
  const next = following(sql`leaf`, literal(1));
  const isTold = sql`(NOT leaf.is_stale AND leaf.words <> '' AND (SELECT instr(keyword, char(127)) = 0 FROM request))`;
  const isWhole = sql`(SELECT ranges IS NULL FROM request) OR leaf.start >= ${from} AND ${next} <= ${to}`;
  return {
    looksAt: "list",
    definitions: [
      listDefinition(list),
      sql`
        counted (list, start, range, total) AS MATERIALIZED (
          SELECT list.id, leaf.start, range.value, CASE
              WHEN ${isTold} AND (${isWhole})
                THEN (SELECT count(*) FROM json_each(leaf.words) WHERE instr(value, (SELECT keyword FROM request)) > 0)
              ELSE (SELECT count(*) FROM ${found(sql`max(+leaf.start, ${from})`, sql`min(${next}, ${to})`)}) END
            FROM list CROSS JOIN im_admin_list_words leaf ON leaf.list = list.id CROSS JOIN ${ranges} range
            WHERE (leaf.is_stale OR leaf.words = '' OR instr(leaf.words, ${quoted}) > 0)
              AND (range.value ->> 1 IS NULL OR leaf.start < ${to} AND ${next} > ${from})
          UNION ALL
          SELECT NULL, '', range.value, (SELECT count(*) FROM ${found(from, to)})
            FROM ${ranges} range
            WHERE NOT EXISTS (SELECT 1 FROM list CROSS JOIN im_admin_list_words leaf ON leaf.list = list.id)
        )`,
      sql`
        around AS MATERIALIZED (
          SELECT max(start, range ->> 0) AS start, min(coalesce(range ->> 1, x''), ${following(sql`counted`, literal(1))}) AS stop, rank
            FROM request
              CROSS JOIN (SELECT *, sum(total) OVER (ORDER BY start, range) - total AS rank FROM counted WHERE total > 0) counted
            WHERE rank < request.skip + request.size AND rank + total > request.skip
        )`,
    ],
    total: sql`(SELECT coalesce(sum(total), 0) FROM counted)`,
    page: sql`
      SELECT ${columnsOf("own", rowColumns(list))}, ${key} AS key
        FROM around CROSS JOIN ${found(sql`around.start`, sql`around.stop`)}
        ORDER BY key LIMIT (SELECT size FROM request)
        OFFSET coalesce((SELECT (SELECT skip FROM request) - min(rank) FROM around), 0)`,
  };
}

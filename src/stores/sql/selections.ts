/** The ways to select entries: a whole counted list, ranges of its keys, and what a look at the rows leaves. */
import type { ListName } from "./definitions.js";
import type { Selection } from "./list.js";
import { bind, bindAll, type Part, sql } from "./part.js";

/** A list by its name and owner, as rows of a common table expression `list`. */
export function listNamed(name: ListName, owner: string): Part {
  return sql`list AS MATERIALIZED (
    SELECT id, total, height, searched FROM lists WHERE name = '${name}' AND owner = ${bind(owner)}
  )`;
}

/** The length of a counted list, as an expression; `owner` is one too. */
export function total(name: ListName, owner: string): string {
  return `coalesce((SELECT total FROM lists WHERE name = '${name}' AND owner = ${owner}), 0)`;
}

/**
 * Goes down from the whole list to a leaf, over the nodes that the skipped entries fill: `leaf` is where it ends, and
 * how many entries are left to skip there. There is none where fewer entries are listed than are to be skipped.
 */
const seekLeaf = `seek (level, start, skip) AS (
    SELECT height, '', (SELECT skip FROM target) FROM list
    UNION ALL
    SELECT iif(seek.skip < node.total, seek.level - 1, seek.level),
      iif(seek.skip < node.total, seek.start, (SELECT start FROM listNodes next
        WHERE next.list = node.list AND next.level = node.level AND next.start > node.start ORDER BY start LIMIT 1)),
      iif(seek.skip < node.total, seek.skip, seek.skip - node.total)
    FROM seek CROSS JOIN listNodes node
      ON node.list = (SELECT id FROM list) AND node.level = seek.level AND node.start = seek.start
    WHERE seek.level > 0
  ),
  leaf AS MATERIALIZED (SELECT start, skip FROM seek WHERE level = 0)`;

const fromLeaf = `FROM listEntries WHERE list = (SELECT id FROM list) AND key >= (SELECT start FROM leaf)
    ORDER BY key LIMIT`;
const skipInLeaf = "OFFSET coalesce((SELECT skip FROM leaf), 0)";

/** All entries of a counted list; any page costs about what the first costs. */
export function wholeList(name: ListName, owner: string): Selection {
  return {
    total: sql`coalesce((SELECT total FROM lists WHERE name = '${name}' AND owner = ${bind(owner)}), 0)`,
    page: ({ offset, limit }) => sql`WITH RECURSIVE ${listNamed(name, owner)},
        target (skip) AS (VALUES (${bind(offset)})), ${seekLeaf}
      SELECT key, item ${fromLeaf} ${bind(limit)} ${skipInLeaf}`,
  };
}

/**
 * The rank of each bound: how many entries have a smaller key. It goes down to the leaf that the bound is in and counts
 * the nodes before it on each level, and at last the entries before it in the leaf.
 */
const ranks = `descent (bound, level, start, before) AS (
    SELECT bound, height + 1, '', 0 FROM bounds CROSS JOIN list
    UNION ALL
    SELECT bound, level - 1,
      (SELECT max(start) FROM listNodes node
        WHERE node.list = (SELECT id FROM list) AND node.level = descent.level - 1 AND node.start <= bound),
      before + (SELECT coalesce(sum(total), 0) FROM listNodes node
        WHERE node.list = (SELECT id FROM list) AND node.level = descent.level - 1 AND node.start >= descent.start
          AND node.start < (SELECT max(start) FROM listNodes own
            WHERE own.list = node.list AND own.level = node.level AND own.start <= bound))
    FROM descent WHERE level > 1
  ),
  ranks AS MATERIALIZED (
    SELECT bound, before + (SELECT count(*) FROM listEntries
      WHERE list = (SELECT id FROM list) AND key >= descent.start AND key < bound) AS rank
    FROM descent WHERE level = 1
  ),
  ranges AS MATERIALIZED (
    SELECT least, prefixes.bound, at.rank AS rank, beyond.rank - at.rank AS total
    FROM prefixes CROSS JOIN ranks at ON at.bound = prefixes.least
      CROSS JOIN ranks beyond ON beyond.bound = prefixes.bound
  )`;

/** The entries of a counted list whose keys begin with one of the prefixes; any page costs about the same. */
export function keyRanges(name: ListName, owner: string, prefixes: readonly string[]): Selection {
  const ranges = sql`${listNamed(name, owner)},
    prefixes (least, bound) AS (SELECT DISTINCT value ->> 0, value ->> 1 FROM json_each(${bounds(prefixes)})),
    bounds (bound) AS (SELECT least FROM prefixes UNION SELECT bound FROM prefixes), ${ranks}`;
  return {
    total: sql`(WITH RECURSIVE ${ranges} SELECT coalesce(sum(total), 0) FROM ranges)`,
    // Finds the range that the page starts in, then the key there.
    page: ({ offset, limit }) => sql`WITH RECURSIVE ${ranges},
        target (skip) AS MATERIALIZED (
          SELECT rank + skip FROM (
            SELECT rank, total, ${bind(offset)} - sum(total) OVER (ORDER BY least) + total AS skip FROM ranges
          ) WHERE skip >= 0 AND skip < total
        ), ${seekLeaf},
        start (key) AS MATERIALIZED (SELECT key ${fromLeaf} 1 ${skipInLeaf})
      SELECT key, item FROM listEntries entry
      WHERE list = (SELECT id FROM list) AND key >= (SELECT key FROM start)
        AND EXISTS (SELECT 1 FROM prefixes WHERE entry.key >= least AND entry.key < bound)
      ORDER BY key LIMIT ${bind(limit)}`,
  };
}

/** For each prefix, the least text that begins with it, and the least that is greater than all that do. */
function bounds(prefixes: readonly string[]): Part {
  const after = (prefix: string) => prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
  return bindAll(prefixes.map((prefix) => [prefix, after(prefix)]));
}

/** The condition that a key begins with one of the prefixes. */
export function beginsWith(key: string, prefixes: readonly string[]): Part {
  return sql`EXISTS (SELECT 1 FROM json_each(${bounds(prefixes)}) WHERE ${key} >= value ->> 0 AND ${key} < value ->> 1)`;
}

/** What a look at each row leaves; `rows` is a FROM clause with conditions. It costs as much as there are rows. */
export function filteredRows(key: string, item: string, rows: Part): Selection {
  return {
    total: sql`(SELECT count(*) FROM ${rows})`,
    page: ({ offset, limit }) =>
      sql`SELECT ${key} AS key, ${item} AS item FROM ${rows} ORDER BY 1 LIMIT ${bind(limit)} OFFSET ${bind(offset)}`,
  };
}

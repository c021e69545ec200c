/** The ways to select entries: a whole counted list, ranges of its keys, and what a look at the rows leaves. */
import type { ListName } from "./definitions.js";
import type { Selection } from "./list.js";
import { bind, bindAll, bindCount, type Part, sql } from "./part.js";

/** Whose list, as a condition on `lists`. */
export function isList(name: ListName, owner: string): Part {
  return sql`lists.name = '${name}' AND lists.owner = ${bind(owner)}`;
}

/** The length of a counted list; `owner` is an expression. */
export function total(name: ListName, owner: string | Part): Part {
  return sql`coalesce((SELECT total FROM lists WHERE name = '${name}' AND owner = ${owner}), 0)`;
}

/** All entries of a counted list; any page costs about what the first costs. */
export function wholeList(name: ListName, owner: string): Selection {
  return {
    total: total(name, bind(owner)),
    page: ({ offset, limit }) => sql`WITH RECURSIVE ${seekLeaf(isList(name, owner), bind(offset))}
      SELECT key, item FROM ${entriesFromLeaf} LIMIT ${bindCount(limit)} ${skipInLeaf}`,
  };
}

/**
 * Goes down from the whole list to a leaf, over the nodes that the skipped entries fill: `leaf` is where it ends, and
 * how many entries are left to skip there. There is none where no more entries are listed than are to be skipped.
 */
function seekLeaf(list: Part, skip: Part): Part {
  return sql`seek (list, level, start, skip) AS (
      SELECT id, height, '', ${skip} FROM lists WHERE ${list}
      UNION ALL
      SELECT seek.list, iif(seek.skip < node.total, seek.level - 1, seek.level),
        iif(seek.skip < node.total, seek.start, (SELECT start FROM listNodes next
          WHERE next.list = seek.list AND next.level = seek.level AND next.start > seek.start ORDER BY start LIMIT 1)),
        iif(seek.skip < node.total, seek.skip, seek.skip - node.total)
      FROM seek CROSS JOIN listNodes node
        ON node.list = seek.list AND node.level = seek.level AND node.start = seek.start
      WHERE seek.level > 0
    ),
    leaf AS MATERIALIZED (SELECT list, start, skip FROM seek WHERE +level = 0 AND skip IS NOT NULL)`;
}

const entriesFromLeaf = `listEntries
  WHERE list = (SELECT list FROM leaf) AND key >= (SELECT start FROM leaf) ORDER BY key`;
const skipInLeaf = "OFFSET coalesce((SELECT skip FROM leaf), 0)";

/** The entries of a counted list whose keys begin with one of the prefixes; any page costs about the same. */
export function keyRanges(name: ListName, owner: string, prefixes: readonly string[]): Selection {
  const list = isList(name, owner);
  const ranges = rangesOf(list, prefixes);
  const end = prefixes.map(after).sort().at(-1) ?? "";
  return {
    total: sql`(WITH RECURSIVE ${ranges} SELECT coalesce(sum(total), 0) FROM ranges)`,
    // Finds the range that the page starts in, then the key there.
    page: ({ offset, limit }) => {
      const skip = sql`(SELECT rank + skip FROM (
          SELECT rank, total, ${bind(offset)} - sum(total) OVER (ORDER BY rank) + total AS skip FROM ranges WHERE total > 0
        ) WHERE skip >= 0 AND skip < total)`;
      return sql`WITH RECURSIVE ${ranges}, ${seekLeaf(list, skip)}
        SELECT key, item FROM listEntries entry WHERE list = (SELECT list FROM leaf)
          AND key >= (SELECT key FROM ${entriesFromLeaf} LIMIT 1 ${skipInLeaf}) AND key < ${bind(end)}
          AND ${beginsWith("entry.key", prefixes)}
        ORDER BY key LIMIT ${bindCount(limit)}`;
    },
  };
}

/**
 * For each prefix, how many entries come before its range and how many are in it. The rank of a bound is found on the
 * way down to its leaf: on each level, the nodes before it are added up, and at last the entries before it in the leaf.
 */
function rangesOf(list: Part, prefixes: readonly string[]): Part {
  const before = `SELECT max(start) FROM listNodes node
          WHERE node.list = descent.list AND node.level = descent.level - 1 AND node.start <= bound`;
  return sql`descent (list, range, bound, level, start, rank) AS (
      SELECT lists.id, range.key, bound.value, height + 1, '', 0
        FROM json_each(${bounds(prefixes)}) range CROSS JOIN json_each(range.value) bound CROSS JOIN lists WHERE ${list}
      UNION ALL
      SELECT list, range, bound, level - 1, (${before}),
        rank + (SELECT coalesce(sum(total), 0) FROM listNodes passed
          WHERE passed.list = descent.list AND passed.level = descent.level - 1
            AND passed.start >= descent.start AND passed.start < (${before}))
        FROM descent WHERE level > 1
    ),
    ranks (range, rank) AS MATERIALIZED (
      SELECT range, rank + (SELECT count(*) FROM listEntries entry
        WHERE entry.list = descent.list AND entry.key >= descent.start AND entry.key < descent.bound)
      FROM descent WHERE +level = 1
    ),
    ranges AS MATERIALIZED (SELECT min(rank) AS rank, max(rank) - min(rank) AS total FROM ranks GROUP BY range)`;
}

/** The least text that is greater than all that begin with a prefix, which is of ASCII characters. */
function after(prefix: string): string {
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}

/** For each prefix, the least text that begins with it, and the least after all that do. */
function bounds(prefixes: readonly string[]): Part {
  return bindAll([...new Set(prefixes)].map((prefix) => [prefix, after(prefix)]));
}

/** The condition that a key begins with one of the prefixes. */
export function beginsWith(key: string, prefixes: readonly string[]): Part {
  return sql`EXISTS (SELECT 1 FROM json_each(${bounds(prefixes)}) range
    WHERE ${key} >= range.value ->> 0 AND ${key} < range.value ->> 1)`;
}

/** What a look at each row leaves; `rows` is a FROM clause with conditions. It costs as much as there are rows. */
export function filteredRows(key: string, item: string, rows: Part): Selection {
  return {
    total: sql`(SELECT count(*) FROM ${rows})`,
    page: ({ offset, limit }) =>
      sql`SELECT ${key} AS key, ${item} AS item FROM ${rows} ORDER BY 1 LIMIT ${bindCount(limit)} OFFSET ${bindCount(offset)}`,
  };
}

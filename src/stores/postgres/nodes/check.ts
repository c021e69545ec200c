/** What is to be true of what is counted, as rows that must not be there. */
import { join, literal, name, raw, type Sql, sql } from "../sql.js";
import { type CountedList, everyCountedList } from "./counted.js";
import { endOfKeys } from "./keys.js";
import { pendingOf } from "./read.js";
import { entriesOf, keptTables, type Sizes } from "./tables.js";

/** Rows that must not be there. */
export interface Comparison {
  problem: string;
  /** A SELECT of one column, which names each of what is wrong. */
  wrong: Sql;
}

const changed = (id: number, more = raw("")) => sql`
  coalesce((SELECT sum(pending.change) FROM ${pendingOf(literal(id), raw("counted.owner"))}${more}), 0)`;

function ofList(list: CountedList): Comparison[] {
  const id = literal(list.id);
  const entries = entriesOf(list);
  return [
    {
      problem: `lists of ${list.name} have a wrong total`,
      wrong: sql`
        SELECT counted.owner FROM list_totals counted LEFT JOIN (
            SELECT owner, count(*) AS total FROM ${entries} GROUP BY owner
          ) entries ON entries.owner = counted.owner
          WHERE counted.list = ${id} AND counted.total + ${changed(list.id)} <> coalesce(entries.total, 0)`,
    },
    {
      problem: `nodes of ${list.name} count wrongly`,
      wrong: sql`
        SELECT counted.owner FROM list_totals counted
          JOIN list_nodes nodes ON nodes.list = counted.list AND nodes.owner = counted.owner AND nodes.level = 1
          CROSS JOIN LATERAL (
            SELECT total, nodes.bounds[child] AS start, nodes.bounds[child + 1] AS stop
              FROM unnest(nodes.totals) WITH ORDINALITY AS children (total, child)
          ) leaf
          WHERE counted.list = ${id} AND leaf.total <> (
              SELECT count(*) FROM ${entries} entry
                WHERE entry.owner = counted.owner AND entry.key >= leaf.start AND entry.key < leaf.stop)
            - ${changed(list.id, raw(" WHERE pending.key >= leaf.start AND pending.key < leaf.stop"))}`,
    },
  ];
}

export const nodeComparisons: readonly Comparison[] = [
  ...everyCountedList.flatMap(ofList),
  {
    problem: "lists are counted in part",
    wrong: sql`
      SELECT owner FROM (
          SELECT list, owner FROM lists WHERE is_counted
          UNION ALL SELECT list, owner FROM list_totals
          UNION ALL SELECT list, owner FROM list_nodes WHERE level = 1 AND start = ''
        ) parts GROUP BY list, owner HAVING count(*) <> 3`,
  },
  {
    problem: "levels of lists do not add up to the total",
    wrong: sql`
      SELECT counted.owner FROM list_totals counted CROSS JOIN LATERAL generate_series(1, counted.height) levels (level)
        CROSS JOIN LATERAL (
          SELECT sum(size) AS total FROM list_nodes nodes CROSS JOIN LATERAL unnest(nodes.totals) AS size
            WHERE nodes.list = counted.list AND nodes.owner = counted.owner AND nodes.level = levels.level
        ) nodes
        WHERE nodes.total IS DISTINCT FROM counted.total`,
  },
  {
    problem: "nodes do not follow one another",
    wrong: sql`
      SELECT owner FROM (
          SELECT *, row_number() OVER neighbours AS number,
              coalesce(lead(start) OVER neighbours, ${literal(endOfKeys)}) AS stop
            FROM list_nodes WINDOW neighbours AS (PARTITION BY list, owner, level ORDER BY start)
        ) nodes
        WHERE (number = 1) <> (start = '') OR bounds[1] IS DISTINCT FROM start
          OR cardinality(bounds) <> cardinality(totals) + 1 OR bounds[cardinality(bounds)] IS DISTINCT FROM stop
          OR EXISTS (
            SELECT FROM generate_subscripts(totals, 1) child WHERE (bounds[child] < bounds[child + 1]) IS NOT TRUE)`,
  },
  {
    problem: "nodes do not count what those below them count",
    wrong: sql`
      SELECT parent.owner FROM list_nodes parent
        CROSS JOIN LATERAL unnest(parent.totals) WITH ORDINALITY AS children (total, child)
        LEFT JOIN list_nodes node ON node.list = parent.list AND node.owner = parent.owner
          AND node.level = parent.level - 1 AND node.start = parent.bounds[child]
        WHERE parent.level > 1 AND (SELECT sum(size) FROM unnest(node.totals) AS size) IS DISTINCT FROM total`,
  },
  {
    problem: "nodes belong to no list",
    wrong: sql`
      SELECT nodes.owner FROM list_nodes nodes WHERE NOT EXISTS (
        SELECT FROM list_totals counted
          WHERE counted.list = nodes.list AND counted.owner = nodes.owner AND counted.height >= nodes.level)`,
  },
];

/** Counts all long lists of some definitions anew from their rows; nobody else may write them meanwhile. */
export function rebuild(lists: readonly CountedList[], { leaf }: Sizes): Sql[] {
  const isOne = sql`list IN (${join(lists.map(({ id }) => literal(id)))})`;
  return [
    ...keptTables.map((kept) => sql`DELETE FROM ${name(kept)} WHERE ${isOne}`),
    ...lists.map(
      (list) => sql`
        INSERT INTO list_totals (list, owner, version, total, height, folded_before)
          SELECT ${literal(list.id)}, owner, pg_current_xact_id(), count(*), 1, '0' FROM ${entriesOf(list)}
            GROUP BY owner HAVING count(*) > ${literal(leaf)}`,
    ),
    sql`
      INSERT INTO list_nodes (list, owner, level, start, version, bounds, totals)
        SELECT list, owner, 1, '', version, ARRAY['', ${literal(endOfKeys)}], ARRAY[total] FROM list_totals WHERE ${isOne}`,
    sql`INSERT INTO lists (list, owner, is_counted) SELECT list, owner, true FROM list_totals WHERE ${isOne}`,
    sql`SELECT list_fold(list, owner, 0, 0) FROM list_totals WHERE ${isOne}`,
  ];
}

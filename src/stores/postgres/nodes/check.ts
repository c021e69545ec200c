/** What is to be true of what is counted, as rows that must not be there. */
import { join, literal, name, raw, type Sql, sql } from "../sql.js";
import { type CountedList, everyCountedList } from "./counted.js";
import { isPending } from "./read.js";
import { entriesOf } from "./tables.js";

/** Rows that must not be there. */
export interface Comparison {
  problem: string;
  /** A SELECT of one column, which names each of what is wrong. */
  wrong: Sql;
}

const pendingOf = (id: number, more: Sql) => sql`
  coalesce((
    SELECT sum(pending.change) FROM list_changes pending
      WHERE ${isPending(literal(id), raw("counted.owner"), raw("counted.folded_before"))}${more}), 0)`;

function ofList(list: CountedList): Comparison[] {
  const id = literal(list.id);
  const isCounted = sql`counted.list = ${id} AND counted.height >= 0`;
  const entries = entriesOf(list);
  return [
    {
      problem: `lists of ${list.name} have a wrong total`,
      wrong: sql`
        SELECT counted.owner FROM lists counted LEFT JOIN (
            SELECT owner, count(*) AS total FROM ${entries} GROUP BY owner
          ) entries ON entries.owner = counted.owner
          WHERE ${isCounted} AND counted.total + ${pendingOf(list.id, raw(""))} <> coalesce(entries.total, 0)`,
    },
    {
      problem: `nodes of ${list.name} count wrongly`,
      wrong: sql`
        SELECT counted.owner FROM lists counted
          JOIN LATERAL (
            SELECT nodes.start, nodes.total,
                coalesce(lead(nodes.start) OVER (ORDER BY nodes.start), ':') AS stop
              FROM list_nodes nodes
              WHERE nodes.list = counted.list AND nodes.owner = counted.owner AND nodes.level = 1
          ) leaf ON true
          WHERE ${isCounted} AND leaf.total <> (
              SELECT count(*) FROM ${entries} entry
                WHERE entry.owner = counted.owner AND entry.key >= leaf.start AND entry.key < leaf.stop)
            - ${pendingOf(list.id, raw(" AND pending.key >= leaf.start AND pending.key < leaf.stop"))}`,
    },
  ];
}

export const nodeComparisons: readonly Comparison[] = [
  ...everyCountedList.flatMap(ofList),
  {
    problem: "levels of lists do not add up to the total",
    wrong: sql`
      SELECT counted.owner FROM lists counted CROSS JOIN LATERAL generate_series(1, counted.height) levels (level)
        CROSS JOIN LATERAL (
          SELECT sum(nodes.total) AS total, min(nodes.start) AS start FROM list_nodes nodes
            WHERE nodes.list = counted.list AND nodes.owner = counted.owner AND nodes.level = levels.level
        ) nodes
        WHERE nodes.total IS DISTINCT FROM counted.total OR nodes.start IS DISTINCT FROM ''`,
  },
  {
    problem: "nodes do not count what those below them count",
    wrong: sql`
      SELECT parent.owner FROM (
          SELECT *, coalesce(lead(start) OVER (PARTITION BY list, owner, level ORDER BY start), ':') AS stop
            FROM list_nodes WHERE level > 1
        ) parent
        CROSS JOIN LATERAL (
          SELECT sum(child.total) AS total, min(child.start) AS start FROM list_nodes child
            WHERE child.list = parent.list AND child.owner = parent.owner AND child.level = parent.level - 1
              AND child.start >= parent.start AND child.start < parent.stop
        ) children
        WHERE children.total IS DISTINCT FROM parent.total OR children.start IS DISTINCT FROM parent.start`,
  },
  {
    problem: "nodes belong to no list",
    wrong: sql`
      SELECT nodes.owner FROM list_nodes nodes WHERE NOT EXISTS (
        SELECT FROM lists counted
          WHERE counted.list = nodes.list AND counted.owner = nodes.owner AND counted.height >= nodes.level)`,
  },
];

/** Counts all long lists of some definitions anew from their rows; nobody else may write them meanwhile. */
export function rebuildOf(lists: readonly CountedList[]): Sql[] {
  const isOne = sql`list IN (${join(lists.map(({ id }) => literal(id)))})`;
  return [
    ...["list_changes", "list_nodes", "lists"].map((kept) => sql`DELETE FROM ${name(kept)} WHERE ${isOne}`),
    ...lists.map(
      (list) => sql`
        INSERT INTO lists (list, owner, total, height, folded_before)
          SELECT ${literal(list.id)}, owner, count(*), 0, '0' FROM ${entriesOf(list)}
            GROUP BY owner HAVING count(*) > list_capacity(1)`,
    ),
    sql`SELECT list_fold(list, owner, 0) FROM lists WHERE ${isOne}`,
  ];
}

/** Counts all long lists anew. */
export const rebuild: readonly Sql[] = rebuildOf(everyCountedList);

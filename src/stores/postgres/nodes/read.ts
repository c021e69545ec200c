/** Finds the entry at a position of a list, and the position of a key, both from one snapshot. */

import { indexPlans, routine } from "../schema/routine.js";
import { literal, name, raw, type Sql, sql } from "../sql.js";
import { type CountedList, everyCountedList } from "./counted.js";

/** The changes of a list that are not counted yet, in a query of theirs or of several lists. */
export const isPending = (list: Sql, owner: Sql, foldedBefore: Sql) => sql`
  pending.list = ${list} AND pending.owner = ${owner} AND pending.transaction >= coalesce(${foldedBefore}, '0'::xid8)`;

/** How many entries a list has, as an expression. */
export function totalOf({ id }: CountedList, owner: Sql): Sql {
  return sql`
    coalesce((
      SELECT counted.total FROM lists counted WHERE counted.list = ${literal(id)} AND counted.owner = ${owner}), 0)
    + coalesce((
      SELECT sum(pending.change) FROM list_changes pending
        WHERE ${isPending(
          literal(id),
          owner,
          sql`(SELECT folded_before FROM lists counted WHERE counted.list = ${literal(id)} AND counted.owner = ${owner})`,
        )}), 0)`;
}

/**
 * The total, and where to begin to find the entry at a position: it is the one `rest` entries after the first whose key
 * is at least `start`. Where there is none, `start` is NULL.
 */
const seek = routine({
  name: "list_seek",
  parameters: raw(
    "asked_list integer, asked_owner text, place bigint, OUT total bigint, OUT start text, OUT rest bigint",
  ),
  kind: "STABLE",
  settings: indexPlans,
  body: sql`
    DECLARE
      counted lists;
      node record;
      changed bigint;
      added bigint;
      nearer bigint;
      size bigint;
    BEGIN
      SELECT * INTO counted FROM lists WHERE lists.list = asked_list AND lists.owner = asked_owner;
      SELECT coalesce(sum(change), 0), coalesce(sum(change) FILTER (WHERE change > 0), 0) INTO changed, added
        FROM list_changes pending
        WHERE ${isPending(raw("asked_list"), raw("asked_owner"), raw("counted.folded_before"))};
      total := coalesce(counted.total, 0) + changed;
      IF place >= total THEN RETURN; END IF;
      -- In the nodes alone, look for a position that is not too far, whatever the pending changes are.
      nearer := greatest(place - added, 0);
      start := '';
      rest := nearer;
      FOR asked_level IN REVERSE CASE WHEN place < added THEN 0 ELSE coalesce(counted.height, 0) END .. 1 LOOP
        size := 0;
        FOR node IN
          SELECT nodes.start, nodes.total FROM list_nodes nodes
            WHERE nodes.list = asked_list AND nodes.owner = asked_owner AND nodes.level = asked_level
              AND nodes.start >= list_seek.start
            ORDER BY nodes.start LIMIT 1000000
        LOOP
          EXIT WHEN rest < size;
          rest := rest - size;
          start := node.start;
          size := node.total;
        END LOOP;
      END LOOP;
      rest := rest + place - nearer;
      IF start <> '' AND (added > 0 OR changed <> 0) THEN
        rest := rest - coalesce((
          SELECT sum(change) FROM list_changes pending
            WHERE ${isPending(raw("asked_list"), raw("asked_owner"), raw("counted.folded_before"))}
              AND pending.key < list_seek.start), 0);
      END IF;
    END`,
});

/** A key near a bound, not after it, and how many entries come before that key. */
const before = routine({
  name: "list_before",
  parameters: raw("asked_list integer, asked_owner text, bound text, OUT start text, OUT rank bigint"),
  kind: "STABLE",
  settings: indexPlans,
  body: sql`
    DECLARE
      counted lists;
      nearest text;
    BEGIN
      SELECT * INTO counted FROM lists WHERE lists.list = asked_list AND lists.owner = asked_owner;
      start := '';
      rank := 0;
      FOR asked_level IN REVERSE coalesce(counted.height, 0) .. 1 LOOP
        SELECT nodes.start INTO nearest FROM list_nodes nodes
          WHERE nodes.list = asked_list AND nodes.owner = asked_owner AND nodes.level = asked_level
            AND nodes.start <= bound
          ORDER BY nodes.start DESC LIMIT 1;
        rank := rank + coalesce((
          SELECT sum(nodes.total) FROM list_nodes nodes
            WHERE nodes.list = asked_list AND nodes.owner = asked_owner AND nodes.level = asked_level
              AND nodes.start >= list_before.start AND nodes.start < nearest), 0);
        start := nearest;
      END LOOP;
      IF start <> '' THEN
        rank := rank + coalesce((
          SELECT sum(change) FROM list_changes pending
            WHERE ${isPending(raw("asked_list"), raw("asked_owner"), raw("counted.folded_before"))}
              AND pending.key < list_before.start), 0);
      END IF;
    END`,
});

/** How many entries of a list come before a bound. */
const ranks = everyCountedList.map((list) =>
  routine({
    name: rankOf(list),
    parameters: raw("asked_owner text, bound text, OUT rank bigint"),
    kind: "STABLE",
    settings: indexPlans,
    body: sql`
      DECLARE
        near record;
      BEGIN
        near := list_before(${literal(list.id)}, asked_owner, bound);
        rank := near.rank + (
          SELECT count(*) FROM ${name(list.table)} entry
            WHERE ${list.isOwnedBy(raw("asked_owner"), "entry")}
              AND ${list.key("entry")} >= near.start AND ${list.key("entry")} < bound);
      END`,
  }),
);

/** The function that tells how many entries of a list come before a bound. */
export function rankOf(list: CountedList): string {
  return `${list.name}_before`;
}

export const readRoutines: readonly Sql[] = [seek, before, ...ranks];

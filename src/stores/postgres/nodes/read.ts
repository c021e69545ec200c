/** Finds the entry at a position of a list, and the position of a key, both from one snapshot. */

import { routine } from "../schema/routine.js";
import { literal, name, raw, type Sql, sql } from "../sql.js";
import { type CountedList, everyCountedList } from "./counted.js";

/** The changes of a list that are pending; where it is not counted, `foldedBefore` is NULL and there are none. */
export const isPending = (list: Sql, owner: Sql, foldedBefore: Sql) => sql`
  pending.list = ${list} AND pending.owner = ${owner} AND pending.transaction >= ${foldedBefore}`;

/** How many entries a list has, as an expression. */
export function totalOf(list: CountedList, owner: Sql): Sql {
  return sql`
    coalesce((
      SELECT counted.total + coalesce((
          SELECT sum(pending.change) FROM list_changes pending
            WHERE ${isPending(literal(list.id), owner, raw("counted.folded_before"))}), 0)
        FROM lists counted
        WHERE counted.list = ${literal(list.id)} AND counted.owner = ${owner} AND counted.height >= 0
    ), (
      SELECT count(*) FROM ${name(list.table)} uncounted WHERE ${list.isOwnedBy(owner, "uncounted")}
    ))`;
}

/**
 * The total, and where to begin to find the entry at a position: it is the one `rest` entries after the first whose key
 * is at least `start`. Where there is none, `start` is NULL. Where the list is not counted, `total` is NULL too.
 */
const seek = routine({
  name: "list_seek",
  parameters: raw(
    "asked_list integer, asked_owner text, place bigint, OUT total bigint, OUT start text, OUT rest bigint",
  ),
  kind: "STABLE",
  isInner: true,
  body: sql`
    DECLARE
      counted lists;
      node record;
      changed bigint;
      added bigint;
      nearer bigint;
      size bigint;
    BEGIN
      SELECT * INTO counted FROM lists
        WHERE lists.list = asked_list AND lists.owner = asked_owner AND lists.height >= 0;
      IF NOT FOUND THEN RETURN; END IF;
      SELECT coalesce(sum(change), 0), coalesce(sum(change) FILTER (WHERE change > 0), 0) INTO changed, added
        FROM list_changes pending
        WHERE ${isPending(raw("asked_list"), raw("asked_owner"), raw("counted.folded_before"))};
      total := counted.total + changed;
      IF place >= total THEN RETURN; END IF;
      -- In the nodes alone, look for a position that is not too far, whatever the pending changes are.
      nearer := greatest(place - added, 0);
      start := '';
      rest := nearer;
      FOR asked_level IN REVERSE CASE WHEN place < added THEN 0 ELSE counted.height END .. 1 LOOP
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
  isInner: true,
  body: sql`
    DECLARE
      counted lists;
      nearest text;
    BEGIN
      SELECT * INTO counted FROM lists
        WHERE lists.list = asked_list AND lists.owner = asked_owner AND lists.height >= 0;
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

/** As `list_seek`, of any list; one that is not counted is short, or soon will be counted. */
const seeks = everyCountedList.map((list) =>
  routine({
    name: seekOf(list),
    parameters: raw("asked_owner text, place bigint, OUT total bigint, OUT start text, OUT rest bigint"),
    kind: "STABLE",
    isInner: true,
    body: sql`
      BEGIN
        SELECT * INTO total, start, rest FROM list_seek(${literal(list.id)}, asked_owner, place);
        IF total IS NULL THEN
          total := (SELECT count(*) FROM ${name(list.table)} entry WHERE ${list.isOwnedBy(raw("asked_owner"), "entry")});
          IF place < total THEN
            start := '';
            rest := place;
          END IF;
        END IF;
      END`,
  }),
);

/** The function that finds the entry at a position of a list. */
export function seekOf(list: CountedList): string {
  return `${list.name}_seek`;
}

/** How many entries of a list come before a bound. */
const ranks = everyCountedList.map((list) =>
  routine({
    name: rankOf(list),
    parameters: raw("asked_owner text, bound text, OUT rank bigint"),
    kind: "STABLE",
    isInner: true,
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

export const readRoutines: readonly Sql[] = [seek, ...seeks, before, ...ranks];

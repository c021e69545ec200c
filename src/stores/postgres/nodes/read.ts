/** Finds the entry at a position of a list, and the position of a key, both from one snapshot. */

import { eachOf } from "../schema/plans.js";
import { routine } from "../schema/routine.js";
import { literal, name, raw, type Sql, sql } from "../sql.js";
import { type CountedList, everyCountedList } from "./counted.js";

/**
 * What may be seen of what transactions have written: an old snapshot is not to pass by what came after it. Our own
 * transaction may have a later number than all that its snapshot knows of.
 */
const isSeen = (transaction: Sql) =>
  sql`${transaction} <= greatest(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id_if_assigned())`;

/**
 * The changes of a list that are pending, or what asks for its folds, as an item of FROM. What is counted of the list is
 * in `counted`; where it is not counted, that is NULL, and there are none.
 */
export const pendingOf = (list: Sql, owner: Sql, table: "list_changes" | "due_folds" = "list_changes") => sql`(
  SELECT recent.ctid AS place, recent.* FROM ${name(table)} recent
    WHERE recent.list = ${list} AND recent.owner = ${owner} AND recent.transaction >= counted.folded_before
      AND ${isSeen(raw("recent.transaction"))}
  UNION ALL
  SELECT late.* FROM unnest(counted.unfinished) AS open (number) CROSS JOIN ${eachOf(sql`
    SELECT ctid, late.* FROM ${name(table)} late
      WHERE late.list = ${list} AND late.owner = ${owner} AND late.transaction = open.number`)} late
) pending`;

/** What is counted of a list; nothing where it is not counted. */
const countedOf = (list: Sql, owner: Sql) => sql`
  SELECT newest.* FROM list_totals newest
    WHERE newest.list = ${list} AND newest.owner = ${owner} AND ${isSeen(raw("newest.version"))}
      AND EXISTS (SELECT FROM lists known WHERE known.list = ${list} AND known.owner = ${owner} AND known.is_counted)
    ORDER BY newest.version DESC LIMIT 1`;

/** The changes of a list that are pending; none where it is not counted. */
export const pendingChanges = (list: Sql, owner: Sql) => sql`
  SELECT pending.* FROM (
      ${countedOf(list, owner)}
    ) counted CROSS JOIN LATERAL ${pendingOf(list, owner)}`;

/** The node of a level that begins at a key. */
const nodeAt = (level: Sql, start: Sql) => sql`
  SELECT newest.* FROM list_nodes newest
    WHERE newest.list = asked_list AND newest.owner = asked_owner AND newest.level = ${level} AND newest.start = ${start}
      AND ${isSeen(raw("newest.version"))}
    ORDER BY newest.version DESC LIMIT 1`;

/** How many entries a list has, as an expression. */
export function totalOf(list: CountedList, owner: Sql): Sql {
  return sql`
    coalesce((
      SELECT counted.total + coalesce((
          SELECT sum(pending.change) FROM ${pendingOf(literal(list.id), owner)}), 0)
        FROM (
          ${countedOf(literal(list.id), owner)}
        ) counted
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
      counted list_totals;
      node list_nodes;
      changed bigint;
      added bigint;
      nearer bigint;
      shift bigint := 0;
      child integer;
      size bigint;
    BEGIN
      SELECT * INTO counted FROM (
        ${countedOf(raw("asked_list"), raw("asked_owner"))}
      ) found;
      IF NOT FOUND THEN RETURN; END IF;
      SELECT coalesce(sum(change), 0), coalesce(sum(change) FILTER (WHERE change > 0), 0) INTO changed, added
        FROM ${pendingOf(raw("asked_list"), raw("asked_owner"))};
      total := counted.total + changed;
      IF place >= total THEN RETURN; END IF;
      -- In the nodes alone, an entry is elsewhere by what the pending changes before it add up to. Mostly that is little:
      -- the first guess is nothing, the second what came before the first place, and the last one is never too far.
      FOR guess IN 1 .. 3 LOOP
        nearer := greatest(least(place - CASE guess WHEN 3 THEN added ELSE shift END, counted.total - 1), 0);
        start := '';
        rest := nearer;
        FOR asked_level IN REVERSE CASE nearer WHEN 0 THEN 0 ELSE counted.height END .. 1 LOOP
          SELECT * INTO node FROM (
            ${nodeAt(raw("asked_level"), raw("list_seek.start"))}
          ) found;
          child := 1;
          FOREACH size IN ARRAY node.totals LOOP
            EXIT WHEN rest < size;
            rest := rest - size;
            child := child + 1;
          END LOOP;
          start := node.bounds[child];
        END LOOP;
        shift := 0;
        IF start <> '' AND (added > 0 OR changed <> 0) THEN
          shift := coalesce((
            SELECT sum(change) FROM ${pendingOf(raw("asked_list"), raw("asked_owner"))}
              WHERE pending.key < list_seek.start), 0);
        END IF;
        rest := rest + place - nearer - shift;
        EXIT WHEN rest >= 0;
      END LOOP;
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
      counted list_totals;
      node list_nodes;
      child integer;
    BEGIN
      SELECT * INTO counted FROM (
        ${countedOf(raw("asked_list"), raw("asked_owner"))}
      ) found;
      start := '';
      rank := 0;
      FOR asked_level IN REVERSE coalesce(counted.height, 0) .. 1 LOOP
        SELECT * INTO node FROM (
          ${nodeAt(raw("asked_level"), raw("list_before.start"))}
        ) found;
        child := least(width_bucket(bound COLLATE "C", node.bounds), cardinality(node.totals));
        rank := rank + coalesce((SELECT sum(size) FROM unnest(node.totals[: child - 1]) AS size), 0);
        start := node.bounds[child];
      END LOOP;
      IF start <> '' THEN
        rank := rank + coalesce((
          SELECT sum(change) FROM ${pendingOf(raw("asked_list"), raw("asked_owner"))}
            WHERE pending.key < list_before.start), 0);
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

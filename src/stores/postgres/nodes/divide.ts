/** Divides ranges of entries that have become too long, and nodes that have too many children. */
import { indexPlans, routine } from "../schema/routine.js";
import { join, literal, name, raw, type Sql, sql } from "../sql.js";
import { type CountedList, everyCountedList } from "./counted.js";
import { endOfKeys } from "./keys.js";
import { pendingOf } from "./read.js";
import { entriesOf, type Sizes } from "./tables.js";

const rangesOf = (list: CountedList) => name(`${list.name}_ranges`);

/**
 * The ranges that one of a list is divided into. What it counts is its entries less what is pending, in one snapshot. A
 * function for each list, so that no other list's table is locked: to wait for one here might be a deadlock.
 */
const ranges = (list: CountedList) =>
  routine({
    name: rangesOf(list).text,
    parameters: raw(
      "asked_owner text, counted list_totals, first text, last text, size bigint, OUT bounds text[], OUT totals bigint[]",
    ),
    isInner: true,
    body: sql`
      BEGIN
        WITH parts AS (
          SELECT key, 1 AS weight, 1 AS total FROM ${entriesOf(list)}
            WHERE owner = asked_owner AND key >= first AND key < last
          UNION ALL
          SELECT key, 0, -change FROM ${pendingOf(literal(list.id), raw("asked_owner"))} WHERE key >= first AND key < last
        ), placed AS (
          -- By how many come before: those with the same key, of whom there may be several for a while, stay together.
          SELECT key, total, greatest(
              sum(weight) OVER (ORDER BY key) - greatest(sum(weight) OVER (PARTITION BY key), 1), 0
            )::bigint / size AS place FROM parts
        )
        SELECT array_agg(start ORDER BY place), array_agg(total ORDER BY place) INTO bounds, totals FROM (
          SELECT place, CASE place WHEN 0 THEN first ELSE min(key) END AS start, sum(total)::bigint AS total
            FROM placed GROUP BY place
        ) ranges;
      END`,
  });

/** Divides what is too long of the ranges of a node of level 1, and puts together neighbours that are empty or short. */
const divide = ({ leaf }: Sizes) =>
  routine({
    name: "list_divide",
    parameters: raw("asked_list integer, asked_owner text, new_version xid8, counted list_totals, asked_start text"),
    returns: raw("void"),
    settings: indexPlans,
    body: sql`
      DECLARE
        place tid;
        old_bounds text[];
        old_totals bigint[];
        bounds text[] := '{}';
        totals bigint[] := '{}';
        more_bounds text[];
        more_totals bigint[];
        size bigint;
        last bigint;
      BEGIN
        SELECT nodes.ctid, nodes.bounds, nodes.totals INTO place, old_bounds, old_totals FROM list_nodes nodes
          WHERE nodes.list = asked_list AND nodes.owner = asked_owner AND nodes.level = 1 AND nodes.start = asked_start
          ORDER BY nodes.version DESC LIMIT 1;
        FOR child IN 1 .. cardinality(old_totals) LOOP
          size := old_totals[child];
          IF size > ${literal(leaf)} THEN
            CASE asked_list
              ${join(
                everyCountedList.map(
                  (list) => sql`
                    WHEN ${literal(list.id)} THEN
                      SELECT * INTO more_bounds, more_totals FROM ${rangesOf(list)}(asked_owner, counted,
                        old_bounds[child], old_bounds[child + 1], size / (size * 2 / ${literal(leaf)}) + 1);`,
                ),
                "\n",
              )}
            END CASE;
            bounds := bounds || more_bounds;
            totals := totals || more_totals;
            last := NULL;
          ELSIF last * size = 0 OR last + size <= ${literal(Math.floor(leaf / 2))} THEN
            last := last + size;
            totals[cardinality(totals)] := last;
          ELSE
            bounds := bounds || old_bounds[child];
            totals := totals || size;
            last := size;
          END IF;
        END LOOP;
        bounds := bounds || old_bounds[cardinality(old_bounds)];
        PERFORM list_store(asked_list, asked_owner, new_version, place, bounds, totals);
      END`,
  });

/** Gives a node of level 1 other children. A node that gets too many becomes several, which its parent gets instead. */
const store = ({ fanout }: Sizes) =>
  routine({
    name: "list_store",
    parameters: raw(
      "asked_list integer, asked_owner text, new_version xid8, place tid, bounds text[], totals bigint[]",
    ),
    returns: raw("void"),
    settings: indexPlans,
    body: sql`
      DECLARE
        asked_level integer := 1;
        size integer;
        starts text[];
        sums bigint[];
        child integer;
      BEGIN
        WHILE cardinality(totals) > ${literal(fanout)} LOOP
          -- As few nodes as have room for a third more.
          size := cardinality(totals) / (cardinality(totals) * 4 / ${literal(fanout * 3)} + 1) + 1;
          DELETE FROM list_nodes WHERE ctid = place;
          WITH parts AS (
            SELECT (number - 1) / size AS part, array_agg(start ORDER BY number) AS starts,
                array_agg(total ORDER BY number) AS totals, sum(total)::bigint AS total
              FROM unnest(bounds, totals) WITH ORDINALITY AS child (start, total, number)
              WHERE total IS NOT NULL GROUP BY 1
          ), added AS (
            INSERT INTO list_nodes (list, owner, level, start, version, bounds, totals)
              SELECT asked_list, asked_owner, asked_level, parts.starts[1], new_version,
                  parts.starts || lead(parts.starts[1], 1, bounds[cardinality(bounds)]) OVER (ORDER BY part), parts.totals
                FROM parts
          )
          SELECT array_agg(parts.starts[1] ORDER BY part), array_agg(total ORDER BY part) INTO starts, sums FROM parts;

          asked_level := asked_level + 1;
          SELECT nodes.ctid, nodes.bounds, nodes.totals INTO place, bounds, totals FROM list_nodes nodes
            WHERE nodes.list = asked_list AND nodes.owner = asked_owner AND nodes.level = asked_level
              AND nodes.start <= starts[1]
            ORDER BY nodes.start DESC, nodes.version DESC LIMIT 1;
          IF NOT FOUND THEN
            UPDATE list_totals SET height = asked_level
              WHERE list = asked_list AND owner = asked_owner AND version = new_version;
            INSERT INTO list_nodes AS nodes (list, owner, level, start, version, bounds, totals)
              VALUES (asked_list, asked_owner, asked_level, '', new_version, ARRAY['', ${literal(endOfKeys)}], ARRAY[0])
              RETURNING nodes.ctid, nodes.bounds, nodes.totals INTO place, bounds, totals;
          END IF;
          child := width_bucket(starts[1] COLLATE "C", bounds);
          bounds := bounds[: child - 1] || starts || bounds[child + 1 :];
          totals := totals[: child - 1] || sums || totals[child + 1 :];
        END LOOP;
        UPDATE list_nodes SET version = new_version, bounds = list_store.bounds, totals = list_store.totals
          WHERE ctid = place;
      END`,
  });

export const divideRoutines = (sizes: Sizes): Sql[] => [...everyCountedList.map(ranges), store(sizes), divide(sizes)];

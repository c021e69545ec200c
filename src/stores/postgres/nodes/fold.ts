/** Moves the pending changes of a list into what is counted. */

import { indexPlans, routine, triggerRoutine } from "../schema/routine.js";
import { join, literal, name, raw, type Sql, sql } from "../sql.js";
import { announce, entriesOfAsked } from "./announce.js";
import { everyCountedList } from "./counted.js";
import { endOfKeys } from "./keys.js";
import type { Sizes } from "./tables.js";

/** How many entries a node of a level counts at most. */
const capacity = ({ leaf, fanout }: Sizes) =>
  sql`
    CREATE OR REPLACE FUNCTION list_capacity(level integer) RETURNS bigint LANGUAGE sql IMMUTABLE
      SET search_path FROM CURRENT
      AS $body$ SELECT (${literal(leaf)} * ${literal(fanout)}::numeric ^ (level - 1))::bigint $body$`;

/**
 * Each statement of it has a snapshot of its own, hence READ COMMITTED only; and nobody else folds the list at the same
 * time. It is to be called when each change that the transaction has made is appended: at its end, or alone in it.
 */
const fold = routine({
  name: "list_fold",
  parameters: raw("asked_list integer, asked_owner text, most bigint"),
  returns: raw("void"),
  settings: indexPlans,
  body: sql`
    DECLARE
      counted lists;
      node list_nodes;
      oversized list_nodes[];
      is_sparse boolean;
      pieces bigint;
      stop text;
    BEGIN
      IF current_setting('transaction_isolation') <> 'read committed' OR NOT pg_try_advisory_xact_lock(
        hashtext(current_schema() || ' lists'), hashtext(asked_owner || asked_list) & 255)
      THEN RETURN; END IF;
      SELECT * INTO counted FROM list_announce(asked_list, asked_owner, most);
      IF counted.height IS NULL OR counted.height < 0 THEN RETURN; END IF;

      WITH pending AS (
        DELETE FROM list_changes
          WHERE list = asked_list AND owner = asked_owner AND transaction >= counted.folded_before
          RETURNING key, change
      ), sums AS (
        -- By their places: there is no other plan than the one meant, and nobody else changes nodes meanwhile.
        SELECT counting.ctid AS place, sum(change) AS change
          FROM pending CROSS JOIN generate_series(1, counted.height) AS levels (level)
            CROSS JOIN LATERAL (
              SELECT nodes.ctid FROM list_nodes nodes
                WHERE nodes.list = asked_list AND nodes.owner = asked_owner AND nodes.level = levels.level
                  AND nodes.start <= pending.key
                ORDER BY nodes.start DESC LIMIT 1
            ) AS counting
          GROUP BY 1 HAVING sum(change) <> 0
      ), updated AS (
        UPDATE list_nodes nodes SET total = nodes.total + sums.change
          FROM sums WHERE nodes.ctid = sums.place
          RETURNING nodes.*, sums.change
      ), totalled AS (
        -- Every transaction that is over by now has its changes among those that are deleted here.
        UPDATE lists
          SET total = total + coalesce((SELECT sum(change) FROM pending), 0),
            folded_before = greatest(folded_before, pg_snapshot_xmin(pg_current_snapshot()))
          WHERE list = asked_list AND owner = asked_owner
          RETURNING total
      )
      SELECT
          array_agg((list, owner, level, start, total)::list_nodes ORDER BY level)
            FILTER (WHERE total > list_capacity(level)),
          coalesce(bool_or(level = 1 AND change < 0 AND total < list_capacity(1) / 8), false),
          (SELECT total FROM totalled)
        INTO oversized, is_sparse, counted.total FROM updated;

      IF is_sparse AND counted.total * 8 < list_capacity(1) * (
          SELECT count(*) - 8 FROM list_nodes WHERE list = asked_list AND owner = asked_owner AND level = 1)
        OR counted.total * 2 < list_capacity(1)
      THEN
        -- Mostly empty nodes: begin anew.
        DELETE FROM list_nodes WHERE list = asked_list AND owner = asked_owner;
        IF counted.total * 2 < list_capacity(1) THEN
          DELETE FROM lists WHERE list = asked_list AND owner = asked_owner;
          RETURN;
        END IF;
        oversized := NULL;
        counted.height := 0;
        UPDATE lists SET height = 0 WHERE list = asked_list AND owner = asked_owner;
      END IF;
      WHILE counted.total > list_capacity(counted.height + 1) LOOP
        counted.height := counted.height + 1;
        INSERT INTO list_nodes (list, owner, level, start, total)
          VALUES (asked_list, asked_owner, counted.height, '', counted.total) RETURNING * INTO node;
        oversized := oversized || node;
        UPDATE lists SET height = counted.height WHERE list = asked_list AND owner = asked_owner;
      END LOOP;

      -- From the leaves up. What a leaf counts is its rows less what is pending, in one snapshot.
      FOREACH node IN ARRAY coalesce(oversized, '{}') LOOP
        pieces := node.total * 2 / list_capacity(node.level);
        stop := coalesce((
          SELECT min(start) FROM list_nodes
            WHERE list = asked_list AND owner = asked_owner AND level = node.level AND start > node.start),
          ${literal(endOfKeys)});
        -- Dynamic, so that no other list's table is locked: to wait for one here might be a deadlock.
        EXECUTE format($parts$
          WITH parts AS (
            SELECT key, 1 AS weight, 1 AS total FROM %I
              WHERE $3 = 1 AND owner = $2 AND key >= $4 AND key < $5
            UNION ALL
            SELECT key, 0, -change FROM list_changes
              WHERE $3 = 1 AND list = $1 AND owner = $2 AND key >= $4 AND key < $5
            UNION ALL
            SELECT start, total, total FROM list_nodes
              WHERE list = $1 AND owner = $2 AND level = $3 - 1 AND start >= $4 AND start < $5
          ), placed AS (
            -- By how many come before: those with the same key, of whom there may be several for a while, stay together.
            SELECT key, total, greatest(
                sum(weight) OVER (ORDER BY key) - greatest(sum(weight) OVER (PARTITION BY key), 1), 0
              )::bigint / $6 AS piece FROM parts
          )
          INSERT INTO list_nodes (list, owner, level, start, total)
            SELECT $1, $2, $3, CASE piece WHEN 0 THEN $4 ELSE min(key) END, sum(total) FROM placed GROUP BY piece
            ON CONFLICT (list, owner, level, start) DO UPDATE SET total = EXCLUDED.total
          $parts$, ${entriesOfAsked})
          USING asked_list, asked_owner, node.level, node.start, stop, node.total / pieces + 1;
      END LOOP;
    END`,
});

/** A list that is longer is left to a call that is made for it: a host's transaction is not to wait for that. */
const mostAtEnd = literal(10_000);

/**
 * At the end of a transaction, for one of some changes. Within another trigger, which a host's SET CONSTRAINTS may
 * cause, some changes may not be appended yet; and the change may be folded already.
 */
const foldAtEnd: readonly Sql[] = [
  triggerRoutine({
    name: "list_changes_fold",
    settings: indexPlans,
    body: sql`
      DECLARE
        other text;
      BEGIN
        IF current_setting('transaction_isolation') <> 'read committed' OR pg_trigger_depth() > 1 THEN RETURN NULL; END IF;
        IF EXISTS (
          SELECT FROM list_changes
            WHERE list = NEW.list AND owner = NEW.owner AND transaction = NEW.transaction AND id = NEW.id)
        THEN PERFORM list_fold(NEW.list, NEW.owner, ${mostAtEnd}); END IF;
        -- A list that a single transaction has filled has no writer of its own to count it.
        SELECT owner INTO other FROM lists WHERE list = NEW.list AND height < 0 AND owner <> NEW.owner LIMIT 1;
        IF FOUND THEN PERFORM list_fold(NEW.list, other, ${mostAtEnd}); END IF;
        RETURN NULL;
      END`,
  }),
  sql`DROP TRIGGER IF EXISTS list_changes_fold ON list_changes`,
  sql`
    CREATE CONSTRAINT TRIGGER list_changes_fold AFTER INSERT ON list_changes DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW WHEN (NEW.is_folding) EXECUTE FUNCTION list_changes_fold()`,
];

/**
 * Goes on with all lists that are announced or have pending changes, alone in its transaction, and tells how many are
 * still announced. Three calls count a list that one transaction has filled, where no other transaction is under way.
 * It locks the tables first, as TRUNCATE does, which deletes what it writes.
 */
const settle = routine({
  name: "list_settle",
  returns: raw("bigint"),
  kind: "SECURITY DEFINER",
  body: sql`
    DECLARE
      known record;
    BEGIN
      LOCK TABLE group_requests, ${join([...new Set(everyCountedList.map(({ table }) => table))].map(name))}
        IN ACCESS SHARE MODE;
      PERFORM received_settle(9223372036854775806, 9223372036854775806);
      FOR known IN
        SELECT list, owner FROM lists WHERE height < 0 UNION SELECT list, owner FROM list_changes
      LOOP
        PERFORM list_fold(known.list, known.owner, 9223372036854775806);
      END LOOP;
      RETURN (SELECT count(*) FROM lists WHERE height < 0)
        + (SELECT count(*) FROM received_doubts WHERE manager_user_id <> '');
    END`,
});

export const foldRoutines = (sizes: Sizes): Sql[] => [capacity(sizes), announce, fold, ...foldAtEnd, settle];

/** Moves the pending changes of a list into what is counted. */

import { lockedOrReturn } from "../schema/locks.js";
import { anyOf } from "../schema/plans.js";
import { indexPlans, routine, triggerRoutine } from "../schema/routine.js";
import { join, literal, name, raw, type Sql, sql } from "../sql.js";
import { announce } from "./announce.js";
import { countedLists } from "./counted.js";
import { divideRoutines } from "./divide.js";
import { endOfKeys } from "./keys.js";
import { pendingOf } from "./read.js";
import type { Sizes } from "./tables.js";
import { countedTables } from "./triggers.js";

/**
 * Adds changes, in the order of their keys, to the nodes of a level and of those above it. It gives the nodes of level 1
 * that are to be divided anew, because a range has become too long or empty.
 */
const add = ({ leaf }: Sizes) =>
  routine({
    name: "list_add",
    parameters: raw(
      "asked_list integer, asked_owner text, new_version xid8, asked_level integer, keys text[], changes bigint[], OUT uneven text[]",
    ),
    isInner: true,
    body: sql`
      DECLARE
        place tid;
        node_start text;
        node_bounds text[];
        node_totals bigint[];
        child integer;
        change bigint;
        starts text[] := '{}';
        sums bigint[] := '{}';
        done integer := 0;
      BEGIN
        WHILE done < cardinality(keys) LOOP
          SELECT nodes.ctid, nodes.start, nodes.bounds, nodes.totals INTO place, node_start, node_bounds, node_totals
            FROM list_nodes nodes
            WHERE nodes.list = asked_list AND nodes.owner = asked_owner AND nodes.level = asked_level
              AND nodes.start <= keys[done + 1]
            ORDER BY nodes.start DESC, nodes.version DESC LIMIT 1;
          -- There is no level above the one that counts the whole list.
          EXIT WHEN NOT FOUND;
          change := 0;
          LOOP
            done := done + 1;
            child := width_bucket(keys[done] COLLATE "C", node_bounds);
            node_totals[child] := node_totals[child] + changes[done];
            change := change + changes[done];
            EXIT WHEN done = cardinality(keys) OR keys[done + 1] COLLATE "C" >= node_bounds[cardinality(node_bounds)];
          END LOOP;
          -- Nobody else changes nodes of the list meanwhile.
          UPDATE list_nodes SET version = new_version, totals = node_totals WHERE ctid = place;
          starts := starts || node_start;
          sums := sums || change;
          IF asked_level = 1
            AND (${literal(leaf)} < ANY (node_totals) OR (0 = ANY (node_totals) AND cardinality(node_totals) > 1))
          THEN
            uneven := uneven || node_start;
          END IF;
        END LOOP;
        IF starts <> '{}' THEN
          PERFORM list_add(asked_list, asked_owner, new_version, asked_level + 1, starts, sums);
        END IF;
      END`,
  });

/** The list whose entries have documents: see search/tables.ts. */
const documentedList = literal(countedLists.groupMembers.id);
const hasDocuments = sql`asked_list = ${documentedList}`;

/** How many changes are added at a time. */
const changesAtATime = literal(10_000);

const [ownList, ownOwner] = [raw("asked_list"), raw("asked_owner")];

/**
 * What a fold leaves for later: transactions that are over by its snapshot have their changes among those that it deletes.
 * Of the others, those that are not recent may stay open for hours, and are named one by one.
 */
const leftBySnapshot = ({ recent }: Sizes) => sql`
  SELECT least(min(after), min(number) FILTER (WHERE number >= first)),
      coalesce(array_agg(number) FILTER (WHERE number < first), '{}')
    FROM (
        SELECT now, pg_snapshot_xmax(now) AS after,
            greatest(pg_snapshot_xmax(now)::text::bigint - ${literal(recent)}, 0)::text::xid8 AS first
          FROM pg_current_snapshot() now
      ) snapshot CROSS JOIN LATERAL (
        SELECT pg_snapshot_xip(now) AS number UNION ALL SELECT pg_current_xact_id()
      ) under_way`;

/**
 * Each statement of it has a snapshot of its own, hence READ COMMITTED only; and nobody else folds the list at the same
 * time. It is to be called when each change that the transaction has made is appended: at its end, or alone in it.
 */
const fold = (sizes: Sizes) =>
  routine({
    name: "list_fold",
    parameters: raw("asked_list integer, asked_owner text, most bigint, most_documents bigint"),
    returns: raw("void"),
    settings: indexPlans,
    body: sql`
      DECLARE
        counted list_totals;
        new_version xid8;
        folded record;
        uneven text[];
        uneven_start text;
      BEGIN
        IF current_setting('transaction_isolation') <> 'read committed' OR NOT pg_try_advisory_xact_lock(
          hashtext(current_schema() || ' lists'), hashtext(asked_owner || asked_list) & 255)
        THEN RETURN; END IF;
        counted := list_announce(asked_list, asked_owner, most);
        IF counted.version IS NULL THEN
          DELETE FROM due_folds WHERE list = asked_list AND owner = asked_owner;
          RETURN;
        END IF;
        new_version := greatest(counted.version, pg_current_xact_id());

        FOR folded IN
          WITH pending AS (
            DELETE FROM list_changes WHERE ctid = ${anyOf(sql`SELECT place FROM ${pendingOf(ownList, ownOwner)}`)}
              RETURNING key, change
          ), asked AS (
            DELETE FROM due_folds WHERE ctid = ${anyOf(sql`SELECT place FROM ${pendingOf(ownList, ownOwner, "due_folds")}`)}
          ), totalled AS (
            UPDATE list_totals
              SET version = new_version, total = total + coalesce((SELECT sum(change) FROM pending), 0),
                (folded_before, unfinished) = (${leftBySnapshot(sizes)})
              WHERE list = asked_list AND owner = asked_owner AND version = counted.version
              RETURNING total
          )
          SELECT array_agg(key) AS all_keys, coalesce(array_agg(key ORDER BY key) FILTER (WHERE change <> 0), '{}') AS keys,
              coalesce(array_agg(change ORDER BY key) FILTER (WHERE change <> 0), '{}') AS changes,
              (SELECT total FROM totalled) AS total
            FROM (
              SELECT key, sum(change)::bigint AS change, (row_number() OVER (ORDER BY key) - 1) / ${changesAtATime} AS part
                FROM pending GROUP BY key
            ) sums GROUP BY part
        LOOP
          counted.total := folded.total;
          IF ${hasDocuments} THEN PERFORM documents_write(asked_owner, folded.all_keys); END IF;
          uneven := uneven || list_add(asked_list, asked_owner, new_version, 1, folded.keys, folded.changes);
        END LOOP;

        IF ${hasDocuments} AND most_documents > 0 THEN
          PERFORM documents_keep(asked_owner, counted.total, most_documents);
        END IF;

        IF counted.total * 2 < ${literal(sizes.leaf)} THEN
          DELETE FROM list_nodes WHERE list = asked_list AND owner = asked_owner;
          DELETE FROM list_totals WHERE list = asked_list AND owner = asked_owner;
          DELETE FROM lists WHERE list = asked_list AND owner = asked_owner;
          RETURN;
        END IF;
        -- What has just been counted for the first time is all in one range.
        IF counted.folded_before = '0' THEN uneven := ARRAY['']; END IF;
        FOREACH uneven_start IN ARRAY coalesce(uneven, '{}') LOOP
          PERFORM list_divide(asked_list, asked_owner, new_version, counted, uneven_start);
        END LOOP;
      END`,
  });

/** Longer lists, and more documents, are left to a call that is made for them: a host's transaction is not to wait. */
const mostAtEnd = literal(10_000);
const mostDocumentsAtEnd = literal(500);

/**
 * At the end of a transaction that has asked for it, once however often. Within another trigger, which a host's SET
 * CONSTRAINTS may cause, some changes may not be appended yet: it is left to others then, as where tables are locked.
 */
const foldAtEnd: readonly Sql[] = [
  triggerRoutine({
    name: "due_folds_fold",
    settings: indexPlans,
    body: sql`
      DECLARE
        other text;
      BEGIN
        IF pg_trigger_depth() > 1 OR NOT EXISTS (
          SELECT FROM due_folds WHERE list = NEW.list AND owner = NEW.owner AND transaction = NEW.transaction)
        THEN RETURN NULL; END IF;
        IF NEW.list = ${documentedList} THEN
          ${lockedOrReturn(raw("group_members, users"), "ACCESS SHARE", raw("NULL"))}
        END IF;
        PERFORM list_fold(NEW.list, NEW.owner, ${mostAtEnd}, ${mostDocumentsAtEnd});
        -- A list that a single transaction has filled has no writer of its own to count it.
        SELECT owner INTO other FROM lists WHERE list = NEW.list AND NOT is_counted AND owner <> NEW.owner LIMIT 1;
        IF FOUND THEN PERFORM list_fold(NEW.list, other, ${mostAtEnd}, ${mostDocumentsAtEnd}); END IF;
        RETURN NULL;
      END`,
  }),
  sql`DROP TRIGGER IF EXISTS due_folds_fold ON due_folds`,
  sql`
    CREATE CONSTRAINT TRIGGER due_folds_fold AFTER INSERT ON due_folds DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION due_folds_fold()`,
];

/**
 * Goes on, alone in its transaction, with all lists that are announced, asked for, or not all documented, or that have
 * pending changes, and tells how much is left. Three calls count a list that one transaction has filled, where no other
 * transaction is under way. It locks the tables first, as TRUNCATE does, which deletes what it writes.
 */
const settle = routine({
  name: "list_settle",
  returns: raw("bigint"),
  kind: "SECURITY DEFINER",
  body: sql`
    DECLARE
      known record;
    BEGIN
      ${lockedOrReturn(join(["group_requests", ...countedTables].map(name)), "ROW EXCLUSIVE", raw("1"))}
      PERFORM received_settle(9223372036854775806, 9223372036854775806);
      PERFORM profile_doubts_settle(9223372036854775806);
      FOR known IN
        SELECT list, owner FROM lists WHERE NOT is_counted UNION SELECT list, owner FROM list_changes
        UNION SELECT list, owner FROM due_folds
        UNION SELECT ${documentedList}, group_id FROM searched_groups WHERE documented_before <> ${literal(endOfKeys)}
      LOOP
        PERFORM list_fold(known.list, known.owner, 9223372036854775806, 9223372036854775806);
      END LOOP;
      RETURN (SELECT count(*) FROM lists WHERE NOT is_counted)
        + (SELECT count(*) FROM received_doubts WHERE manager_user_id <> '') + (SELECT count(*) FROM profile_doubts)
        + (SELECT count(*) FROM searched_groups WHERE documented_before <> ${literal(endOfKeys)});
    END`,
});

export const foldRoutines = (sizes: Sizes): Sql[] => [
  announce(sizes),
  add(sizes),
  ...divideRoutines(sizes),
  fold(sizes),
  ...foldAtEnd,
  settle,
];

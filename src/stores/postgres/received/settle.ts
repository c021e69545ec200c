/** Settles doubts: makes the rows anew that somebody has said may be wrong. */
import { lockedOrReturn } from "../schema/locks.js";
import { isMarkOld, marked } from "../schema/marks.js";
import { anyOf, eachOf } from "../schema/plans.js";
import { indexPlans, routine, triggerRoutine } from "../schema/routine.js";
import { literal, name, raw, type Sql, sql } from "../sql.js";
import { isManaging, received, wanted } from "./tables.js";

/** How many doubts the end of a transaction settles at most: of requests, and of managers. */
const mostDoubtsAtEnd = literal(20);

/** How many requests those doubts of managers are about at most, together. */
const mostRequestsAtEnd = literal(5000);

/**
 * Makes rows anew, in one snapshot and of each doubt whose rows nobody else has locked. What belongs to a doubt is told
 * by the column that its rows have in common, beside the group; `made` gives the rows of what is not in doubt any more.
 */
const settleBy = (column: Sql, doubted: Sql, made: Sql) => sql`
  WITH doubted AS MATERIALIZED (
    ${doubted}
  ), present AS MATERIALIZED (
    SELECT doubted.id AS doubt, own.id FROM doubted CROSS JOIN ${eachOf(sql`
      SELECT id FROM received_group_requests kept
        WHERE kept.group_id = doubted.group_id AND kept.${column} = doubted.${column}`)} own
  ), locked AS MATERIALIZED (
    SELECT id FROM received_group_requests WHERE id = ${anyOf(raw("SELECT id FROM present"))} FOR UPDATE SKIP LOCKED
  ), blocked AS MATERIALIZED (
    SELECT doubt FROM present WHERE id NOT IN (SELECT id FROM locked)
  ), free AS MATERIALIZED (
    SELECT * FROM doubted WHERE id NOT IN (SELECT doubt FROM blocked)
  ), removed AS (
    DELETE FROM received_group_requests
      WHERE id = ${anyOf(raw("SELECT id FROM present WHERE doubt NOT IN (SELECT doubt FROM blocked)"))}
  ), settled AS (
    SELECT DISTINCT group_id, ${column} FROM free
  ), added AS (
    INSERT INTO received_group_requests (${received})
      ${made}
  )
  DELETE FROM received_doubts WHERE id = ${anyOf(raw("SELECT id FROM free"))};`;

const ofRequests = wanted(sql`(
  SELECT own.* FROM settled CROSS JOIN ${eachOf(sql`
    SELECT * FROM group_requests asked WHERE asked.group_id = settled.group_id AND asked.user_id = settled.user_id`)} own)`);

const ofManagers = sql`
  SELECT settled.manager_user_id, request.group_id, request.user_id, request.req_time, request.handle_result
    FROM settled CROSS JOIN ${eachOf(sql`
      SELECT FROM group_members member
        WHERE member.group_id = settled.group_id AND member.user_id = settled.manager_user_id AND ${isManaging("member.")}`)} manager
      CROSS JOIN ${eachOf(sql`SELECT * FROM group_requests asked WHERE asked.group_id = settled.group_id`)} request`;

const doubtedRequests = sql`
  SELECT id, group_id, user_id FROM received_doubts WHERE user_id <> '' ORDER BY made_by LIMIT most`;

/** The first ones, as long as their groups have few requests together; a group that alone has too many is left out. */
const doubtedManagers = sql`
  SELECT id, group_id, manager_user_id FROM (
      SELECT *, sum(requests) OVER (ORDER BY made_by, id) AS requests_so_far FROM (
          SELECT doubt.*, asked.requests FROM received_doubts doubt CROSS JOIN LATERAL (
              SELECT count(*) AS requests
                FROM (SELECT FROM group_requests WHERE group_id = doubt.group_id LIMIT longest + 1) request
            ) asked
            WHERE doubt.manager_user_id <> '' AND doubt.is_marked AND ${isMarkOld(raw("doubt.xmin::text::bigint"))} AND asked.requests <= longest
            ORDER BY doubt.made_by, doubt.id LIMIT most
        ) short
    ) summed WHERE requests_so_far <= longest`;

/** Has no more doubts settled at the end of the transaction. */
const settledNow = raw("set_config('im_admin.settled', pg_current_xact_id()::text, true)");

/** It is to be called at the end of a transaction, or alone in one; one at a time settles doubts. */
const settle = routine({
  name: "received_settle",
  parameters: raw("most bigint, longest bigint"),
  returns: raw("void"),
  settings: indexPlans,
  body: sql`
    BEGIN
      IF current_setting('transaction_isolation') <> 'read committed'
        OR NOT pg_try_advisory_xact_lock(hashtext(current_schema() || ' received'), 0)
      THEN RETURN; END IF;
      PERFORM ${settledNow};
      ${settleBy(raw("user_id"), doubtedRequests, ofRequests)}
      ${settleBy(raw("manager_user_id"), doubtedManagers, ofManagers)}
      ${marked(sql`
        UPDATE received_doubts SET is_marked = true WHERE id = ${anyOf(sql`
          SELECT id FROM received_doubts
            WHERE NOT is_marked AND manager_user_id <> '' AND made_by <> pg_current_xact_id()
            ORDER BY made_by LIMIT most`)}`)}
    END`,
});

/** Of how many received requests one has doubts settled, on average. */
const requestsPerSettling = raw("64");

/**
 * At the end of a transaction with doubts, and of some that receive requests; once in each, and not within another
 * trigger, before which more may be to be done.
 */
const settleAtEnd: readonly Sql[] = [
  triggerRoutine({
    name: "received_doubts_settle",
    settings: indexPlans,
    body: sql`
      BEGIN
        IF pg_trigger_depth() > 1
          OR current_setting('im_admin.settled', true) IS NOT DISTINCT FROM pg_current_xact_id()::text
        THEN RETURN NULL; END IF;
        PERFORM ${settledNow};
        IF EXISTS (SELECT FROM received_doubts) THEN
          ${lockedOrReturn(raw("group_requests, group_members"), "ACCESS SHARE", raw("NULL"))}
          PERFORM received_settle(${mostDoubtsAtEnd}, ${mostRequestsAtEnd});
        END IF;
        RETURN NULL;
      END`,
  }),
  ...[
    { table: "received_doubts", condition: sql`` },
    { table: "received_group_requests", condition: sql` WHEN (random() * ${requestsPerSettling} < 1)` },
  ].flatMap(({ table, condition }) => [
    sql`DROP TRIGGER IF EXISTS ${name(`${table}_settle`)} ON ${name(table)}`,
    sql`
      CREATE CONSTRAINT TRIGGER ${name(`${table}_settle`)} AFTER INSERT ON ${name(table)} DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW${condition} EXECUTE FUNCTION received_doubts_settle()`,
  ]),
];

export const settleRoutines: readonly Sql[] = [settle, ...settleAtEnd];

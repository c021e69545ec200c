/**
 * The join requests that a user receives: the requests of each group that the user manages, put together when they are
 * read. To keep a list of them for each manager, writers would have to wait for each other: a member who becomes a
 * manager and a request that arrives at the same time do not see one another.
 */
import { managingRoles, receivedGroupRequests } from "../../lists/receivedGroupRequests.js";
import { countedLists } from "../nodes/counted.js";
import { endOfKeys, keyOf } from "../nodes/keys.js";
import { isPending, seekOf } from "../nodes/read.js";
import { itemsOf } from "../pages/items.js";
import { pageParameters, unlessThere } from "../pages/routines.js";
import { indexPlans, routine } from "../schema/routine.js";
import { literal, name, raw, type Sql, sql } from "../sql.js";

const list = countedLists.requestsOfGroup;
const id = literal(list.id);
const isManaging = raw(`role_level IN (${managingRoles.join(", ")})`);

/** Where the user manages. */
export const managersIndex: Sql = sql`
  CREATE INDEX IF NOT EXISTS group_members_managing ON group_members (user_id, group_id) WHERE ${isManaging}`;

/** The function that answers a page. */
export const receivedPage = "received_group_requests_page";

/** The digits of a time, with which keys of requests begin. */
const moment = (key: string) => raw(`left(${key}, 17)`);

/** The requests of some groups with their keys among those of all groups. */
const requests = (groups: Sql, condition: Sql) => sql`
  SELECT 1 AS piece, entry.*, ${keyOf(receivedGroupRequests.order, "entry")} AS key
    FROM ${groups} CROSS JOIN LATERAL (
      SELECT * FROM group_requests entry
        WHERE entry.group_id = managed.id AND ${condition}
    ) entry
    ORDER BY key LIMIT size OFFSET rest`;

const page = routine({
  name: receivedPage,
  parameters: pageParameters(raw("asked_groups text[], asked_results integer[], ")),
  kind: "STABLE",
  settings: indexPlans,
  body: sql`
    DECLARE
      groups text[];
      starts text[];
      stop text := ${literal(endOfKeys)};
      rest bigint := skip;
      found record;
    BEGIN
      ${unlessThere(receivedGroupRequests)}
      groups := ARRAY(
        SELECT group_id FROM group_members
          WHERE user_id = asked_owner AND ${isManaging} AND (asked_groups IS NULL OR group_id = ANY (asked_groups)));
      IF asked_results IS NOT NULL THEN
        total := (
          SELECT count(*) FROM unnest(groups) AS managed (id) CROSS JOIN LATERAL (
            SELECT FROM group_requests entry
              WHERE entry.group_id = managed.id AND entry.handle_result = ANY (asked_results)
          ) entry);
        items := (
          ${itemsOf(
            receivedGroupRequests.item,
            requests(raw("unnest(groups) AS managed (id)"), raw("entry.handle_result = ANY (asked_results)")),
          )});
        RETURN;
      END IF;

      IF cardinality(groups) = 1 THEN
        found := ${name(seekOf(list))}(groups[1], skip);
        total := found.total;
        starts := ARRAY[coalesce(found.start, stop)];
        rest := coalesce(found.rest, 0);
      ELSE
        found := received_seek(groups, skip, skip + size);
        total := found.total;
        starts := found.starts;
        stop := found.stop;
        rest := found.rest;
      END IF;
      items := (
        ${itemsOf(
          receivedGroupRequests.item,
          requests(
            raw("unnest(groups, starts) AS managed (id, start)"),
            sql`${list.key("entry")} >= managed.start AND ${list.key("entry")} < stop
              ORDER BY ${list.key("entry")} LIMIT size + rest`,
          ),
        )});
    END`,
});

/**
 * The total of some groups' requests, and where to begin in each of them to find those at some positions of them all:
 * at leaves that are next to each other in time, of which all that come before are counted by their nodes.
 */
const seek = routine({
  name: "received_seek",
  parameters: raw(
    `groups text[], first bigint, past bigint,
      OUT total bigint, OUT starts text[], OUT stop text, OUT rest bigint`,
  ),
  kind: "STABLE",
  isInner: true,
  body: sql`
    DECLARE
      added bigint;
      removed bigint;
      lower text;
    BEGIN
      SELECT coalesce(sum(change) FILTER (WHERE change > 0), 0), coalesce(-sum(change) FILTER (WHERE change < 0), 0)
        INTO added, removed
        FROM unnest(groups) AS managed (id)
          LEFT JOIN lists ON lists.list = ${id} AND lists.owner = managed.id
          CROSS JOIN LATERAL (
            SELECT change FROM list_changes pending
              WHERE ${isPending(id, raw("managed.id"), raw("lists.folded_before"))}
          ) pending;
      -- A short list is a leaf of its own.
      WITH leaves AS MATERIALIZED (
        SELECT ${moment("leaf.start")} AS moment, leaf.total,
            coalesce(${moment("lead(leaf.start) OVER (PARTITION BY managed.id ORDER BY leaf.start)")},
              ${literal(endOfKeys)}) AS next_moment
          FROM unnest(groups) AS managed (id) CROSS JOIN LATERAL (
            SELECT nodes.start, nodes.total FROM list_nodes nodes
              WHERE nodes.list = ${id} AND nodes.owner = managed.id AND nodes.level = 1
            UNION ALL
            SELECT '', coalesce(lists.total, (SELECT count(*) FROM group_requests WHERE group_id = managed.id))
              FROM (VALUES (true)) one
                LEFT JOIN lists ON lists.list = ${id} AND lists.owner = managed.id AND lists.height >= 0
              WHERE coalesce(lists.height, 0) = 0
          ) leaf
      )
      SELECT
        added - removed + coalesce((SELECT sum(leaves.total) FROM leaves), 0),
        coalesce((
          SELECT max(moment) FROM (
            SELECT moment, sum(sum(leaves.total)) OVER (ORDER BY moment) - sum(leaves.total) AS before
              FROM leaves GROUP BY moment
          ) moments WHERE added + before <= first), ''),
        coalesce((
          SELECT min(next_moment) FROM (
            SELECT next_moment, sum(sum(leaves.total)) OVER (ORDER BY next_moment) AS passed
              FROM leaves GROUP BY next_moment
          ) moments WHERE passed - removed >= past), ${literal(endOfKeys)})
        INTO total, lower, stop;
      -- Up to that time, and all of its requests.
      IF stop <> ${literal(endOfKeys)} THEN stop := (stop::bigint + 1)::text; END IF;

      SELECT array_agg(coalesce(leaf.start, '') ORDER BY managed.position),
          first - coalesce(sum(
            (SELECT sum(nodes.total) FROM list_nodes nodes
              WHERE nodes.list = ${id} AND nodes.owner = managed.id AND nodes.level = 1 AND nodes.start < leaf.start)), 0)
          - coalesce(sum(
            (SELECT sum(change) FROM list_changes pending
              WHERE ${isPending(
                id,
                raw("managed.id"),
                sql`(SELECT folded_before FROM lists WHERE lists.list = ${id} AND lists.owner = managed.id)`,
              )} AND pending.key < leaf.start)), 0)
        INTO starts, rest
        FROM unnest(groups) WITH ORDINALITY AS managed (id, position)
          LEFT JOIN LATERAL (
            SELECT nodes.start FROM list_nodes nodes
              WHERE nodes.list = ${id} AND nodes.owner = managed.id AND nodes.level = 1 AND nodes.start <= lower
              ORDER BY nodes.start DESC LIMIT 1
          ) leaf ON true;
      rest := coalesce(rest, first);
    END`,
});

export const receivedRoutines: readonly Sql[] = [seek, page];

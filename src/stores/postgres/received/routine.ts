/** The function that answers a page of the requests that a user receives. */
import { digitsOf } from "../../lists/keyRanges.js";
import { receivedGroupRequests } from "../../lists/receivedGroupRequests.js";
import { countedLists } from "../nodes/counted.js";
import { totalOf } from "../nodes/read.js";
import { columnsOf, itemsOf } from "../pages/items.js";
import { pageOf, pageParameters, unlessThere } from "../pages/routines.js";
import { indexPlans, routine } from "../schema/routine.js";
import { name, raw, type Sql, sql } from "../sql.js";
import { isManaging } from "./tables.js";

/** The function that answers a page. */
export const receivedPage = "received_requests";

const resultDigits = raw(String(digitsOf("handleResult")));

const list = countedLists.receivedGroupRequests;

/** The groups that the user manages. Further conditions may follow. */
const managed = sql`SELECT group_id FROM group_members WHERE user_id = asked_owner AND ${isManaging()}`;

const isAsked = (alias: string) => sql`(asked_results IS NULL OR ${name(alias)}.handle_result = ANY (asked_results))`;

/** What is kept of groups that are not in doubt, and the requests for those that are looked at; of each, as many as are wanted. */
const entries = (wanted = raw("")) => sql`
  (SELECT own.group_id, own.user_id, ${list.key("own")} AS key FROM received_group_requests own
    WHERE asked_groups IS NULL AND ${list.isOwnedBy(raw("asked_owner"), "own")}
      AND own.group_id <> ALL (doubtful) AND ${isAsked("own")}${wanted})
  UNION ALL
  (SELECT request.group_id, request.user_id, ${list.key("request")} AS key FROM group_requests request
    WHERE request.group_id = ANY (looked_at) AND ${isAsked("request")}${wanted})`;

/** A list that is counted tells how many entries there are of which none is to be looked at. */
const totalOfAll = sql`
  ${totalOf(list, raw("asked_owner"))}
    - (SELECT count(*) FROM received_group_requests own
        WHERE own.group_id = ANY (doubtful) AND own.manager_user_id = asked_owner)
    + (SELECT count(*) FROM group_requests WHERE group_id = ANY (looked_at))`;

const page = routine({
  name: receivedPage,
  parameters: pageParameters(raw("asked_groups text[], asked_results integer[], ")),
  kind: "STABLE",
  settings: indexPlans,
  body: sql`
    DECLARE
      doubtful text[] := ARRAY(
        SELECT group_id FROM received_doubts WHERE manager_user_id = asked_owner
        UNION
        ${managed} AND EXISTS (SELECT FROM received_doubts)
          AND EXISTS (SELECT FROM received_doubts doubt
            WHERE doubt.manager_user_id = '' AND doubt.group_id = group_members.group_id));
      looked_at text[];
    BEGIN
      ${unlessThere(receivedGroupRequests)}
      IF doubtful = '{}' AND asked_groups IS NULL AND coalesce(cardinality(asked_results), 1) = 1 THEN
        IF asked_results IS NULL THEN
          SELECT * INTO total, items FROM ${name(pageOf(list))}(asked_owner, skip, size, NULL);
        ELSE
          SELECT * INTO total, items FROM ${name(pageOf(countedLists.receivedGroupRequestsByResult))}(
            asked_owner, skip, size,
            ARRAY[(${resultDigits} + asked_results[1])::text, (${resultDigits} + asked_results[1] + 1)::text]);
        END IF;
        RETURN;
      END IF;
      looked_at := ARRAY(${managed} AND group_id = ANY (coalesce(asked_groups, doubtful)));
      total := CASE
        WHEN asked_groups IS NULL AND asked_results IS NULL THEN
          ${totalOfAll}
        ELSE (
          SELECT count(*) FROM (
            ${entries()}
          ) entry)
        END;
      items := (
        ${itemsOf(
          receivedGroupRequests.item,
          sql`
            SELECT 1 AS piece, ${columnsOf(receivedGroupRequests.item, "request")}, entry.key FROM (
                SELECT * FROM (
                  ${entries(raw(" ORDER BY key LIMIT skip + size"))}
                ) entry ORDER BY entry.key LIMIT size OFFSET skip
              ) entry JOIN group_requests request USING (group_id, user_id)`,
        )});
    END`,
});

export const receivedRoutines: readonly Sql[] = [page];

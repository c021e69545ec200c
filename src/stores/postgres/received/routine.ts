/** The function that answers a page of the requests that a user receives. */
import { digitsOf } from "../../lists/keyRanges.js";
import { receivedGroupRequests } from "../../lists/receivedGroupRequests.js";
import { countedLists } from "../nodes/counted.js";
import { keyOf } from "../nodes/keys.js";
import { itemsOf } from "../pages/items.js";
import { pageOf, pageParameters, unlessThere } from "../pages/routines.js";
import { indexPlans, routine } from "../schema/routine.js";
import { name, raw, type Sql, sql } from "../sql.js";
import { isManaging } from "./tables.js";

/** The function that answers a page. */
export const receivedPage = "received_requests";

const resultDigits = raw(String(digitsOf("handleResult")));

/** Whether it may be wrong what is kept of the requests that a user receives. */
const isInDoubt = sql`
  EXISTS (SELECT FROM received_doubts WHERE manager_user_id = asked_owner)
    OR EXISTS (
      SELECT FROM received_doubts doubt WHERE doubt.manager_user_id = '' AND EXISTS (
        SELECT FROM group_members manager
          WHERE manager.user_id = asked_owner AND manager.group_id = doubt.group_id AND ${isManaging("manager.")}))`;

const requests = sql`
  unnest(groups) AS managed (id) CROSS JOIN LATERAL (
    SELECT * FROM group_requests entry
      WHERE entry.group_id = managed.id AND (asked_results IS NULL OR entry.handle_result = ANY (asked_results))
  ) entry`;

/** Of what nothing is kept, or what may be wrong, all requests are looked at. */
const page = routine({
  name: receivedPage,
  parameters: pageParameters(raw("asked_groups text[], asked_results integer[], ")),
  kind: "STABLE",
  settings: indexPlans,
  body: sql`
    DECLARE
      groups text[];
    BEGIN
      ${unlessThere(receivedGroupRequests)}
      IF asked_groups IS NULL AND coalesce(cardinality(asked_results), 1) = 1 AND NOT (${isInDoubt}) THEN
        IF asked_results IS NULL THEN
          SELECT * INTO total, items
            FROM ${name(pageOf(countedLists.receivedGroupRequests))}(asked_owner, skip, size, NULL);
        ELSE
          SELECT * INTO total, items FROM ${name(pageOf(countedLists.receivedGroupRequestsByResult))}(
            asked_owner, skip, size,
            ARRAY[(${resultDigits} + asked_results[1])::text, (${resultDigits} + asked_results[1] + 1)::text]);
        END IF;
        RETURN;
      END IF;
      groups := ARRAY(
        SELECT group_id FROM group_members
          WHERE user_id = asked_owner AND ${isManaging()} AND (asked_groups IS NULL OR group_id = ANY (asked_groups)));
      total := (SELECT count(*) FROM ${requests});
      items := (
        ${itemsOf(
          receivedGroupRequests.item,
          sql`
            SELECT 1 AS piece, entry.*, ${keyOf(receivedGroupRequests.order, "entry")} AS key
              FROM ${requests} ORDER BY key LIMIT size OFFSET skip`,
        )});
    END`,
});

export const receivedRoutines: readonly Sql[] = [page];

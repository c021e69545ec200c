/**
 * The triggers that keep the received join requests right. Whatever changes, a request or a manager, its rows are made
 * to be what the tables say by then: so it does not matter in which order the triggers of a host and these run.
 */
import { lists } from "../../lists/index.js";
import { countIfLong, enter, leave } from "../nodes/listTriggers.js";
import { type SchemaObject, trigger } from "../schema/schemaObject.js";
import { sql } from "../sql.js";
import { isManaging } from "./managing.js";
import { receivedRows } from "./tables.js";

/** Makes the rows of a request right. */
const renewRequest = (row: string) =>
  sql`INSERT INTO im_admin_renew_request (group_id, user_id) VALUES (${columns(row)})`;

function columns(row: string) {
  return row === "NEW" ? sql`NEW.group_id, NEW.user_id` : sql`OLD.group_id, OLD.user_id`;
}

/** Makes the rows of a member right who is or was a manager. */
export function renewManager(row: "NEW" | "OLD") {
  const roleLevel = row === "NEW" ? sql`NEW.role_level` : sql`OLD.role_level`;
  return sql`INSERT INTO im_admin_renew_manager (group_id, user_id, role_level) VALUES (${columns(row)}, ${roleLevel})`;
}

const own = lists.filter(({ table }) => table === "receivedGroupRequests");

/** What the rows of a request or a manager are by now; those that are there already stay. */
const insertMissing = sql`
  INSERT INTO im_admin_received_group_requests (manager_user_id, group_id, user_id, req_time, handle_result)
    ${receivedRows}`;

export const receivedTriggers: readonly SchemaObject[] = [
  trigger({ name: "renewRequestInsert", event: "INSTEAD OF INSERT", on: "renewRequest" }, [
    sql`
      DELETE FROM im_admin_received_group_requests
        WHERE group_id = NEW.group_id AND user_id = NEW.user_id AND NOT EXISTS (
          SELECT 1 FROM im_admin_group_requests request
            JOIN im_admin_group_members manager ON manager.group_id = request.group_id AND manager.${isManaging}
            WHERE request.group_id = NEW.group_id AND request.user_id = NEW.user_id
              AND manager.user_id = im_admin_received_group_requests.manager_user_id
              AND request.req_time = im_admin_received_group_requests.req_time
              AND request.handle_result = im_admin_received_group_requests.handle_result)`,
    sql`
      ${insertMissing}
        WHERE request.group_id = NEW.group_id AND request.user_id = NEW.user_id
        ON CONFLICT DO NOTHING`,
  ]),
  trigger(
    { name: "renewManagerInsert", event: "INSTEAD OF INSERT", on: "renewManager", when: sql`NEW.${isManaging}` },
    [
      sql`
        DELETE FROM im_admin_received_group_requests
          WHERE group_id = NEW.group_id AND manager_user_id = NEW.user_id AND NOT EXISTS (
            SELECT 1 FROM im_admin_group_members
              WHERE group_id = NEW.group_id AND user_id = NEW.user_id AND ${isManaging})`,
      sql`
        ${insertMissing}
          WHERE request.group_id = NEW.group_id AND manager.user_id = NEW.user_id
          ON CONFLICT DO NOTHING`,
    ],
  ),
  trigger({ name: "groupRequestsAfterInsert", event: "AFTER INSERT", on: "groupRequests" }, [renewRequest("NEW")]),
  trigger(
    {
      name: "groupRequestsAfterUpdate",
      event: "AFTER UPDATE",
      of: ["groupID", "userID", "reqTime", "handleResult"],
      on: "groupRequests",
    },
    [renewRequest("OLD"), renewRequest("NEW")],
  ),
  trigger({ name: "groupRequestsAfterDelete", event: "AFTER DELETE", on: "groupRequests" }, [renewRequest("OLD")]),
  trigger(
    { name: "receivedGroupRequestsAfterInsert", event: "AFTER INSERT", on: "receivedGroupRequests" },
    own.flatMap((list) => [enter(list, "NEW"), countIfLong(list, "NEW")]),
  ),
  trigger(
    { name: "receivedGroupRequestsAfterDelete", event: "AFTER DELETE", on: "receivedGroupRequests" },
    own.map((list) => leave(list, "OLD")),
  ),
];

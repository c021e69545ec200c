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
const renewRequest = (row: string) => sql`INSERT INTO renewRequest (groupID, userID) VALUES (${columns(row)})`;

function columns(row: string) {
  return row === "NEW" ? sql`NEW.groupID, NEW.userID` : sql`OLD.groupID, OLD.userID`;
}

/** Makes the rows of a member right who is or was a manager. */
export function renewManager(row: "NEW" | "OLD") {
  const roleLevel = row === "NEW" ? sql`NEW.roleLevel` : sql`OLD.roleLevel`;
  return sql`INSERT INTO renewManager (groupID, userID, roleLevel) VALUES (${columns(row)}, ${roleLevel})`;
}

const own = lists.filter(({ table }) => table === "receivedGroupRequests");

/** What the rows of a request or a manager are by now; those that are there already stay. */
const insertMissing = sql`
  INSERT INTO receivedGroupRequests (managerUserID, groupID, userID, reqTime, handleResult)
    ${receivedRows}`;

export const receivedTriggers: readonly SchemaObject[] = [
  trigger({ name: "renewRequestInsert", event: "INSTEAD OF INSERT", on: "renewRequest" }, [
    sql`
      DELETE FROM receivedGroupRequests
        WHERE groupID = NEW.groupID AND userID = NEW.userID AND NOT EXISTS (
          SELECT 1 FROM groupRequests request
            JOIN groupMembers manager ON manager.groupID = request.groupID AND manager.${isManaging}
            WHERE request.groupID = NEW.groupID AND request.userID = NEW.userID
              AND manager.userID = receivedGroupRequests.managerUserID
              AND request.reqTime = receivedGroupRequests.reqTime
              AND request.handleResult = receivedGroupRequests.handleResult)`,
    sql`
      ${insertMissing}
        WHERE request.groupID = NEW.groupID AND request.userID = NEW.userID
        ON CONFLICT DO NOTHING`,
  ]),
  trigger(
    { name: "renewManagerInsert", event: "INSTEAD OF INSERT", on: "renewManager", when: sql`NEW.${isManaging}` },
    [
      sql`
        DELETE FROM receivedGroupRequests
          WHERE groupID = NEW.groupID AND managerUserID = NEW.userID AND NOT EXISTS (
            SELECT 1 FROM groupMembers
              WHERE groupID = NEW.groupID AND userID = NEW.userID AND ${isManaging})`,
      sql`
        ${insertMissing}
          WHERE request.groupID = NEW.groupID AND manager.userID = NEW.userID
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

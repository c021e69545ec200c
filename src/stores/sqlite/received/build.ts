/** Makes the received join requests anew from the requests and the managers. */
import { type Sql, sql } from "../sql.js";
import { receivedRows } from "./tables.js";

export const buildReceived: readonly Sql[] = [
  sql`DELETE FROM receivedGroupRequests`,
  sql`
    INSERT INTO receivedGroupRequests (managerUserID, groupID, userID, reqTime, handleResult)
      ${receivedRows}
      ORDER BY request.groupID, request.userID, manager.userID`,
];

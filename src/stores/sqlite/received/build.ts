/** Makes the received join requests anew from the requests and the managers. */
import { type Sql, sql } from "../sql.js";
import { receivedRows } from "./tables.js";

export const buildReceived: readonly Sql[] = [
  sql`DELETE FROM im_admin_received_group_requests`,
  sql`
    INSERT INTO im_admin_received_group_requests (manager_user_id, group_id, user_id, req_time, handle_result)
      ${receivedRows}
      ORDER BY request.group_id, request.user_id, manager.user_id`,
];

/** What is to be true of the received join requests. */
import { type Check, compare } from "../comparison.js";
import { sql } from "../sql.js";
import { receivedRows } from "./tables.js";

const kept = sql`SELECT manager_user_id, group_id, user_id, req_time, handle_result FROM im_admin_received_group_requests`;
const named = sql`manager_user_id || ' ' || group_id || ' ' || user_id`;

export const receivedChecks: readonly Check[] = [
  compare("the received join requests", [
    {
      problem: "join requests have not reached a manager",
      wrong: sql`SELECT ${named} FROM (${receivedRows} EXCEPT ${kept})`,
    },
    {
      problem: "received join requests have no request or no manager",
      wrong: sql`SELECT ${named} FROM (${kept} EXCEPT ${receivedRows})`,
    },
  ]),
];

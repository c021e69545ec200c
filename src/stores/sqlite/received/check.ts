/** What is to be true of the received join requests. */
import { type Check, compare } from "../comparison.js";
import { sql } from "../sql.js";
import { receivedRows } from "./tables.js";

const kept = sql`SELECT managerUserID, groupID, userID, reqTime, handleResult FROM receivedGroupRequests`;
const named = sql`managerUserID || ' ' || groupID || ' ' || userID`;

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

/** The search for a keyword among all notification accounts. */
import { notificationAccounts } from "../../lists/notificationAccounts.js";
import { isIn, ownedRows, type Selection } from "../pages/selections.js";
import { keyOf } from "../schema/keys.js";
import { sql } from "../sql.js";
import { contains } from "./keyword.js";

const matching = sql`
  ${ownedRows(notificationAccounts)} AND ${isIn(sql`app_manger_level`, "filter")}
    AND ${contains([sql`user_id`, sql`nickname`])}`;

/** Reads all accounts from an index. */
export const matchingAccounts: Selection = {
  definitions: [],
  total: sql`(SELECT count(*) FROM ${matching})`,
  page: sql`
    SELECT user_id, ${keyOf(notificationAccounts)} AS key FROM ${matching}
      ORDER BY ${keyOf(notificationAccounts)} LIMIT (SELECT size FROM request) OFFSET (SELECT skip FROM request)`,
};

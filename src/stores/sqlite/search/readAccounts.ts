/** The search for a keyword among all notification accounts. */
import type { NotificationAccountsQuery } from "../../../store.js";
import { notificationAccounts } from "../../lists/notificationAccounts.js";
import type { SqlDatabase } from "../database.js";
import { type FoundPage, pageStatement, readPage } from "../pages/readPage.js";
import { ownedRows, type Selection } from "../pages/selections.js";
import { keyOf } from "../schema/keys.js";
import { type Sql, sql } from "../sql.js";
import { conditionOf, contains } from "./keyword.js";

/** Reads all accounts from an index. */
const accounts: Selection = {
  definitions: [],
  total: sql`(SELECT count(*) FROM ${matchingAccounts()})`,
  page: sql`
    SELECT user_id, ${keyOf(notificationAccounts)} AS key FROM ${matchingAccounts()}
      ORDER BY ${keyOf(notificationAccounts)} LIMIT (SELECT size FROM request) OFFSET (SELECT skip FROM request)`,
};

function matchingAccounts(): Sql {
  const level = sql`(SELECT level FROM request)`;
  return sql`
    ${ownedRows(notificationAccounts)} AND (${level} IS NULL OR app_manger_level = ${level})
      AND ${contains([sql`user_id`, sql`nickname`])}`;
}

const ofAccounts = pageStatement(notificationAccounts, accounts, [
  "skip",
  "size",
  "level",
  "pattern",
  "literal",
] as const);

export function searchNotificationAccounts(
  database: SqlDatabase,
  query: NotificationAccountsQuery,
): Promise<FoundPage | undefined> {
  const { keyword, appMangerLevel: level = null, offset: skip, limit: size } = query;
  return readPage(database, ofAccounts, { skip, size, level, ...conditionOf(keyword) });
}

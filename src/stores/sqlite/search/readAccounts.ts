/** The search for a keyword among all notification accounts. */
import type { NotificationAccountsQuery } from "../../../store.js";
import { notificationAccounts } from "../../lists/notificationAccounts.js";
import { type FoundPage, type PageReader, pageText, readPage } from "../pages/readPage.js";
import { isIn, ownedRows, type Selection } from "../pages/selections.js";
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
  return sql`
    ${ownedRows(notificationAccounts)} AND ${isIn(sql`app_manger_level`, "filter")}
      AND ${contains([sql`user_id`, sql`nickname`])}`;
}

const text = pageText(notificationAccounts, accounts);

export function searchNotificationAccounts(
  reader: PageReader,
  { keyword, appMangerLevel, offset: skip, limit: size }: NotificationAccountsQuery,
): Promise<FoundPage | undefined> {
  const filter = appMangerLevel === undefined ? null : JSON.stringify([appMangerLevel]);
  return readPage(reader, text, { skip, size, filter, ...conditionOf(keyword) });
}

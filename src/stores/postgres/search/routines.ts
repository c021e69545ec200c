/** The functions that answer a page of what a keyword finds. */
import { groupMembers } from "../../lists/groupMembers.js";
import type { ListDefinition } from "../../lists/list.js";
import { notificationAccounts } from "../../lists/notificationAccounts.js";
import { type CountedList, countedLists } from "../nodes/counted.js";
import { itemsOf } from "../pages/items.js";
import { pageParameters, unlessThere } from "../pages/routines.js";
import { indexPlans, routine } from "../schema/routine.js";
import { name, raw, type Sql, sql } from "../sql.js";

/** The function that answers a page of what a keyword finds in a list. */
export function searchOf({ name: own }: CountedList): string {
  return `${own}_search`;
}

/** How to look for a keyword in a list. */
interface Searched {
  definition: ListDefinition;
  list: CountedList;
  /** What the rows of the list are joined to, for their nicknames. */
  joined: Sql;
  nickname: Sql;
  /** The column whose values may be restricted. */
  level: Sql;
}

/** Whether a text contains the keyword, which is in small letters. Bytewise, lower() folds letters of ASCII alone. */
const contains = (text: Sql) => sql`strpos(lower(${text} COLLATE "C"), keyword) > 0`;

/** Looks at all rows of a list. */
function search({ definition, list, joined, nickname, level }: Searched): Sql {
  return routine({
    name: searchOf(list),
    parameters: pageParameters(raw("asked_levels integer[], keyword text, ")),
    kind: "STABLE",
    settings: indexPlans,
    body: sql`
      BEGIN
        ${unlessThere(definition)}
        WITH hits AS MATERIALIZED (
          SELECT entry.ctid AS place, ${list.key("entry")} AS key
            FROM ${name(list.table)} entry ${joined}
            WHERE ${list.isOwnedBy(raw("asked_owner"), "entry")}
              AND (asked_levels IS NULL OR ${level} = ANY (asked_levels))
              AND (${contains(raw("entry.user_id"))} OR ${contains(nickname)})
        )
        SELECT (SELECT count(*) FROM hits), (
          ${itemsOf(
            definition.item,
            sql`
              SELECT 1 AS piece, entry.*, hit.key
                FROM (SELECT * FROM hits ORDER BY hits.key LIMIT size OFFSET skip) hit
                  JOIN ${name(list.table)} entry ON entry.ctid = hit.place`,
          )})
          INTO total, items;
      END`,
  });
}

export const searchRoutines: readonly Sql[] = [
  search({
    definition: groupMembers,
    list: countedLists.groupMembers,
    joined: raw("LEFT JOIN users profile ON profile.user_id = entry.user_id"),
    nickname: raw("CASE entry.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE entry.nickname END"),
    level: raw("entry.role_level"),
  }),
  search({
    definition: notificationAccounts,
    list: countedLists.notificationAccounts,
    joined: raw(""),
    nickname: raw("entry.nickname"),
    level: raw("entry.app_manger_level"),
  }),
];

/** The functions that answer a page of what a keyword finds. */
import { groupMembers } from "../../lists/groupMembers.js";
import type { ListDefinition } from "../../lists/list.js";
import { notificationAccounts } from "../../lists/notificationAccounts.js";
import { type CountedList, countedLists } from "../nodes/counted.js";
import { totalOf } from "../nodes/read.js";
import { itemsOf } from "../pages/items.js";
import { pageParameters, unlessThere } from "../pages/routines.js";
import { indexPlans, routine } from "../schema/routine.js";
import { literal, name, raw, type Sql, sql } from "../sql.js";
import { memberWords, profileWords } from "./words.js";

/** The function that answers a page of what a keyword finds in a list. */
export function searchOf({ name: own }: CountedList): string {
  return `${own}_search`;
}

/** How long a group is whose rows are looked at, one by one, at least where no index can tell anything. */
const fewMembers = 2000;

/** Whether a text contains the keyword, which is in small letters. Bytewise, lower() folds letters of ASCII alone. */
const contains = (text: Sql) => sql`strpos(lower(${text} COLLATE "C"), keyword) > 0`;

/** A SELECT of the places and keys of the rows that a keyword finds, and which rows of a list those are. */
interface Searched {
  definition: ListDefinition;
  list: CountedList;
  hits: Sql;
}

/** Answers a page of some rows, and their number. */
const answer = ({ definition, list, hits }: Searched): Sql => sql`
  WITH hits AS MATERIALIZED (
    ${hits}
  )
  SELECT (SELECT count(*) FROM hits), (
    ${itemsOf(
      definition.item,
      sql`
        SELECT 1 AS piece, entry.*, hit.key
          FROM (SELECT * FROM hits ORDER BY hits.key LIMIT size OFFSET skip) hit
            JOIN ${name(list.table)} entry ON entry.ctid = hit.place`,
    )})
    INTO total, items;`;

const parameters = pageParameters(raw("asked_levels integer[], keyword text, "));

const accounts = countedLists.notificationAccounts;

const searchAccounts = routine({
  name: searchOf(accounts),
  parameters,
  kind: "STABLE",
  settings: indexPlans,
  body: sql`
    BEGIN
      ${answer({
        definition: notificationAccounts,
        list: accounts,
        hits: sql`
          SELECT entry.ctid AS place, ${accounts.key("entry")} AS key FROM users entry
            WHERE ${accounts.isListed("entry")} AND (asked_levels IS NULL OR app_manger_level = ANY (asked_levels))
              AND (${contains(raw("entry.user_id"))} OR ${contains(raw("entry.nickname"))})`,
      })}
    END`,
});

const members = countedLists.groupMembers;

const isMatching = sql`
  (asked_levels IS NULL OR entry.role_level = ANY (asked_levels))
    AND (${contains(raw("entry.user_id"))}
      OR ${contains(raw("CASE entry.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE entry.nickname END"))})`;

/** Looks at all rows of a group. */
const rows = sql`
  SELECT entry.ctid AS place, ${members.key("entry")} AS key
    FROM group_members entry LEFT JOIN users profile ON profile.user_id = entry.user_id
    WHERE entry.group_id = asked_owner AND ${isMatching}`;

/** Looks at what indexes find among all members, and among the profiles of those who have no nickname. */
const indexedRows = (condition: (words: Sql) => Sql) => sql`
  SELECT entry.ctid AS place, ${members.key("entry")} AS key
    FROM group_members entry LEFT JOIN users profile ON profile.user_id = entry.user_id
    WHERE ${condition(memberWords("entry."))} AND (entry.group_id || '') = asked_owner AND ${isMatching}
  UNION
  SELECT entry.ctid, ${members.key("entry")}
    FROM users profile CROSS JOIN LATERAL (
        -- For each of them: to begin with the members of the group would be to look at all.
        SELECT entry.ctid, entry.* FROM group_members entry
          WHERE entry.group_id = asked_owner AND entry.user_id = profile.user_id AND entry.nickname = '' OFFSET 0
      ) entry
    WHERE ${condition(profileWords("profile."))} AND ${isMatching}`;

/** The same rows, of a group so large that the plan is to be made for it. */
const look = routine({
  name: "group_members_look",
  parameters: raw("asked_owner text, asked_levels integer[], keyword text"),
  returns: "TABLE (place tid, key text)",
  kind: "STABLE",
  settings: ["plan_cache_mode = force_custom_plan"],
  body: sql`
    BEGIN
      RETURN QUERY
        ${rows};
    END`,
});

const answerMembers = (hits: Sql) => answer({ definition: groupMembers, list: members, hits });

/** All ways find the same: an index that cannot be asked costs a look at all rows. */
const searchMembers = (hasTrigrams: boolean) =>
  routine({
    name: searchOf(members),
    parameters,
    kind: "STABLE",
    // What indexes of words find is a bitmap.
    settings: [...indexPlans, "enable_bitmapscan = on"],
    body: sql`
      DECLARE
        pattern text := '%' || regexp_replace(keyword, '([\\\\%_])', '\\\\\\1', 'g') || '%';
        asked_grams text[] := grams(keyword);
      BEGIN
        ${unlessThere(groupMembers)}
        IF (${totalOf(members, raw("asked_owner"))}) <= ${literal(fewMembers)} THEN
          ${answerMembers(rows)}
        ELSIF cardinality(asked_grams) > 0 THEN
          ${answerMembers(indexedRows((words) => sql`grams(${words}) @> asked_grams`))}
        ELSIF ${raw(hasTrigrams ? `keyword COLLATE "C" ~ '[a-z0-9]{3}'` : "false")} THEN
          ${answerMembers(indexedRows((words) => sql`${words} LIKE pattern`))}
        ELSE
          ${answerMembers(sql`
            SELECT found.place, found.key COLLATE "C" AS key
              FROM group_members_look(asked_owner, asked_levels, keyword) found`)}
        END IF;
      END`,
  });

export const searchRoutines = (hasTrigrams: boolean): Sql[] => [searchAccounts, look, searchMembers(hasTrigrams)];

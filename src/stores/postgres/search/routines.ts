/** The functions that answer a page of what a keyword finds. */
import { groupMembers } from "../../lists/groupMembers.js";
import type { ListDefinition } from "../../lists/list.js";
import { notificationAccounts } from "../../lists/notificationAccounts.js";
import { type CountedList, countedLists } from "../nodes/counted.js";
import { columnOf, columnsInOrder } from "../nodes/keys.js";
import { totalOf } from "../nodes/read.js";
import { itemsOf } from "../pages/items.js";
import { pageParameters, unlessThere } from "../pages/routines.js";
import { freePlans, indexPlans, routine } from "../schema/routine.js";
import { join, literal, name, raw, type Sql, sql } from "../sql.js";
import { memberWords, profileWords } from "./words.js";

/** The function that answers a page of what a keyword finds in a list. */
export function searchOf({ name: own }: CountedList): string {
  return `${own}_search`;
}

/** How long a group is whose rows are looked at, one by one, at least where no index can tell anything. */
const fewMembers = 2000;

/**
 * Whether a text contains the keyword, which is in small letters. Bytewise, lower() folds letters of ASCII alone. It takes
 * longer than to look for the keyword: where that has no letters, the text need not be folded.
 */
const contains = (text: Sql) =>
  sql`strpos(CASE WHEN has_letters THEN lower(${text} COLLATE "C") ELSE ${text} END, keyword) > 0`;
const hasLetters = raw(`has_letters boolean := keyword COLLATE "C" ~ '[a-z]';`);

/** A SELECT of the places of the rows that a keyword finds and of what they are sorted by, and which rows those are. */
interface Searched {
  definition: ListDefinition;
  list: CountedList;
  hits: Sql;
}

/** What the rows of a list are sorted by: as columns, which are there, and not as keys, which would have to be made. */
const sortedBy = ({ order }: ListDefinition, alias: string) => join(order.map(({ field }) => columnOf(field, alias)));

/** Answers a page of some rows, and their number. */
const answer = ({ definition, list, hits }: Searched): Sql => sql`
  WITH hits AS MATERIALIZED (
    ${hits}
  )
  SELECT (SELECT count(*) FROM hits), (
    ${itemsOf(
      definition.item,
      sql`
        SELECT 1 AS piece, entry.*, ${list.key("entry")} AS key
          FROM (SELECT place FROM hits ORDER BY ${columnsInOrder(definition.order)} LIMIT size OFFSET skip) hit
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
    DECLARE
      ${hasLetters}
    BEGIN
      ${answer({
        definition: notificationAccounts,
        list: accounts,
        hits: sql`
          SELECT entry.ctid AS place, ${sortedBy(notificationAccounts, "entry")} FROM users entry
            WHERE ${accounts.isListed("entry")} AND (asked_levels IS NULL OR app_manger_level = ANY (asked_levels))
              AND (${contains(raw("entry.user_id"))} OR ${contains(raw("entry.nickname"))})`,
      })}
    END`,
});

const members = countedLists.groupMembers;

/** A member as a hit. */
const asHit = sql`entry.ctid AS place, ${sortedBy(groupMembers, "entry")}`;

const isAsked = raw("entry.group_id = asked_owner AND (asked_levels IS NULL OR entry.role_level = ANY (asked_levels))");
const hasWord = sql`(${contains(raw("entry.user_id"))} OR ${contains(raw("entry.nickname"))})`;

/** Looks at all rows of a group, and at their profiles. */
const rows = sql`
  SELECT ${asHit} FROM group_members entry LEFT JOIN users profile ON profile.user_id = entry.user_id
    WHERE ${isAsked} AND (${hasWord} OR entry.nickname = '' AND ${contains(raw("profile.nickname"))})`;

/** The same rows, where they are so many that profiles are better looked at first. */
const look = sql`
  SELECT ${asHit} FROM group_members entry LEFT JOIN (
      SELECT user_id FROM users profile WHERE ${contains(raw("profile.nickname"))}
    ) named ON named.user_id = entry.user_id AND entry.nickname = ''
    WHERE ${isAsked} AND (${hasWord} OR named.user_id IS NOT NULL)`;

/** Looks at what indexes find among all members, and among the profiles of those who have no nickname. */
const indexedRows = (condition: (words: Sql) => Sql) => sql`
  SELECT ${asHit} FROM group_members entry WHERE ${condition(memberWords("entry."))} AND ${isAsked} AND ${hasWord}
  UNION ALL
  SELECT ${asHit} FROM group_members entry
    WHERE ${isAsked} AND entry.nickname = '' AND NOT ${contains(raw("entry.user_id"))} AND entry.user_id IN (
      SELECT user_id FROM users profile
        WHERE ${condition(profileWords("profile."))} AND ${contains(raw("profile.nickname"))})`;

/** How many members tell whether a keyword is so common that all are better looked at, and from how many hits on. */
const sample = { size: 200, hits: 20 };

/**
 * What a keyword finds in a group that is large. The plan is made for the keyword: how to join members and profiles
 * depends on how many have it. All ways find the same: an index that cannot be asked costs a look at all rows.
 */
const hits = (hasTrigrams: boolean) =>
  routine({
    name: "group_members_hits",
    parameters: raw("asked_owner text, asked_levels integer[], keyword text"),
    returns: sql`TABLE (place tid, ${join(groupMembers.order.map(({ field }) => sql`${columnOf(field)} ${columnOf(field, "group_members")}%TYPE`))})`,
    kind: "STABLE",
    settings: freePlans,
    body: sql`
      #variable_conflict use_column
      DECLARE
        ${hasLetters}
        -- What numbers begin with, many have in common, as where they are given in their order.
        part text := CASE WHEN keyword ~ '^[0-9]{7,}$' THEN right(keyword, 6) ELSE keyword END;
        pattern text := '%' || regexp_replace(part, '([\\\\%_])', '\\\\\\1', 'g') || '%';
        asked_grams text[] := grams(keyword);
        is_common boolean := ${literal(sample.hits)} <= (
          SELECT count(*) FROM (
            SELECT * FROM group_members entry WHERE entry.group_id = asked_owner
              ORDER BY ${members.key("entry")} LIMIT ${literal(sample.size)}
          ) entry WHERE ${hasWord});
      BEGIN
        IF cardinality(asked_grams) > 0 AND NOT is_common THEN
          RETURN QUERY
            ${indexedRows((words) => sql`grams(${words}) @> asked_grams`)};
        ELSIF ${raw(hasTrigrams ? `keyword COLLATE "C" ~ '[a-z0-9]{3}'` : "false")} AND NOT is_common THEN
          RETURN QUERY
            ${indexedRows((words) => sql`${words} LIKE pattern`)};
        ELSE
          RETURN QUERY
            ${look};
        END IF;
      END`,
  });

const searchMembers = routine({
  name: searchOf(members),
  parameters,
  kind: "STABLE",
  settings: indexPlans,
  body: sql`
    DECLARE
      ${hasLetters}
    BEGIN
      ${unlessThere(groupMembers)}
      IF (${totalOf(members, raw("asked_owner"))}) <= ${literal(fewMembers)} THEN
        ${answer({ definition: groupMembers, list: members, hits: rows })}
      ELSE
        ${answer({
          definition: groupMembers,
          list: members,
          hits: raw("SELECT * FROM group_members_hits(asked_owner, asked_levels, keyword)"),
        })}
      END IF;
    END`,
});

export const searchRoutines = (hasTrigrams: boolean): Sql[] => [searchAccounts, hits(hasTrigrams), searchMembers];

/** The functions that answer a page of what a keyword finds. */
import { groupMembers } from "../../lists/groupMembers.js";
import { digitsOf } from "../../lists/keyRanges.js";
import type { ListDefinition } from "../../lists/list.js";
import { notificationAccounts } from "../../lists/notificationAccounts.js";
import { type CountedList, countedLists } from "../nodes/counted.js";
import { columnOf, columnsInOrder } from "../nodes/keys.js";
import { totalOf } from "../nodes/read.js";
import { columnsOf, itemsOf } from "../pages/items.js";
import { pageParameters, unlessThere } from "../pages/routines.js";
import { freePlans, indexPlans, routine } from "../schema/routine.js";
import { join, literal, name, raw, type Sql, sql } from "../sql.js";
import { findRoutines } from "./find.js";
import { members } from "./tables.js";
import { contains, hasLetters, hasWord, memberHasWord } from "./words.js";

/** The function that answers a page of what a keyword finds in a list. */
export function searchOf({ name: own }: CountedList): string {
  return `${own}_search`;
}

/** Up to how many members a group without documents has whose profiles are looked up one by one. */
const fewMembers = 2000;

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
        SELECT 1 AS piece, ${columnsOf(definition.item, "entry")}, ${list.key("entry")} AS key
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
              AND ${hasWord}`,
      })}
    END`,
});

/** A member as a hit. */
const asHit = sql`entry.ctid AS place, ${sortedBy(groupMembers, "entry")}`;

const isAsked = raw("entry.group_id = asked_owner AND (asked_levels IS NULL OR entry.role_level = ANY (asked_levels))");

/** Looks at all rows of a group, and at their profiles. */
const rows = sql`
  SELECT ${asHit} FROM group_members entry LEFT JOIN users profile ON profile.user_id = entry.user_id
    WHERE ${isAsked} AND ${memberHasWord}`;

/**
 * The same rows, where they are so many that profiles are better looked at first. The plan is made for the keyword: how to
 * join members and profiles depends on how many have it.
 */
const hits = routine({
  name: "group_members_hits",
  parameters: raw("asked_owner text, asked_levels integer[], keyword text"),
  returns: sql`TABLE (place tid, ${join(groupMembers.order.map(({ field }) => sql`${columnOf(field)} ${columnOf(field, "group_members")}%TYPE`))})`,
  kind: "STABLE",
  settings: freePlans,
  body: sql`
    DECLARE
      ${hasLetters}
    BEGIN
      RETURN QUERY
        SELECT ${asHit} FROM group_members entry LEFT JOIN (
            SELECT profile.user_id FROM users profile WHERE ${contains(raw("profile.nickname"))}
          ) named ON named.user_id = entry.user_id AND entry.nickname = ''
          WHERE ${isAsked} AND (${hasWord} OR named.user_id IS NOT NULL);
    END`,
});

const levelDigits = raw(String(digitsOf("roleLevel")));

const searchMembers = routine({
  name: searchOf(members),
  parameters,
  kind: "STABLE",
  settings: indexPlans,
  body: sql`
    DECLARE
      ${hasLetters}
      keys text[];
    BEGIN
      ${unlessThere(groupMembers)}
      SELECT found.total, found.keys INTO total, keys
        FROM documents_find(
          asked_owner, CASE WHEN asked_levels IS NOT NULL THEN ARRAY(SELECT (${levelDigits} - level)::text FROM unnest(asked_levels) level) END,
          keyword, skip, size
        ) found;
      IF total IS NOT NULL THEN
        items := (
          ${itemsOf(
            groupMembers.item,
            sql`
              SELECT 1 AS piece, ${columnsOf(groupMembers.item, "entry")}, found.key FROM unnest(keys) AS found (key)
                JOIN group_members entry ON entry.group_id = asked_owner AND ${members.key("entry")} = found.key`,
          )});
      ELSIF (${totalOf(members, raw("asked_owner"))}) <= ${literal(fewMembers)} THEN
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

export const searchRoutines = (hasTrigrams: boolean): Sql[] => [
  searchAccounts,
  hits,
  ...findRoutines(hasTrigrams),
  searchMembers,
];

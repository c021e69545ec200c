/** How the definitions of items become SQL that answers a page as JSON, written as JavaScript writes it. */
import { groupMembers } from "../../lists/groupMembers.js";
import { rangeOf } from "../../lists/keyRanges.js";
import type { ItemDefinition, Source, Sources } from "../../lists/list.js";
import { snake } from "../names.js";
import { countedLists } from "../nodes/counted.js";
import { totalOf } from "../nodes/read.js";
import { join, literal, name, quoted, raw, type Sql, sql } from "../sql.js";

/** The columns of a listed row that its item is made of, and not those that a host may have added to the table. */
export function columnsOf({ profile, group, fields }: ItemDefinition, alias: string): Sql {
  const joined = [profile, group].filter((column) => column !== undefined);
  const columns = [...new Set([...joined, ...columnsFrom(fields)])];
  return join(columns.map((column) => sql`${name(alias)}.${snake(column)}`));
}

function columnsFrom(fields: Sources<object>): string[] {
  return Object.values(fields).flatMap((source: Source | Sources<object>) => {
    if (!isSource(source)) return columnsFrom(source);
    return source.from === "row" || source.from === "seconds" || source.from === "rowOrProfile" ? source.column : [];
  });
}

/** The items of the rows of `place` in the order of its columns `piece` and `key`, as a JSON array. */
export function itemsOf(item: ItemDefinition, places: Sql): Sql {
  return sql`
    SELECT '[' || coalesce(string_agg(
        ${jsonObject(item.fields)}::text,
        ',' ORDER BY place.piece, place.key), '') || ']'
      FROM (
        ${places}
      ) place
      ${itemJoins(item)}`;
}

function jsonObject(fields: Sources<object>): Sql {
  const columns = Object.entries(fields).map(
    ([field, source]) => sql`${isSource(source) ? valueFrom(source) : jsonObject(source)} AS ${quoted(field)}`,
  );
  return sql`
    (SELECT row_to_json(item.*) FROM (
      SELECT
        ${join(columns, ",\n")}
    ) item)`;
}

function isSource(source: Source | Sources<object>): source is Source {
  return typeof (source as Source).from === "string";
}

function valueFrom(source: Source): Sql {
  switch (source.from) {
    case "row":
      return sql`place.${snake(source.column)}`;
    case "seconds":
      return sql`place.${snake(source.column)} / 1000`;
    case "profile":
      return sql`coalesce(profile.${snake(source.column)}, ${literal(source.empty)})`;
    case "group":
      return sql`coalesce(joined.${snake(source.column)}, ${literal(source.empty)})`;
    case "rowOrProfile": {
      const own = sql`place.${snake(source.column)}`;
      return sql`CASE ${own} WHEN '' THEN coalesce(profile.${snake(source.column)}, '') ELSE ${own} END`;
    }
    case "memberCount":
      return totalOf(countedLists.groupMembers, raw("place.group_id"));
    case "groupOwner":
      return groupOwner;
  }
}

const [fromOwners, toOwners] = rangeOf(groupMembers, 100);
const memberKey = countedLists.groupMembers.key("member");

/** The first of the members of a group who own it, in the order of its list. */
const groupOwner = sql`
  coalesce((
    SELECT member.user_id FROM group_members member
      WHERE member.group_id = place.group_id
        AND ${memberKey} >= ${literal(fromOwners)} AND ${memberKey} < ${literal(toOwners)}
      ORDER BY ${memberKey} LIMIT 1), '')`;

function itemJoins({ profile, group }: ItemDefinition): Sql {
  const joins = [];
  if (profile !== undefined) joins.push(sql`LEFT JOIN users profile ON profile.user_id = place.${snake(profile)}`);
  if (group !== undefined) joins.push(sql`LEFT JOIN groups joined ON joined.group_id = place.${snake(group)}`);
  return join(joins, "\n");
}

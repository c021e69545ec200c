/** How the definitions of items become SQL that answers a page as JSON. */
import { groupMembers } from "../../lists/groupMembers.js";
import type { ItemDefinition, ListDefinition, Source, Sources } from "../../lists/list.js";
import { isInRange, keyOf, rangeOf } from "../nodes/keys.js";
import { orderIndex, recordOf } from "../nodes/names.js";
import { rowColumns } from "../nodes/read.js";
import { listedMembers } from "../search/documents.js";
import { all, join, literal, name, our, type Sql, sql } from "../sql.js";

/** The members of a group who own it, in the order of its list. */
const isOwner = isInRange(groupMembers, rangeOf(groupMembers, 100));

const members = sql`${listedMembers} INDEXED BY ${name(orderIndex(groupMembers))}`;

/** The columns that name what is looked up for an item. */
type Lookups = Pick<ItemDefinition, "profile" | "group">;

/**
 * An item, or an object in it, as JSON. The `entry` is joined; the profile or group of an object is looked up, and may be
 * gone. A LEFT JOIN would say the same, but finds nothing by an index where the record is a view of a host's table.
 */
export function itemObject(fields: Sources<object>, lookups: Lookups): Sql {
  const sources = entriesOf(fields).map(([, { from }]) => from);
  const isGroup = sources.includes("group");
  const isUser = sources.includes("profile") || sources.includes("rowOrProfile");
  if (!isGroup && !isUser) return jsonObject(fields, lookups);
  const key = isGroup ? "groupID" : "userID";
  const column = (isGroup ? lookups.group : lookups.profile) ?? key;
  return sql`
    coalesce(
      (SELECT ${jsonObject(fields, lookups)}
        FROM ${our(isGroup ? "groups" : "users")} found WHERE found.${name(key)} = entry.${name(column)}),
      ${jsonObject(fields, lookups, true)})`;
}

function jsonObject(fields: Sources<object>, lookups: Lookups, isGone = false): Sql {
  const pairs = entriesOf(fields).map(([field, source]) => {
    const value = isSource(source) ? valueFrom(source, isGone) : sql`json(${itemObject(source, lookups)})`;
    return sql`${literal(field)}, ${value}`;
  });
  return sql`
    json_object(
      ${join(pairs, ",\n")}
    )`;
}

function entriesOf(fields: Sources<object>): [field: string, source: Source | (Sources<object> & { from?: never })][] {
  return Object.entries(fields);
}

function isSource(source: Source | Sources<object>): source is Source {
  return typeof (source as Source).from === "string";
}

/** The value of a field; `isGone` where the profile or the group is. */
function valueFrom(source: Source, isGone: boolean): Sql {
  switch (source.from) {
    case "row":
      return sql`entry.${name(source.column)}`;
    case "seconds":
      return sql`entry.${name(source.column)} / 1000`;
    case "profile":
    case "group":
      return isGone ? literal(source.empty) : sql`found.${name(source.column)}`;
    case "rowOrProfile": {
      const own = sql`entry.${name(source.column)}`;
      return isGone ? own : sql`CASE ${own} WHEN '' THEN found.${name(source.column)} ELSE ${own} END`;
    }
    case "memberCount":
      return sql`
        coalesce(
          (SELECT total FROM im_admin_lists WHERE name = 'groupMembers' AND owner = entry.group_id),
          (SELECT count(*) FROM ${members} WHERE group_id = entry.group_id))`;
    case "groupOwner":
      return sql`
        coalesce((
          SELECT user_id FROM ${members}
            WHERE group_id = entry.group_id AND ${isOwner} ORDER BY ${keyOf(groupMembers)} LIMIT 1), '')`;
  }
}

/** Joins the record to the page, which is called `place`. */
export function entryJoin(list: ListDefinition): Sql {
  const same = rowColumns(list).map((column) => sql`entry.${name(column)} = place.${name(column)}`);
  return sql`CROSS JOIN ${our(recordOf(list))} entry ON ${all(same)}`;
}

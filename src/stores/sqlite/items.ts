/** How the definitions of items become SQL that answers a page as JSON. */
import type { ItemDefinition, ListDefinition, Source, Sources } from "../lists/list.js";
import { groupMembers } from "../lists/groupMembers.js";
import { isInRange, keyOf, rangeOf } from "./nodes/keys.js";
import { join, literal, name, type Sql, sql } from "./sql.js";

/** The members of a group who own it, in the order of its list. */
const isOwner = isInRange(groupMembers, rangeOf(groupMembers, 100));

/** One item, as a JSON object; `entry` is the listed row, joined by {@link itemJoins}. */
export function itemObject({ rows, fields }: ItemDefinition): Sql {
  return jsonObject(fields, rows === undefined ? "entry" : "stored");
}

function jsonObject(fields: Sources<object>, row: string): Sql {
  const pairs = Object.entries(fields).map(([field, source]) => {
    const value = isSource(source) ? valueOf(source, row) : jsonObject(source, row);
    return sql`${literal(field)}, ${value}`;
  });
  return sql`
    json_object(
      ${join(pairs, ",\n")}
    )`;
}

function isSource(source: Source | Sources<object>): source is Source {
  return typeof (source as Source).from === "string";
}

function valueOf(source: Source, row: string): Sql {
  switch (source.from) {
    case "row":
      return sql`${name(row)}.${name(source.column)}`;
    case "profile":
      return sql`coalesce(profile.${name(source.column)}, ${literal(source.empty)})`;
    case "group":
      return sql`coalesce(joined.${name(source.column)}, ${literal(source.empty)})`;
    case "rowOrProfile": {
      const own = sql`${name(row)}.${name(source.column)}`;
      return sql`CASE ${own} WHEN '' THEN coalesce(profile.${name(source.column)}, '') ELSE ${own} END`;
    }
    case "memberCount":
      return sql`
        coalesce(
          (SELECT total FROM lists WHERE name = 'groupMembers' AND owner = entry.groupID),
          (SELECT count(*) FROM groupMembers INDEXED BY groupMembersInOrder WHERE groupID = entry.groupID))`;
    case "groupOwner":
      return sql`
        coalesce((
          SELECT userID FROM groupMembers INDEXED BY groupMembersInOrder
            WHERE groupID = entry.groupID AND ${isOwner} ORDER BY ${keyOf(groupMembers)} LIMIT 1), '')`;
  }
}

/** The joins that an item needs, after the listed row as `entry`. */
export function itemJoins({ item: { rows, profile, group } }: ListDefinition): Sql {
  const joins = [];
  if (rows !== undefined) {
    joins.push(sql`CROSS JOIN ${name(rows)} stored ON stored.groupID = entry.groupID AND stored.userID = entry.userID`);
  }
  if (profile !== undefined) joins.push(sql`LEFT JOIN users profile ON profile.userID = entry.${name(profile)}`);
  if (group !== undefined) joins.push(sql`LEFT JOIN groups joined ON joined.groupID = entry.${name(group)}`);
  return join(joins, "\n");
}

/** How the definitions of items become SQL that answers a page as JSON. */
import { groupMembers } from "../../lists/groupMembers.js";
import type { ItemDefinition, ListDefinition, Source, Sources } from "../../lists/list.js";
import { isInRange, keyOf, rangeOf } from "../nodes/keys.js";
import { listedTable, orderIndex, recordOf } from "../nodes/names.js";
import { rowColumns } from "../nodes/read.js";
import { listedMembers } from "../search/documents.js";
import { all, join, literal, name, our, type Sql, sql } from "../sql.js";

/** The members of a group who own it, in the order of its list. */
const isOwner = isInRange(groupMembers, rangeOf(groupMembers, 100));

const members = sql`${listedMembers} INDEXED BY ${name(orderIndex(groupMembers))}`;

/** One item, as a JSON object of what {@link itemJoins} joins. */
export function itemObject({ fields }: ItemDefinition): Sql {
  return jsonObject(fields);
}

function jsonObject(fields: Sources<object>): Sql {
  const pairs = Object.entries(fields).map(
    ([field, source]) => sql`${literal(field)}, ${isSource(source) ? valueFrom(source) : jsonObject(source)}`,
  );
  return sql`
    json_object(
      ${join(pairs, ",\n")}
    )`;
}

function isSource(source: Source | Sources<object>): source is Source {
  return typeof (source as Source).from === "string";
}

function valueFrom(source: Source): Sql {
  switch (source.from) {
    case "row":
      return sql`entry.${name(source.column)}`;
    case "seconds":
      return sql`entry.${name(source.column)} / 1000`;
    case "profile":
      return sql`coalesce(profile.${name(source.column)}, ${literal(source.empty)})`;
    case "group":
      return sql`coalesce(joined.${name(source.column)}, ${literal(source.empty)})`;
    case "rowOrProfile": {
      const own = sql`entry.${name(source.column)}`;
      return sql`CASE ${own} WHEN '' THEN coalesce(profile.${name(source.column)}, '') ELSE ${own} END`;
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

/** The joins that an item needs, after the page as `place`. */
export function itemJoins(list: ListDefinition): Sql {
  const { profile, group } = list.item;
  const joins = [entryJoin(list)];
  if (profile !== undefined)
    joins.push(sql`LEFT JOIN im_admin_users profile ON profile.user_id = entry.${name(profile)}`);
  if (group !== undefined) joins.push(sql`LEFT JOIN im_admin_groups joined ON joined.group_id = entry.${name(group)}`);
  return join(joins, "\n");
}

/** Joins the record, or the listed row where that has all that is answered. */
function entryJoin(list: ListDefinition): Sql {
  const from = list.item.isOfKey ? listedTable(list) : our(recordOf(list));
  const same = rowColumns(list).map((column) => sql`entry.${name(column)} = place.${name(column)}`);
  return sql`CROSS JOIN ${from} entry ON ${all(same)}`;
}

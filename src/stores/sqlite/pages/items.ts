/** How the definitions of items become SQL that answers a page as JSON. */
import { recordKeys } from "../../../records.js";
import { groupMembers } from "../../lists/groupMembers.js";
import type { ItemDefinition, ListDefinition, Source, Sources } from "../../lists/list.js";
import { isInRange, keyOf, rangeOf } from "../nodes/keys.js";
import { rowColumns } from "../nodes/read.js";
import { all, join, literal, name, our, type Sql, sql } from "../sql.js";

/** The members of a group who own it, in the order of its list. */
const isOwner = isInRange(groupMembers, rangeOf(groupMembers, 100));

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
          (SELECT count(*) FROM im_admin_group_members INDEXED BY im_admin_group_members_in_order WHERE group_id = entry.group_id))`;
    case "groupOwner":
      return sql`
        coalesce((
          SELECT user_id FROM im_admin_group_members INDEXED BY im_admin_group_members_in_order
            WHERE group_id = entry.group_id AND ${isOwner} ORDER BY ${keyOf(groupMembers)} LIMIT 1), '')`;
  }
}

/** The joins that an item needs, after the page as `place`. */
export function itemJoins(list: ListDefinition): Sql {
  const { rows, profile, group } = list.item;
  const columns: readonly string[] = rows === undefined ? rowColumns(list) : recordKeys[rows];
  const isRow = columns.map((column) => sql`entry.${name(column)} = place.${name(column)}`);
  const joins = [sql`CROSS JOIN ${our(rows ?? list.table)} entry ON ${all(isRow)}`];
  if (profile !== undefined)
    joins.push(sql`LEFT JOIN im_admin_users profile ON profile.user_id = entry.${name(profile)}`);
  if (group !== undefined) joins.push(sql`LEFT JOIN im_admin_groups joined ON joined.group_id = entry.${name(group)}`);
  return join(joins, "\n");
}

/** Turns the definitions of items into SQL that answers a page as JSON. */
import { type RecordName, recordFields } from "../../../records.js";
import { groupMembers } from "../../lists/groupMembers.js";
import type { ItemDefinition, ListDefinition, Source, Sources } from "../../lists/list.js";
import { hasKey, hasKeyOf, isInRange, keyOf, rangeOf } from "../schema/keys.js";
import { rowsInOrder } from "../schema/listed.js";
import { join, literal, name, our, type Sql, sql } from "../sql.js";
import { rowColumns } from "./selections.js";

/** The condition that a member owns the group. */
const isOwner = isInRange(groupMembers, rangeOf(groupMembers, 100));

const members = (isKept: boolean) => (isKept ? rowsInOrder(groupMembers) : our("groupMembers"));

/** The kind of records of an item, and the columns that name its profile and its group. */
type Lookups = Pick<ItemDefinition, "profile" | "group"> & Pick<ListDefinition, "table">;

/**
 * An item, or an object in it, as JSON. The record is joined as `entry`. A subquery looks up the profile or group of an
 * object, which may be gone. A LEFT JOIN would give the same result, but cannot use an index if the record is in a table
 * of a host.
 */
export function itemObject(fields: Sources<object>, lookups: Lookups, isKept: boolean, longest?: number): Sql {
  const sources: unknown[] = Object.values(fields);
  const isGroup = sources.includes("group");
  const isUser = sources.includes("profile") || sources.includes("rowOrProfile");
  if (!isGroup && !isUser) return jsonObject(fields, lookups, isKept, longest);
  const [table, key, column] = isGroup
    ? (["groups", "groupID", lookups.group] as const)
    : (["users", "userID", lookups.profile] as const);
  return sql`
    coalesce(
      (SELECT ${jsonObject(fields, lookups, isKept, longest)}
        FROM ${our(table)} found WHERE ${hasKey(table, "found", key, sql`entry.${name(column ?? key)}`)}),
      ${jsonObject(fields, lookups, isKept, longest, table)})`;
}

/** What takes the place of an object with too long texts, as JSON. */
export const tooLong = '"im-admin: this object is too long"';

/** The object. `gone` names the table whose record is missing. */
function jsonObject(
  fields: Sources<object>,
  lookups: Lookups,
  isKept: boolean,
  longest: number | undefined,
  gone?: RecordName,
): Sql {
  const pairs = entriesOf(fields).map(([field, source]) => {
    const value = isSource(source)
      ? valueFrom(field, source, isKept, gone)
      : sql`json(${itemObject(source, lookups, isKept, longest)})`;
    return sql`${literal(field)}, ${value}`;
  });
  const object = sql`
    json_object(
      ${join(pairs, ",\n")}
    )`;
  const length = lengthOf(fields, lookups.table, gone);
  if (longest === undefined || length === undefined) return object;
  return sql`CASE WHEN ${length} > ${literal(longest)} THEN ${literal(tooLong)} ELSE ${object} END`;
}

function entriesOf(fields: Sources<object>): [field: string, source: Source | Sources<object>][] {
  return Object.entries(fields);
}

function isSource(source: Source | Sources<object>): source is Source {
  return typeof source === "string" || "column" in source;
}

/** The bytes of an object's texts but IDs, which SQLite knows without reading them; undefined if it has none. */
function lengthOf(fields: Sources<object>, table: RecordName, gone: RecordName | undefined): Sql | undefined {
  const texts = entriesOf(fields).flatMap(([field, source]) => {
    if (!isSource(source)) return [];
    const found = source === "group" ? "groups" : source === "row" || source === "rowOrProfile" ? table : "users";
    const isText = recordFields[found].some(
      ([named, kind]) => named === field && kind.name === "text" && !named.endsWith("ID"),
    );
    if (!isText || (found !== table && gone !== undefined)) return [];
    return [sql`octet_length(${name(found === table ? "entry" : "found")}.${name(field)})`];
  });
  return texts.length === 0 ? undefined : join(texts, " + ");
}

function valueFrom(field: string, source: Source, isKept: boolean, gone: RecordName | undefined): Sql {
  const own = sql`entry.${name(typeof source === "string" ? field : source.column)}`;
  const found = sql`found.${name(field)}`;
  switch (source) {
    case "time":
      // Drivers bind a number as a fraction, and times are whole.
      return sql`${own} / CAST((SELECT unit FROM request) AS INTEGER)`;
    case "profile":
    case "group":
      return gone === undefined ? found : without(gone, field);
    case "rowOrProfile":
      return gone === undefined ? sql`CASE ${own} WHEN '' THEN ${found} ELSE ${own} END` : own;
    case "memberCount": {
      const counted = sql`(SELECT count(*) FROM ${members(isKept)} WHERE group_id = entry.group_id)`;
      if (!isKept) return counted;
      return sql`
        coalesce(
          (SELECT total FROM im_admin_lists WHERE name = 'groupMembers' AND owner = entry.group_id),
          ${counted})`;
    }
    case "groupOwner":
      return sql`
        coalesce((
          SELECT user_id FROM ${members(isKept)}
            WHERE group_id = entry.group_id AND ${isOwner} ORDER BY ${keyOf(groupMembers)} LIMIT 1), '')`;
    default:
      return own;
  }
}

/** The default of a field. */
function without(table: RecordName, field: string): Sql {
  const [, kind] = recordFields[table].find(([named]) => named === field) ?? [];
  return literal(kind?.otherwise as string | number);
}

/** Joins the record to a row of the page, which has the alias `place`. */
export function entryJoin(list: ListDefinition): Sql {
  return sql`CROSS JOIN ${our(list.table)} entry ON ${hasKeyOf(list.table, "entry", rowColumns(list), "place")}`;
}

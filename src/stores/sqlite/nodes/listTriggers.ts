/**
 * What a list needs of its own: how a row is counted, and the triggers that look at its entries.
 *
 * Entries are looked at, in the index, where a list is counted for the first time and where a leaf is split. Triggers of
 * a host may run before these and write other rows, so that the index already has changes that are yet to be counted.
 * It is known from the remembered rows whether there are any: then counting and splitting wait for another write.
 */
import type { ListDefinition } from "../../lists/list.js";
import { type SchemaObject, trigger } from "../schema/schemaObject.js";
import { all, join, literal, name, our, raw, type Sql, sql } from "../sql.js";
import { isListed, isOwnedBy, keyOf, ownerOf } from "./keys.js";
import { countProcedure, orderIndex } from "./names.js";
import { type Sizes, watchedTables } from "./tables.js";

/** Counts a row of a table into a list. */
export function enter(list: ListDefinition, row: string): Sql {
  return count(list, row, "+");
}

/** Counts a row of a table out of a list. */
export function leave(list: ListDefinition, row: string): Sql {
  return count(list, row, "-");
}

/** Has the list of a row counted, if it is long by now and has no total yet. */
export function countIfLong(list: ListDefinition, row: string): Sql {
  return sql`INSERT INTO ${our(countProcedure(list))} (owner) VALUES (${ownerOf(list, row)})`;
}

function count(list: ListDefinition, row: string, sign: "+" | "-"): Sql {
  const condition = list.least === undefined ? sql`` : sql` AND ${isListed(list, row)}`;
  return sql`
    UPDATE im_admin_lists SET total = total ${raw(sign)} 1, changed_key = ${keyOf(list, row)}
      WHERE name = ${literal(list.name)} AND owner = ${ownerOf(list, row)}${condition}`;
}

/**
 * The moment of the statement, the same for all that its triggers do. A statement before it may have had the same
 * millisecond; what that has left behind only lets counting and splitting wait.
 */
export const now = raw("julianday('now')");

/** Whether rows of a list's table have changes that are yet to be counted. */
export function isUnderWay(list: Pick<ListDefinition, "table">): Sql {
  const table = watchedTables.find(({ name }) => name === list.table);
  if (table === undefined) return raw("false");
  const { before, key, fields } = table;
  const same = key.map((column) => sql`now.${name(column)} = before.${name(column)}`);
  const differs = fields.map((column) => sql`now.${name(column)} IS NOT before.${name(column)}`);
  return sql`
    EXISTS (SELECT 1 FROM ${our(before)} before
      LEFT JOIN ${our(table.name)} now ON ${join(same, " AND ")}
      WHERE before.written_at = ${now} AND (before.has_happened OR ${join(differs, " OR ")}))`;
}

/** The rows of a list, in its order. */
function entries(list: ListDefinition): Sql {
  return sql`${our(list.table)} INDEXED BY ${name(orderIndex(list))}`;
}

/** Gives a list a total once it has more than a few entries. */
export function countTrigger(list: ListDefinition, { uncounted }: Sizes): SchemaObject {
  const isOwned = isOwnedBy(list, sql`NEW.owner`);
  const isList = sql`name = ${literal(list.name)} AND owner = NEW.owner`;
  return trigger(
    {
      name: `${countProcedure(list)}Insert`,
      event: "INSTEAD OF INSERT",
      on: countProcedure(list),
      when: sql`
        NOT EXISTS (SELECT 1 FROM im_admin_lists WHERE ${isList})
          AND (SELECT true FROM ${entries(list)} WHERE ${isOwned} LIMIT 1 OFFSET ${literal(uncounted)})
          AND NOT ${isUnderWay(list)}`,
    },
    [
      sql`
        INSERT INTO im_admin_lists (name, owner, total)
          SELECT ${literal(list.name)}, NEW.owner, count(*) FROM ${entries(list)} WHERE ${isOwned}`,
      // It may have outgrown a leaf while it waited to be counted.
      sql`UPDATE im_admin_lists SET total = total WHERE ${isList}`,
    ],
  );
}

/** Splits a full leaf in its middle. */
export function splitTrigger(list: ListDefinition, { leaf }: Sizes): SchemaObject {
  const half = literal(Math.floor(leaf / 2));
  const owner = sql`(SELECT owner FROM im_admin_lists WHERE id = NEW.list)`;
  return trigger(
    {
      name: `${list.name}Split`,
      event: "INSTEAD OF INSERT",
      on: "splitLeaf",
      when: sql`
        (SELECT name FROM im_admin_lists WHERE id = NEW.list) = ${literal(list.name)}
          AND NOT ${isUnderWay(list)}`,
    },
    [
      sql`
        INSERT INTO im_admin_list_nodes (list, level, start, total)
          SELECT NEW.list, 1, ${keyOf(list)}, NEW.total - ${half} FROM ${entries(list)}
            WHERE ${all([isOwnedBy(list, owner), sql`${keyOf(list)} >= NEW.start`])}
            ORDER BY ${keyOf(list)} LIMIT 1 OFFSET ${half}`,
    ],
  );
}

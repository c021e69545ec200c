/**
 * The triggers that keep totals and nodes right, whoever writes the tables.
 *
 * Each row that enters or leaves a list changes the total by one, and so the nodes. A REPLACE deletes rows without a
 * trigger (`recursive_triggers` is off by default), so rows are remembered before each write, and those that it has
 * replaced are counted out after it.
 *
 * Entries are looked at, in the index, where a list is counted for the first time and where a leaf is split. Triggers of
 * a host may run before these and write other rows, so that the index already has changes that are yet to be counted.
 * It is known from the remembered rows whether there are any: then counting and splitting wait for another write.
 */
import { lists } from "../../lists/index.js";
import type { ListDefinition } from "../../lists/list.js";
import { type SchemaObject, trigger } from "../schemaObject.js";
import { all, columnsOf, join, literal, name, names, raw, type Sql, sql } from "../sql.js";
import { isListed, isOwnedBy, keyOf, ownerOf } from "./keys.js";
import {
  capacity,
  countProcedure,
  levels,
  orderIndex,
  type Sizes,
  type WatchedTable,
  watchedTables,
} from "./tables.js";

/** What else has to be done when a row of a table appears, disappears or changes; `row` is NEW or OLD. */
export type RowStatements = (table: WatchedTable["name"], row: "NEW" | "OLD") => readonly Sql[];

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
  return sql`INSERT INTO ${name(countProcedure(list))} (owner) VALUES (${ownerOf(list, row)})`;
}

function count(list: ListDefinition, row: string, sign: "+" | "-"): Sql {
  const condition = list.least === undefined ? sql`` : sql` AND ${isListed(list, row)}`;
  return sql`
    UPDATE lists SET total = total ${raw(sign)} 1, changedKey = ${keyOf(list, row)}
      WHERE name = ${literal(list.name)} AND owner = ${ownerOf(list, row)}${condition}`;
}

/** How many rows are remembered at most; a statement may leave very many behind that it did not write after all. */
const mostRemembered = 50;

/** The moment of the statement, the same for all that its triggers do: what else is remembered is from others. */
const now = raw("julianday('now')");

/**
 * The triggers on the tables of records. There is one for each kind of write: the order of several is not defined.
 *
 * Each write remembers its row as it was, and forgets it when it is counted. Rows that a REPLACE may delete are
 * remembered as conflicts; should they change or be deleted otherwise before that, so do the conflicts.
 */
export function rowTriggers(table: WatchedTable, also: RowStatements): SchemaObject[] {
  const { name: own, before, key, fields } = table;
  const id = own === "groupMembers" ? ["id"] : [];
  const columns = [...id, ...key, ...fields];
  const isRow = (row: string) => sql`${tuple(names(key), key)} = ${tuple(columnsOf(row, key), key)}`;
  const isRowOrID = (row: string) => (id.length > 0 ? sql`(${isRow(row)} OR id = ${name(row)}.id)` : isRow(row));
  const isSame = (left: Sql, right: Sql) => sql`${tuple(left, columns)} = ${tuple(right, columns)}`;
  const changed = join(
    columns.map((column) => sql`OLD.${name(column)} IS NOT NEW.${name(column)}`),
    " OR ",
  );
  const remember = (rows: Sql) => sql`
    INSERT INTO ${name(before)} (${names(columns)}, isConflict, writtenAt)
      ${rows}`;
  const forgetOthers = sql`
    DELETE FROM ${name(before)}
      WHERE writtenAt <> ${now} OR rowid < (SELECT max(rowid) FROM ${name(before)}) - ${literal(mostRemembered)}`;
  // Those before the last one are of writes to the same row that are still under way.
  const forgetLast = (row: string) => sql`
    DELETE FROM ${name(before)} WHERE rowid = (SELECT max(rowid) FROM ${name(before)} WHERE ${isRow(row)})`;
  const forgetReplaced = sql`DELETE FROM ${name(before)} WHERE isReplaced`;
  const leaveReplaced = (condition: Sql) => sql`
    UPDATE ${name(before)} SET isReplaced = 1, isConflict = 0
      WHERE isConflict AND writtenAt = ${now} AND ${condition}`;
  const isNewConflict = sql`
    NOT EXISTS (SELECT 1 FROM ${name(before)} before
      WHERE isConflict AND writtenAt = ${now} AND ${isSame(columnsOf("before", columns), columnsOf("stored", columns))})`;
  const conflicts = (condition: Sql) =>
    remember(sql`
      SELECT ${names(columns)}, 1, ${now} FROM ${name(own)} stored
        WHERE ${condition} AND ${isNewConflict}`);
  const changeConflicts = (changes: Sql) => sql`
    UPDATE ${name(before)} SET ${changes}
      WHERE isConflict AND ${isSame(names(columns), columnsOf("OLD", columns))}`;
  const assignments = (value: (column: string) => Sql, assigned: readonly string[]) =>
    join(assigned.map((column) => sql`${name(column)} = ${value(column)}`));
  const entered = [...table.lists.map((list) => enter(list, "NEW")), ...also(own, "NEW")];
  const left = [...table.lists.map((list) => leave(list, "OLD")), ...also(own, "OLD")];
  // A list may have grown by what triggers of the host have written while this row was not counted.
  const counted = (row: string) => table.lists.map((list) => countIfLong(list, row));

  return [
    trigger({ name: `${own}Replaced`, event: "AFTER UPDATE", of: ["isReplaced"], on: before }, left),
    trigger({ name: `${own}BeforeInsert`, event: "BEFORE INSERT", on: own }, [
      forgetOthers,
      ...(id.length > 0 ? [conflicts(sql`id = NEW.id AND NOT ${isRow("NEW")}`)] : []),
      remember(sql`
        SELECT ${join([...id.map((column) => sql`stored.${name(column)}`), columnsOf("NEW", key), columnsOf("stored", fields)])},
            ${columnsOf("stored", key.slice(0, 1))} IS NOT NULL AND ${isNewConflict}, ${now}
          FROM (SELECT 1) LEFT JOIN ${name(own)} stored
            ON ${join(
              key.map((column) => sql`stored.${name(column)} = NEW.${name(column)}`),
              " AND ",
            )}`),
    ]),
    trigger({ name: `${own}BeforeUpdate`, event: "BEFORE UPDATE", of: columns, on: own, when: changed }, [
      forgetOthers,
      conflicts(sql`${isRowOrID("NEW")} AND NOT ${isRow("OLD")}`),
      remember(sql`VALUES (${columnsOf("OLD", columns)}, 0, ${now})`),
    ]),
    trigger({ name: `${own}BeforeDelete`, event: "BEFORE DELETE", on: own }, [
      forgetOthers,
      remember(sql`VALUES (${columnsOf("OLD", columns)}, 0, ${now})`),
    ]),
    trigger({ name: `${own}AfterInsert`, event: "AFTER INSERT", on: own }, [
      leaveReplaced(isRowOrID("NEW")),
      forgetLast("NEW"),
      forgetReplaced,
      ...entered,
      ...counted("NEW"),
    ]),
    trigger({ name: `${own}AfterUpdate`, event: "AFTER UPDATE", of: columns, on: own, when: changed }, [
      leaveReplaced(sql`${isRowOrID("NEW")} AND NOT ${isRow("OLD")}`),
      ...left,
      forgetLast("OLD"),
      forgetReplaced,
      changeConflicts(assignments((column) => columnsOf("NEW", [column]), columns)),
      ...entered,
      ...counted("OLD"),
      ...counted("NEW"),
    ]),
    trigger({ name: `${own}AfterDelete`, event: "AFTER DELETE", on: own }, [
      ...left,
      forgetLast("OLD"),
      changeConflicts(sql`${assignments(() => raw("NULL"), [...id, ...fields])}, isConflict = 0`),
      ...counted("OLD"),
    ]),
  ];
}

/** Values of one column or of several, to be compared. */
function tuple(values: Sql, columns: readonly string[]): Sql {
  return columns.length === 1 ? values : sql`(${values})`;
}

/** Whether the index of a list has changes that are yet to be counted. */
function isUnderWay(list: ListDefinition): Sql {
  const table = watchedTables.find(({ name }) => name === list.table);
  if (table === undefined) return raw("false");
  const { before, key, fields } = table;
  const same = key.map((column) => sql`now.${name(column)} = before.${name(column)}`);
  const differs = fields.map((column) => sql`now.${name(column)} IS NOT before.${name(column)}`);
  return sql`
    EXISTS (SELECT 1 FROM ${name(before)} before
      LEFT JOIN ${name(table.name)} now ON ${join(same, " AND ")}
      WHERE before.writtenAt = ${now} AND (${join(differs, " OR ")}))`;
}

/** The rows of a list, in its order. */
function entries(list: ListDefinition): Sql {
  return sql`${name(list.table)} INDEXED BY ${name(orderIndex(list))}`;
}

/** The triggers on what is kept, which are the same for all lists. */
export function nodeTriggers(sizes: Sizes): SchemaObject[] {
  const full = perLevel(levels.map((level) => [level, capacity(sizes, level)]));
  const sparse = perLevel(levels.map((level) => [level, Math.floor(capacity(sizes, level) / 4)]));
  const outgrown = perLevel(levels.map((level) => [level - 1, capacity(sizes, level)]));
  const isFull = sql`NEW.total > ${full("NEW.level", "NEW.total")}`;
  const isSparse = sql`NEW.total < ${sparse("NEW.level", "0")}`;
  const grows = sql`total > ${outgrown("height", "total")}`;
  const shrinks = sql`total < ${sparse("height", String(Math.floor(sizes.uncounted / 2)))}`;
  const isLevel = (row: string) => sql`list = ${name(row)}.list AND level = ${name(row)}.level`;
  const following = sql`
    SELECT start FROM listNodes WHERE ${isLevel("NEW")} AND start > NEW.start ORDER BY start LIMIT 1`;
  const startsParent = (row: string) => sql`
    EXISTS (SELECT 1 FROM listNodes parent
      WHERE parent.list = ${name(row)}.list AND parent.level = ${name(row)}.level + 1 AND parent.start = ${name(row)}.start)`;
  const previous = (row: string) => sql`
    SELECT start FROM listNodes WHERE ${isLevel(row)} AND start < ${name(row)}.start ORDER BY start DESC LIMIT 1`;

  return [
    trigger({ name: "listsUpdate", event: "AFTER UPDATE", of: ["total"], on: "lists" }, [
      // From the leaves up, because a node that is split or merged looks at the level below.
      ...levels.map(
        (level) => sql`
          UPDATE listNodes SET total = total + NEW.total - OLD.total
            WHERE NEW.height >= ${literal(level)} AND list = NEW.id AND level = ${literal(level)} AND start = (
              SELECT start FROM listNodes
                WHERE list = NEW.id AND level = ${literal(level)} AND start <= NEW.changedKey ORDER BY start DESC LIMIT 1)`,
      ),
      sql`INSERT INTO resizeList (id) VALUES (NEW.id)`,
    ]),
    trigger(
      {
        name: "resizeListInsert",
        event: "INSTEAD OF INSERT",
        on: "resizeList",
        when: sql`(SELECT ${grows} OR ${shrinks} FROM lists WHERE id = NEW.id)`,
      },
      [
        // A list that outgrows its nodes gets one larger node that counts them all, and is split at once.
        sql`
          INSERT INTO listNodes (list, level, start, total)
            SELECT id, height + 1, '', total FROM lists WHERE id = NEW.id AND ${grows}`,
        sql`
          UPDATE listNodes SET total = total
            WHERE (list, level) IN (SELECT id, height + 1 FROM lists WHERE id = NEW.id)`,
        sql`
          DELETE FROM listNodes
            WHERE (list, level) IN (SELECT id, height FROM lists WHERE id = NEW.id AND ${shrinks})`,
        sql`DELETE FROM lists WHERE id = NEW.id AND height = 0 AND ${shrinks}`,
        sql`UPDATE lists SET height = height + CASE WHEN ${grows} THEN 1 ELSE -1 END WHERE id = NEW.id`,
      ],
    ),
    ...lists.map((list) => countTrigger(list, sizes)),

    trigger(
      {
        name: "listNodesUpdate",
        event: "AFTER UPDATE",
        of: ["total"],
        on: "listNodes",
        when: sql`${isFull} OR ${isSparse}`,
      },
      [
        sql`
          INSERT INTO splitLeaf (list, start, total)
            SELECT NEW.list, NEW.start, NEW.total WHERE NEW.level = 1 AND ${isFull}`,
        // A larger node is split at the child that half of the entries come after. No text is greater than a blob.
        sql`
          INSERT INTO listNodes (list, level, start, total) SELECT NEW.list, NEW.level, start, following FROM (
            SELECT start, sum(total) OVER (ORDER BY start DESC ROWS UNBOUNDED PRECEDING) AS following FROM listNodes
              WHERE NEW.level > 1 AND ${isFull} AND list = NEW.list AND level = NEW.level - 1
                AND start > NEW.start AND start < coalesce((${following}), x'')
          ) WHERE following >= NEW.total / 2 ORDER BY start DESC LIMIT 1`,
        // A sparse node joins the one before it, and the one after joins it, within their parent. Where it is empty, it
        // goes and the one after stays, since the one before may be full.
        sql`
          DELETE FROM listNodes
            WHERE ${isSparse} AND ${isLevel("NEW")} AND start IN (NEW.start, (${following})) AND start <> ''
              AND NOT ${startsParent("listNodes")}
              AND (start = NEW.start OR NEW.total > 0 OR NEW.start = '' OR ${startsParent("NEW")})
              AND (total = 0 OR ${full("NEW.level", "0")} / 2 >= total + (
                SELECT total FROM listNodes previous
                  WHERE previous.list = listNodes.list AND previous.level = listNodes.level
                    AND previous.start < listNodes.start ORDER BY start DESC LIMIT 1))`,
      ],
    ),
    ...lists.map((list) => splitTrigger(list, sizes)),
    // A new node takes its entries from the one before it, and one that goes gives them back.
    trigger({ name: "listNodesInsert", event: "AFTER INSERT", on: "listNodes", when: sql`NEW.start <> ''` }, [
      sql`
        UPDATE listNodes SET total = total - NEW.total
          WHERE ${isLevel("NEW")} AND start = (${previous("NEW")})`,
    ]),
    trigger({ name: "listNodesDelete", event: "AFTER DELETE", on: "listNodes" }, [
      sql`
        UPDATE listNodes SET total = total + OLD.total
          WHERE ${isLevel("OLD")} AND start = (${previous("OLD")})`,
      // Empty nodes below were only kept because this one started there, unless one between them does.
      sql`
        DELETE FROM listNodes
          WHERE list = OLD.list AND level < OLD.level AND start = OLD.start AND start <> '' AND total = 0
            AND NOT EXISTS (SELECT 1 FROM listNodes above
              WHERE above.list = OLD.list AND above.start = OLD.start
                AND above.level > listNodes.level AND above.level < OLD.level AND above.total > 0)`,
    ]),
  ];
}

/** Gives a list a total once it has more than a few entries. */
function countTrigger(list: ListDefinition, { uncounted }: Sizes): SchemaObject {
  const isOwned = isOwnedBy(list, sql`NEW.owner`);
  const isList = sql`name = ${literal(list.name)} AND owner = NEW.owner`;
  return trigger(
    {
      name: `${countProcedure(list)}Insert`,
      event: "INSTEAD OF INSERT",
      on: countProcedure(list),
      when: sql`
        NOT EXISTS (SELECT 1 FROM lists WHERE ${isList})
          AND (SELECT true FROM ${entries(list)} WHERE ${isOwned} LIMIT 1 OFFSET ${literal(uncounted)})
          AND NOT ${isUnderWay(list)}`,
    },
    [
      sql`
        INSERT INTO lists (name, owner, total)
          SELECT ${literal(list.name)}, NEW.owner, count(*) FROM ${entries(list)} WHERE ${isOwned}`,
      // It may have outgrown a leaf while it waited to be counted.
      sql`UPDATE lists SET total = total WHERE ${isList}`,
    ],
  );
}

/** Splits a full leaf in its middle. */
function splitTrigger(list: ListDefinition, { leaf }: Sizes): SchemaObject {
  const half = literal(Math.floor(leaf / 2));
  const owner = sql`(SELECT owner FROM lists WHERE id = NEW.list)`;
  return trigger(
    {
      name: `${list.name}Split`,
      event: "INSTEAD OF INSERT",
      on: "splitLeaf",
      when: sql`
        (SELECT name FROM lists WHERE id = NEW.list) = ${literal(list.name)}
          AND NOT ${isUnderWay(list)}`,
    },
    [
      sql`
        INSERT INTO listNodes (list, level, start, total)
          SELECT NEW.list, 1, ${keyOf(list)}, NEW.total - ${half} FROM ${entries(list)}
            WHERE ${all([isOwnedBy(list, owner), sql`${keyOf(list)} >= NEW.start`])}
            ORDER BY ${keyOf(list)} LIMIT 1 OFFSET ${half}`,
    ],
  );
}

function perLevel(values: readonly (readonly [level: number, value: number])[]) {
  const cases = values.map(([level, value]) => `WHEN ${level} THEN ${value}`).join(" ");
  return (level: string, otherwise: string) => raw(`CASE ${level} ${cases} ELSE ${otherwise} END`);
}

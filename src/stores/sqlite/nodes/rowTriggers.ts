/**
 * The triggers on the tables of records, which count each row into its lists and out of them.
 *
 * A REPLACE deletes rows without a trigger (`recursive_triggers` is off by default), so rows are remembered before each
 * write, and those that it has replaced are counted out after it.
 */
import { type SchemaObject, trigger } from "../schema/schemaObject.js";
import { columnsOf, join, literal, name, names, our, ourName, raw, type Sql, sql } from "../sql.js";
import { countIfLong, enter, leave, now } from "./listTriggers.js";
import type { WatchedTable } from "./tables.js";

/** What else has to be done. */
export interface RowStatements {
  /** When a row appears, disappears or changes. */
  also(table: WatchedTable["name"], row: "NEW" | "OLD"): readonly Sql[];
  /** When the write of a row is over. */
  last(table: WatchedTable["name"]): readonly Sql[];
}

/** How many rows are remembered for nothing: an INSERT OR IGNORE leaves one behind for each row that it ignores. */
const mostRemembered = 50;

/** What `isConflict` is for a row that may be replaced by one with another key; for the row of the same key it is 1. */
const otherRow = 2;

/**
 * The triggers on the tables of records. There is one for each kind of write: the order of several is not defined.
 *
 * Each write remembers its row as it was, and forgets it when it is counted. Rows that a REPLACE may delete are
 * remembered as conflicts; should they change or be deleted otherwise before that, so do the conflicts.
 */
export function rowTriggers(table: WatchedTable, { also, last }: RowStatements): SchemaObject[] {
  const { name: own, before, key, fields } = table;
  const id = own === "groupMembers" ? ["id"] : [];
  const columns = [...id, ...key, ...fields];
  const isRow = (row: string) => sql`${tuple(names(key), key)} = ${tuple(columnsOf(row, key), key)}`;
  const isRowOrID = (row: string) => (id.length > 0 ? sql`(${isRow(row)} OR id = ${raw(row)}.id)` : isRow(row));
  const isSame = (left: Sql, right: Sql, compared: readonly string[] = columns) =>
    sql`${tuple(left, compared)} = ${tuple(right, compared)}`;
  const changed = join(
    columns.map((column) => sql`OLD.${name(column)} IS NOT NEW.${name(column)}`),
    " OR ",
  );
  const remember = (rows: Sql) => sql`
    INSERT INTO ${our(before)} (${names(columns)}, is_conflict, written_at)
      ${rows}`;
  const isStored = (compared: readonly string[]) => sql`
    EXISTS (SELECT 1 FROM ${our(own)} stored
      WHERE ${isSame(columnsOf("stored", compared), columnsOf(ourName(before), compared), compared)})`;
  // Of many rows, those stay that differ from what is stored: their writes are under way.
  const forgetOthers = sql`
    DELETE FROM ${our(before)}
      WHERE written_at <> ${now} OR NOT has_happened
        AND rowid < (SELECT max(rowid) FROM ${our(before)}) - ${literal(mostRemembered)}
        AND CASE WHEN ${columnsOf(ourName(before), fields.slice(0, 1))} IS NULL
          THEN NOT ${isStored(key)} ELSE ${isStored([...key, ...fields])} END`;
  // Those before the last one may be of writes to the same row that are still under way.
  const forgetLast = (row: string) => sql`
    DELETE FROM ${our(before)} WHERE rowid = (SELECT max(rowid) FROM ${our(before)} WHERE ${isRow(row)})`;
  const forgetReplaced = sql`DELETE FROM ${our(before)} WHERE is_replaced`;
  const leaveReplaced = (condition: Sql) => sql`
    UPDATE ${our(before)} SET is_replaced = 1, is_conflict = 0
      WHERE is_conflict AND written_at = ${now} AND ${condition}`;
  // A trigger of a host may give a row that is being written the values again that it had before.
  const noteThatItHappened = sql`
    UPDATE ${our(before)} SET has_happened = 1
      WHERE written_at = ${now} AND ${isRow("OLD")} AND (${join(
        [...id, ...fields].map((column) => sql`${name(column)} IS NOT OLD.${name(column)}`),
        " OR ",
      )})`;
  const assignments = (value: (column: string) => Sql, assigned: readonly string[]) =>
    join(assigned.map((column) => sql`${name(column)} = ${value(column)}`));
  // An upsert remembers that there was no row of the key that it inserts, and may then give this key to another row.
  const takeKey = sql`
    UPDATE ${our(before)} SET ${assignments((column) => columnsOf("NEW", [column]), [...id, ...fields])}
      WHERE written_at = ${now} AND ${isRow("NEW")} AND NOT ${isRow("OLD")}
        AND ${columnsOf(ourName(before), fields.slice(0, 1))} IS NULL AND NOT has_happened
        AND NOT EXISTS (SELECT 1 FROM ${our(before)} WHERE is_conflict AND written_at = ${now} AND ${isRow("NEW")})`;
  const isNewConflict = sql`
    NOT EXISTS (SELECT 1 FROM ${our(before)} before
      WHERE is_conflict AND written_at = ${now} AND ${isSame(columnsOf("before", columns), columnsOf("stored", columns))})`;
  const conflicts = (condition: Sql) =>
    remember(sql`
      SELECT ${names(columns)}, ${literal(otherRow)}, ${now} FROM ${our(own)} stored
        WHERE ${condition} AND ${isNewConflict}`);
  const isConflictOfOld = sql`is_conflict AND ${isSame(names(columns), columnsOf("OLD", columns))}`;
  const changeConflicts = (changes: Sql) => sql`UPDATE ${our(before)} SET ${changes} WHERE ${isConflictOfOld}`;
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
          FROM (SELECT 1) LEFT JOIN ${our(own)} stored
            ON ${join(
              key.map((column) => sql`stored.${name(column)} = NEW.${name(column)}`),
              " AND ",
            )}`),
    ]),
    trigger({ name: `${own}BeforeUpdate`, event: "BEFORE UPDATE", of: columns, on: own, when: changed }, [
      forgetOthers,
      noteThatItHappened,
      conflicts(sql`${isRowOrID("NEW")} AND NOT ${isRow("OLD")}`),
      remember(sql`VALUES (${columnsOf("OLD", columns)}, 0, ${now})`),
    ]),
    trigger({ name: `${own}BeforeDelete`, event: "BEFORE DELETE", on: own }, [
      forgetOthers,
      noteThatItHappened,
      remember(sql`VALUES (${columnsOf("OLD", columns)}, 0, ${now})`),
    ]),
    trigger({ name: `${own}AfterInsert`, event: "AFTER INSERT", on: own }, [
      leaveReplaced(isRowOrID("NEW")),
      forgetLast("NEW"),
      forgetReplaced,
      ...entered,
      ...counted("NEW"),
      ...last(own),
    ]),
    trigger({ name: `${own}AfterUpdate`, event: "AFTER UPDATE", of: columns, on: own, when: changed }, [
      takeKey,
      leaveReplaced(sql`${isRowOrID("NEW")} AND NOT ${isRow("OLD")}`),
      ...left,
      forgetLast("OLD"),
      forgetReplaced,
      changeConflicts(assignments((column) => columnsOf("NEW", [column]), columns)),
      ...entered,
      ...counted("OLD"),
      ...counted("NEW"),
      ...last(own),
    ]),
    trigger({ name: `${own}AfterDelete`, event: "AFTER DELETE", on: own }, [
      ...left,
      forgetLast("OLD"),
      sql`DELETE FROM ${our(before)} WHERE is_conflict = ${literal(otherRow)} AND ${isConflictOfOld}`,
      changeConflicts(sql`${assignments(() => raw("NULL"), [...id, ...fields])}, is_conflict = 0`),
      ...counted("OLD"),
      ...last(own),
    ]),
  ];
}

/** Values of one column or of several, to be compared. */
function tuple(values: Sql, columns: readonly string[]): Sql {
  return columns.length === 1 ? values : sql`(${values})`;
}

/**
 * The triggers on records. After each write to a key, they compute the listed rows from the present records. So it does
 * not matter what the triggers of a host write, or in which order triggers run. A REPLACE deletes a row of the same key
 * without a trigger, but the trigger for the new row brings the key up to date.
 */
import { type RecordName, recordKeys } from "../../../records.js";
import { type SchemaObject, trigger } from "../schema/schemaObject.js";
import { all, columnsOf, join, name, names, our, raw, type Sql, sql } from "../sql.js";
import { type Listed, listedFrom } from "./listedRows.js";
import { listedName } from "./listNames.js";

/** Returns the value of a field of the key in the row of a trigger. */
export type KeyOfRow = (field: string) => Sql;

/** Further data that depends on a record. */
export interface FurtherOfRecord {
  /** Further columns on which it depends. */
  columns(record: RecordName): readonly string[];
  /** Statements that update it for a key, under a condition, after the listed rows. */
  renew(record: RecordName, key: KeyOfRow, condition: Sql): readonly Sql[];
}

/** The triggers on a table of im-admin's own, if its rows are listed. */
export function recordTriggers(record: RecordName, further: FurtherOfRecord): SchemaObject[] {
  const tables = listedFrom(record);
  if (tables.length === 0) return [];
  const fields = tables.flatMap((table) => table.fields);
  const of = [...new Set([...recordKeys[record], ...fields, ...further.columns(record)])];
  const keyOf = (row: "NEW" | "OLD", field: string) => columnsOf(row, [field]);
  const watched = { name: record, keyFields: recordKeys[record], keyOf, of };
  return triggersOn(record, watched, (key, condition) => renewed(record, further, key, condition));
}

/** A table whose rows have keys of records. */
export interface WatchedTable {
  /** The name that the names of its triggers contain. */
  name: string;
  /** The fields of the record's key that its rows have: all or some. */
  keyFields: readonly string[];
  keyOf(row: "NEW" | "OLD", field: string): Sql;
  /** The columns whose update fires a trigger; undefined for all columns. */
  of?: readonly string[] | Sql;
}

/** Triggers on a table that run statements for the keys of rows that come, change or go. */
export function triggersOn(
  on: string | Sql,
  { name: own, keyFields, keyOf, of }: WatchedTable,
  renew: (key: KeyOfRow, condition: Sql) => readonly Sql[],
): SchemaObject[] {
  const keys = (row: "NEW" | "OLD") => join(keyFields.map((field) => keyOf(row, field)));
  const renewal = (row: "NEW" | "OLD", condition: Sql = all([])) => renew((field) => keyOf(row, field), condition);
  return [
    trigger({ name: `${own}Inserted`, event: "AFTER INSERT", on }, renewal("NEW")),
    trigger({ name: `${own}Updated`, event: "AFTER UPDATE", on, ...(of === undefined ? {} : { of }) }, [
      ...renewal("OLD", sql`(${keys("OLD")}) IS NOT (${keys("NEW")})`),
      ...renewal("NEW"),
    ]),
    trigger({ name: `${own}Deleted`, event: "AFTER DELETE", on }, renewal("OLD")),
  ];
}

/** Updates the listed rows of a record's key, and then the further data. */
export function renewed(record: RecordName, { renew }: FurtherOfRecord, key: KeyOfRow, condition: Sql): Sql[] {
  const listed = listedFrom(record).flatMap((table) => renewListed(table, key, condition));
  return [...listed, ...renew(record, key, condition)];
}

/**
 * Updates the listed rows of a record's key, or of a part of it. It uses an upsert: an OR REPLACE in the statement that
 * fired the trigger would override INSERT OR IGNORE, but not an upsert.
 */
export function renewListed(
  listed: Listed,
  keyOf: KeyOfRow,
  condition: Sql,
  fields: readonly string[] = recordKeys[listed.record],
): Sql[] {
  const { table, key, rows } = listed;
  const isKey = (alias: string) =>
    join(
      fields.map((field) => sql`${raw(alias)}.${name(field)} = ${keyOf(field)}`),
      " AND ",
    );
  const own = our(listedName(table));
  const groupID = fields.includes("groupID") ? keyOf("groupID") : undefined;
  const right = rows(sql`${isKey("source")} AND ${condition}`, groupID);
  const same = join(
    key.map((column) => sql`now.${name(column)} = ${own}.${name(column)}`),
    " AND ",
  );
  return [
    sql`
      DELETE FROM ${own}
        WHERE ${isKey(own.text)} AND ${condition} AND NOT EXISTS (
          SELECT 1 FROM (
            ${rows(isKey("source"), groupID)}
          ) now WHERE ${same})`,
    upsertListed(listed, right),
  ];
}

/** Inserts listed rows, and updates existing ones only if they have changed. */
export function upsertListed({ table, key, fields }: Listed, rows: Sql): Sql {
  return sql`
    INSERT INTO ${our(listedName(table))} (${names([...key, ...fields])})
      ${rows}
      ON CONFLICT (${names(key)}) DO UPDATE
        SET ${join(fields.map((field) => sql`${name(field)} = excluded.${name(field)}`))}
        WHERE ${join(
          fields.map((field) => sql`${name(field)} <> excluded.${name(field)}`),
          " OR ",
        )}`;
}

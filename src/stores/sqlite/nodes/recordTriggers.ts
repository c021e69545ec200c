/**
 * The triggers on records. Whatever happens to the row of a key, its listed rows are made to be what the records say by
 * then: so it does not matter what triggers of a host write, or in which order they run. A REPLACE deletes a row of the
 * same key without a trigger; the row that takes its place is what the key has by then.
 */
import { type RecordName, recordKeys } from "../../../records.js";
import { type SchemaObject, trigger } from "../schema/schemaObject.js";
import { all, columnsOf, join, name, names, our, raw, type Sql, sql } from "../sql.js";
import type { Listed } from "./listed.js";
import { listedName } from "./names.js";

/** What the row of a trigger has for a field of the key. */
export type KeyOfRow = (field: string) => Sql;

/** What else depends on a record. */
export interface FurtherOfRecord {
  /** Further columns whose change matters. */
  columns(record: RecordName): readonly string[];
  /** What is done for the row of a key, on a condition, when its listed rows are right. */
  renew(record: RecordName, key: KeyOfRow, condition: Sql): readonly Sql[];
}

/** The triggers on a table of im-admin's own. */
export function recordTriggers(listed: Listed, further: FurtherOfRecord): SchemaObject[] {
  const { record, fields } = listed;
  const of = [...new Set([...recordKeys[record], ...fields, ...further.columns(record)])];
  const keyOf = (row: "NEW" | "OLD", field: string) => columnsOf(row, [field]);
  const watched = { name: record, keyFields: recordKeys[record], keyOf, of };
  return triggersOn(record, watched, (key, condition) => renewed(listed, further, key, condition));
}

/** A table whose rows have keys of records. */
export interface WatchedTable {
  /** What its triggers are called after. */
  name: string;
  /** The fields of the key, or those that its rows have of it. */
  keyFields: readonly string[];
  keyOf(row: "NEW" | "OLD", field: string): Sql;
  /** The columns whose update matters; any where it is absent. */
  of?: readonly string[] | Sql;
}

/** The triggers on a table that do something for the keys of rows that come, change or go. */
export function triggersOn(
  on: string | Sql,
  { name: own, keyFields, keyOf, of }: WatchedTable,
  renew: (key: KeyOfRow, condition: Sql) => readonly Sql[],
): SchemaObject[] {
  const keys = (row: "NEW" | "OLD") => join(keyFields.map((field) => keyOf(row, field)));
  const renewal = (row: "NEW" | "OLD", condition = all([])) => renew((field) => keyOf(row, field), condition);
  return [
    trigger({ name: `${own}Inserted`, event: "AFTER INSERT", on }, renewal("NEW")),
    trigger({ name: `${own}Updated`, event: "AFTER UPDATE", on, ...(of === undefined ? {} : { of }) }, [
      ...renewal("OLD", sql`(${keys("OLD")}) IS NOT (${keys("NEW")})`),
      ...renewal("NEW"),
    ]),
    trigger({ name: `${own}Deleted`, event: "AFTER DELETE", on }, renewal("OLD")),
  ];
}

/** Makes right what belongs to the records of a key. */
export function renewed(listed: Listed, { renew }: FurtherOfRecord, key: KeyOfRow, condition: Sql): Sql[] {
  return [...renewListed(listed, key, condition), ...renew(listed.record, key, condition)];
}

/**
 * Makes the listed rows of a record's key, or of a part of it, what they have to be. An upsert is not changed by an OR REPLACE of the
 * statement that has started the trigger, as INSERT OR IGNORE is.
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
  const right = rows(sql`${isKey("source")} AND ${condition}`);
  const same = join(
    key.map((column) => sql`now.${name(column)} = ${own}.${name(column)}`),
    " AND ",
  );
  return [
    sql`
      DELETE FROM ${own}
        WHERE ${isKey(own.text)} AND ${condition} AND NOT EXISTS (
          SELECT 1 FROM (
            ${rows(isKey("source"))}
          ) now WHERE ${same})`,
    upsertListed(listed, right),
  ];
}

/** Writes listed rows; of those that are there already, what has changed. */
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

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

/** What else depends on a record. */
export interface FurtherOfRecord {
  /** Further columns whose change matters. */
  columns(record: RecordName): readonly string[];
  /** What is done for the row of a key, on a condition, when its listed rows are right. */
  renew(record: RecordName, row: "NEW" | "OLD", condition: Sql): readonly Sql[];
}

export function recordTriggers(listed: Listed, { columns, renew }: FurtherOfRecord): SchemaObject[] {
  const { record, fields } = listed;
  const key = recordKeys[record];
  const of = [...new Set([...key, ...fields, ...columns(record)])];
  const hasMoved = sql`(${columnsOf("OLD", key)}) IS NOT (${columnsOf("NEW", key)})`;
  const renewed = (row: "NEW" | "OLD", condition = all([])) => [
    ...renewListed(listed, isKey(key, row), condition),
    ...renew(record, row, condition),
  ];
  return [
    trigger({ name: `${record}Inserted`, event: "AFTER INSERT", on: record }, renewed("NEW")),
    trigger({ name: `${record}Updated`, event: "AFTER UPDATE", of, on: record }, [
      ...renewed("OLD", hasMoved),
      ...renewed("NEW"),
    ]),
    trigger({ name: `${record}Deleted`, event: "AFTER DELETE", on: record }, renewed("OLD")),
  ];
}

/** The condition that a row has the key of another. */
function isKey(key: readonly string[], row: string) {
  return (alias: string): Sql =>
    join(
      key.map((column) => sql`${raw(alias)}.${name(column)} = ${raw(row)}.${name(column)}`),
      " AND ",
    );
}

/**
 * Makes the listed rows of a record's key what they have to be. An upsert is not changed by an OR REPLACE of the
 * statement that has started the trigger, as INSERT OR IGNORE is.
 */
function renewListed(listed: Listed, isKey: (alias: string) => Sql, condition: Sql): Sql[] {
  const { table, key, rows } = listed;
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

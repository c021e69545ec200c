/** How the rows of a host are read: plainly, or without what `im_admin_unreadable` has. */
import type { RecordName } from "../../../records.js";
import { all, literal, type Sql, sql } from "../sql.js";
import { allFields } from "./marks.js";

export interface Reading {
  /** A field, from its expression. */
  field(field: string, value: Sql, otherwise: Sql): Sql;
  /** The filter of the rows, from its conditions; undefined for all rows. */
  filter(conditions: readonly Sql[]): Sql | undefined;
}

export const plainly: Reading = {
  field: (_field, value) => value,
  filter: (conditions) => (conditions.length === 0 ? undefined : all(conditions)),
};

/**
 * Leaves out what is marked of a key, and all fields of a row without a key, which is not listed. SQLite evaluates the terms of AND in any order, but the arms of CASE only if it must.
 *
 * @param first the first part of the key of a row
 * @param second the second part; "" for a key of one part
 */
export function leavingOut(record: RecordName, first: Sql, second: Sql): Reading {
  const isKeyless = sql`${first} IS NULL OR ${second} IS NULL`;
  const isMarked = (mark: Sql) => sql`
    (${first}, ${second}) IN (SELECT first, second FROM im_admin_unreadable WHERE record = ${literal(record)} AND ${mark})`;
  return {
    field: (field, value, otherwise) => sql`
      CASE WHEN ${isKeyless} OR ${isMarked(sql`field = ${literal(field)}`)} THEN ${otherwise} ELSE ${value} END`,
    filter: (conditions) =>
      orKeysOnly(
        record,
        sql`CASE WHEN ${isKeyless} THEN 1 WHEN ${isMarked(sql`decides`)} THEN 0 ELSE ${all(conditions)} END`,
      ),
  };
}

/** A condition that counts unless only keys are read. */
export function orKeysOnly(record: RecordName, condition: Sql): Sql {
  const isKeysOnly = sql`${literal(record)} IN (SELECT record FROM im_admin_unreadable WHERE field = ${literal(allFields)})`;
  return sql`CASE WHEN ${isKeysOnly} THEN 1 ELSE ${condition} END`;
}

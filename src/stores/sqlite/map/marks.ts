/**
 * What cannot be read of a host's rows. An expression of a map may fail for a row: a text that is no JSON, a number that
 * overflows. Nothing looks for that as long as nothing fails. If a statement fails, it runs again without what fails: the
 * careful SELECT of a kind of records leaves out the fields that `im_admin_unreadable` has.
 */

import type { Unreadable } from "../../../pagination.js";
import { type RecordName, recordKeys } from "../../../records.js";
import { listedOf } from "../schema/listed.js";
import { raw } from "../sql.js";

/** A field that cannot be read: of which record, and whether it decides which rows are listed, and where. */
export type Mark = readonly [
  record: RecordName,
  first: string,
  second: string,
  field: string,
  decides: number,
  reason: string,
];

/** Whether what is known of settled rows is left out, too. */
export type Known = "known" | "given";

/** Stands for all fields of all rows of a kind, and for its filter: only keys are read. */
export const allFields = "*";

/** The columns of a mark in JSON. */
export const markOf = raw([0, 1, 2, 3, 4, 5].map((index) => `value ->> ${index}`).join(", "));

const given = `SELECT ${markOf.text} FROM json_each(?)`;

/** The marks of a statement, which stand in the place of the table. Some of them are bound. */
export const shadows: Readonly<Record<Known, string>> = {
  given: shadow(given),
  known: shadow(`SELECT * FROM main.im_admin_unreadable UNION ALL ${given}`),
};

function shadow(marks: string): string {
  return `im_admin_unreadable (record, first, second, field, decides, reason) AS MATERIALIZED (${marks})`;
}

/** The fields beside the key that decide in which lists a record is, and where. */
export function orderFields(record: RecordName): readonly string[] {
  return listedOf(record)?.placing ?? [];
}

export function keyOfMark([record, first, second]: Mark): string[] {
  return recordKeys[record].length === 1 ? [first] : [first, second];
}

/** As the observer learns of it. */
export function told(mark: Mark): Unreadable {
  const [record, , , field, , reason] = mark;
  return { record, key: keyOfMark(mark), field, reason };
}

/** The changed keys that are settled at once, as parts of statements. */
import { type RecordName, recordKeys } from "../../../records.js";
import { partialKind } from "../schema/changed.js";
import { all, columnsOf, literal, names, type Sql, sql } from "../sql.js";

/** The most keys of one kind that one transaction settles, in about a third of a second. */
const mostKeys = 20_000;

/** The same for parts of keys, each of which may stand for many records. */
const mostParts = 50;

/** The first changed keys of a kind. They stay the same until they are forgotten. */
export function firstKeys(kind: string): Sql {
  return sql`
    SELECT first, second FROM im_admin_changed
      WHERE kind = ${literal(kind)} ORDER BY first, second LIMIT ${literal(kind.includes(" ") ? mostParts : mostKeys)}`;
}

/** The definition of `changed`, which has the columns of a record's key, or of a part of it. */
export function changedKeys(record: RecordName, fields: readonly string[] = recordKeys[record]): Sql {
  return sql`
    changed (${names(fields)}) AS MATERIALIZED (
      SELECT ${fields.length === 1 ? sql`first` : sql`first, second`} FROM (
        ${firstKeys(partialKind(record, fields))}
      )
    )`;
}

/** Forgets the settled keys. */
export function forgetKeys(kind: string): Sql {
  return sql`
    DELETE FROM im_admin_changed
      WHERE kind = ${literal(kind)} AND (first, second) IN (
        ${firstKeys(kind)}
      )`;
}

/** The condition that two rows have the same key, or the same part of it. */
export function sameKey(fields: readonly string[], left: string, right: string): Sql {
  return all(fields.map((field) => sql`${columnsOf(left, [field])} = ${columnsOf(right, [field])}`));
}

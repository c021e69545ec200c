/**
 * The keys of records that were written since the lists were last settled. Triggers on the tables of records append
 * them and do nothing else, so any program can write a table, on any SQLite since 3.24 and with any settings. Settling
 * finds out what a key leads to.
 */
import { type RecordName, recordKeys } from "../../../records.js";
import { join, literal, name, type Sql, sql } from "../sql.js";

/** The kind for a part of a record's key. */
export function partialKind(record: RecordName, fields: readonly string[]): string {
  return [record, ...(fields.length === recordKeys[record].length ? [] : fields)].join(" ");
}

/**
 * The kinds with changed keys, as an array in JSON; NULL if nothing has changed. It looks up one key of each kind, since
 * there may be millions of keys.
 */
export const waitingKinds = sql`
  (WITH RECURSIVE kinds (kind) AS (
    SELECT min(kind) FROM im_admin_changed
    UNION ALL
    SELECT (SELECT min(kind) FROM im_admin_changed WHERE kind > kinds.kind) FROM kinds WHERE kind IS NOT NULL
  ) SELECT nullif(json_group_array(kind) FILTER (WHERE kind IS NOT NULL), '[]') FROM kinds)`;

/** The condition that the key of a row, or a part of it, waits to be settled. */
export function isWaiting(record: RecordName, row: Sql): Sql {
  const key = recordKeys[record];
  const value = (field: string) => sql`${row}.${name(field)}`;
  const [first = literal(""), second = literal("")] = key.map(value);
  const parts =
    key.length === 1 ? [] : key.map((field) => [partialKind(record, [field]), value(field), literal("")] as const);
  const waits = [[record, first, second] as const, ...parts].map(
    ([kind, first, second]) => sql`(${literal(kind)}, ${first}, ${second})`,
  );
  return sql`
    EXISTS (SELECT 1 FROM im_admin_changed WHERE (kind, first, second) IN (VALUES ${join(waits)}))`;
}

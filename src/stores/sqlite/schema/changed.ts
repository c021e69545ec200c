/**
 * The keys of records that were written since the lists were last settled. Triggers on the tables of records append
 * them and do nothing else, so any program can write a table, on any SQLite since 3.24 and with any settings. Settling
 * finds out what a key leads to.
 *
 * `kind` is a kind of records, and `first` and `second` are the fields of its key. A kind such as "groupMembers groupID"
 * has a part of a key, which stands for all records with that part.
 */
import { type RecordName, recordKeys } from "../../../records.js";
import { columnsOf, join, literal, name, names, our, ourName, type Sql, sql } from "../sql.js";
import { listedOf } from "./listed.js";
import { type SchemaObject, trigger } from "./schemaObject.js";

export function changedTable(): SchemaObject {
  return {
    type: "table",
    name: ourName("changed"),
    sql: sql`
      CREATE TABLE im_admin_changed (
        kind TEXT NOT NULL,
        first TEXT NOT NULL,
        second TEXT NOT NULL,
        PRIMARY KEY (kind, first, second)
      ) WITHOUT ROWID`,
  };
}

/** A table whose rows have keys of records, or parts of them. */
interface WatchedTable {
  /** The name that the names of its triggers contain. */
  name: string;
  /** The table as SQL names it. */
  on: Sql;
  /** The kind under which its keys are noted. */
  kind: string;
  /** The fields of the key in a row of a trigger. */
  keyOf(row: "NEW" | "OLD"): readonly Sql[];
  /** The columns of the key. If one of them changes, the old key is noted as well. */
  keyColumns: Sql;
  /** Further columns on which a list or a search depends, "" for none; undefined for all columns. */
  of?: Sql | undefined;
}

/** The triggers that note each key that is written. Two columns of a text are never NULL: no write fails for that. */
export function changeTriggers({ name: own, on, kind, keyOf, keyColumns, of }: WatchedTable): SchemaObject[] {
  const row = (alias: "NEW" | "OLD") => {
    const [first = literal(""), second = literal("")] = keyOf(alias).map((field) => sql`coalesce(${field}, '')`);
    return sql`(${literal(kind)}, ${first}, ${second})`;
  };
  const note = (...rows: ("NEW" | "OLD")[]) => [
    sql`
      INSERT INTO im_admin_changed (kind, first, second)
        VALUES ${join(rows.map(row))}
        ON CONFLICT DO NOTHING`,
  ];
  const updated = (of: Sql | undefined, ...rows: ("NEW" | "OLD")[]) =>
    trigger({ name: `${own}${rows.length === 1 ? "Updated" : "Moved"}`, event: "AFTER UPDATE", on, of }, note(...rows));
  return [
    trigger({ name: `${own}Inserted`, event: "AFTER INSERT", on }, note("NEW")),
    updated(keyColumns, "OLD", "NEW"),
    ...(of?.text === "" ? [] : [updated(of, "NEW")]),
    trigger({ name: `${own}Deleted`, event: "AFTER DELETE", on }, note("OLD")),
  ];
}

/** The columns beside the key on which the lists and searches of a kind of records depend. */
export function decidingColumns(record: RecordName): readonly string[] {
  return listedOf(record)?.fields ?? [];
}

/** The triggers on a table of im-admin's own, if its records are listed. */
export function ownTriggers(record: RecordName): SchemaObject[] {
  if (listedOf(record) === undefined) return [];
  const key = recordKeys[record];
  return changeTriggers({
    name: record,
    on: our(record),
    kind: record,
    keyOf: (row) => key.map((field) => columnsOf(row, [field])),
    keyColumns: names(key),
    of: names(decidingColumns(record)),
  });
}

/** The kind for a part of a record's key. */
export function partialKind(record: RecordName, fields: readonly string[]): string {
  return [record, ...(fields.length === recordKeys[record].length ? [] : fields)].join(" ");
}

/** The kind of a row that is there while something is unreadable. So reads that ask what waits learn of it. */
export const unreadableKind = "unreadable";

/** What waits if nothing does, but something is unreadable. */
export const nothingWaits = JSON.stringify([unreadableKind]);

/** Whether a kind is one of changed keys. */
export const isSettled = (kind: string) => kind !== unreadableKind;

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

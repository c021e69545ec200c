/** The key of a record, as SQL over the columns of a host's table. */
import { join, literal, raw, type Sql, sql } from "../../stores/sqlite/sql.js";
import type { AlsoTable, KeyColumns, MappedRecord } from "../map.js";
import { columnsIn, overRow, quoted } from "./words.js";

type Key = MappedRecord["key"] | AlsoTable["key"];

/** What a map says of a part of a key; undefined where a second table does not have it. */
export function partOf(key: Key, field: string): KeyColumns | undefined {
  return (key as Readonly<Record<string, KeyColumns | undefined>>)[field];
}

/**
 * The text of a part of a key, which compares byte by byte, whatever types and collations the columns have. An index has
 * the same expression, where the row has no name.
 */
export function keyText(part: KeyColumns, separator: string, row?: string): Sql {
  const named = (column: string) => raw(row === undefined ? quoted(column) : `${row}.${quoted(column)}`);
  const columns = typeof part === "string" ? [part] : part;
  const text =
    "sql" in columns
      ? sql`(${raw(overRow(columns.sql, row))})`
      : join(columns.map(named), ` || ${literal(separator).text} || `);
  return sql`CAST(${text} AS TEXT) COLLATE BINARY`;
}

/** The columns on which a key depends. */
export function columnsOfKey(key: Key): string[] {
  return Object.values<KeyColumns>(key).flatMap((part) => {
    if (typeof part === "string") return [part];
    return "sql" in part ? columnsIn(part.sql) : part;
  });
}

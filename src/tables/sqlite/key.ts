/** The key of a record, as SQL over the columns of a host's table. */
import { join, literal, raw, type Sql, sql } from "../../stores/sqlite/sql.js";
import type { AlsoTable, KeyColumns, MappedRecord } from "../map.js";
import { columnsOf } from "../mapNames.js";

/** The text of a key. An index has the same expression. */
export function keyText(columns: readonly string[], row: Sql, separator: string): Sql {
  return textOf(
    columns.map((column) => sql`${row}.${quoted(column)}`),
    separator,
  );
}

/** A text that compares byte by byte, whatever types and collations the columns have. */
export function textOf(parts: readonly Sql[], separator: string): Sql {
  return sql`CAST(${join(parts, ` || ${literal(separator).text} || `)} AS TEXT) COLLATE BINARY`;
}

export function quoted(column: string): Sql {
  return raw(/^[a-z_][a-z0-9_]*$/i.test(column) ? column : `"${column.replaceAll('"', '""')}"`);
}

export function columnsOfKey(key: MappedRecord["key"] | AlsoTable["key"], field: string): readonly string[] {
  return columnsOf((key as Readonly<Record<string, KeyColumns | undefined>>)[field] ?? []);
}

/** The names of a map's tables and columns. */
import type { KeyColumns } from "./map.js";

/** The name of a table in expressions: without the schema. */
export function aliasOf(table: string): string {
  return table.match(/("(?:[^"]|"")+"|[^."]+)$/)?.[0] ?? table;
}

export function columnsOf(columns: KeyColumns): readonly string[] {
  return typeof columns === "string" ? [columns] : columns;
}

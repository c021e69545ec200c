/** How the tables and columns of a map are called. */
import type { KeyColumns } from "./map.js";

/** What a table is called in expressions: its name without that of its schema. */
export function aliasOf(table: string): string {
  return table.match(/("(?:[^"]|"")+"|[^."]+)$/)?.[0] ?? table;
}

export function columnsOf(columns: KeyColumns): readonly string[] {
  return typeof columns === "string" ? [columns] : columns;
}

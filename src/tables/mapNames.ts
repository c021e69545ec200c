/** The names of a map's tables and columns. */
import type { KeyColumns } from "./map.js";

/** The name of a table, or of a query, in expressions: without the schema. */
export function aliasOf(from: string): string {
  return from.match(/("(?:[^"]|"")+"|[^."\s]+)$/)?.[0] ?? from;
}

/** Whether records come from a query in place of a table. */
export function isQuery(from: string): boolean {
  return from.startsWith("(");
}

/** The columns of a key; none for an expression. */
export function keyColumnNames(columns: KeyColumns): readonly string[] {
  if (typeof columns === "string") return [columns];
  return "sql" in columns ? [] : columns;
}

/** How a statement that only reads fails for a reason of ours: SQLite has no other way than a wrong argument. */
import { literal, type Sql, sql } from "./sql.js";

/** An expression that fails. The reason is one word. */
export function failing(reason: string): Sql {
  // The path of a value in JSON begins with $. SQLite says which path does not.
  return sql`json_extract('{}', ${literal(reason)})`;
}

/** Whether a statement has failed for this reason. */
export function hasFailed(reason: string, error: unknown): boolean {
  return String(error).includes(reason);
}

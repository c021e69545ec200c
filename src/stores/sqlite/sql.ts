import { snakeCase } from "../snakeCase.js";
import * as template from "../sqlTemplate.js";
import { join, name, raw } from "../sqlTemplate.js";

export { all, join, literal, name, names, raw } from "../sqlTemplate.js";

/** A value that every engine can bind. */
export type Value = string | number | null;

export type Sql = template.Sql<Value>;

/** Composes SQL for SQLite. */
export const sql = template.compose<Value>;

/** The name of a table, index or trigger of ours: `im_admin_group_members` for `groupMembers`. */
export function ourName(camelCase: string): string {
  return `im_admin_${snakeCase(camelCase)}`;
}

/** The same as SQL. */
export function our(camelCase: string): Sql {
  return name(ourName(camelCase));
}

/** The names of columns of one row. */
export function columnsOf(row: string, columns: readonly string[]): Sql {
  return join(columns.map((column) => sql`${raw(row)}.${name(column)}`));
}

/** How tables and columns are called: `group_members` for `groupMembers`, `face_url` for `faceURL`. */
import { name, type Sql } from "./sql.js";

/** The name of the table or column that has the records or the values of a name in JavaScript. */
export function snakeCase(camelCase: string): string {
  return camelCase.replace(/(?<=[a-z])[A-Z]+/g, (capitals) => `_${capitals}`).toLowerCase();
}

/** The same as SQL. */
export function snake(camelCase: string): Sql {
  return name(snakeCase(camelCase));
}

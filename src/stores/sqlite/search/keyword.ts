/** The condition that a text has the keyword of a request. Only ASCII letters are the same in upper and lower case. */
import { join, type Sql, sql } from "../sql.js";

/** A keyword as `request.keyword` has it. */
export function inSmallLetters(keyword: string): string {
  return keyword.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** The condition that one of some texts has the keyword. */
export function haveKeyword(texts: readonly Sql[]): Sql {
  const conditions = texts.map((text) => sql`instr(lower(${text}), (SELECT keyword FROM request)) > 0`);
  return sql`(${join(conditions, " OR ")})`;
}

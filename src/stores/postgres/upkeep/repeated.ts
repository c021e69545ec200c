/** Statements of the .sql files that are repeated with other look-ups: those from a mark, such as `:with_care`, to `:end`. */

import { snakeCase } from "../../snakeCase.js";
import { listedRecords, lookups } from "../map/lookups.js";

const marked = /^( *):(for_each_record|with_care)\n([\s\S]*?\n) *:end\n/gm;

/** The text with these statements repeated, in place of the marks. */
export function withRepeated(text: string): string {
  return text.replace(marked, (_, indent: string, mark: string, statement: string) => {
    const inner = statement.replace(/^(?=.)/gm, "  ");
    return mark === "with_care" ? withCare(indent, inner) : forEachRecord(indent, inner);
  });
}

/** Each kind of records has a statement of its own, which reads its tables alone. */
function forEachRecord(indent: string, statement: string): string {
  const branches = listedRecords.map(snakeCase).map(
    (record) => `${indent}  WHEN '${record}' THEN
${statement.replace(/\b(rows_of|row_at)\(/g, `$1_${record}(`)}`,
  );
  return `${indent}CASE record_of(asked_list)\n${branches.join("")}${indent}END CASE;\n`;
}

/** A statement with the same look-ups, which are careful if the transaction is. */
function withCare(indent: string, statement: string): string {
  const careful = lookups.reduce(
    (text, [routine, name]) => text.replaceAll(` ${routine}(`, ` carefully(NULL::${snakeCase(name)}, '${routine}', `),
    statement,
  );
  return `${indent}IF is_careful() THEN\n${careful}${indent}ELSE\n${statement}${indent}END IF;\n`;
}

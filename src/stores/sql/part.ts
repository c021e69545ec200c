import type { Statement, Value } from "./database.js";

/** SQL in which each `?` has its value: a whole statement, or a piece of one. */
export type Part = Statement;

/** Composes SQL: a text is inserted as it is, a part with its values. */
export function sql([first = "", ...texts]: TemplateStringsArray, ...inserted: readonly (string | Part)[]): Part {
  let composed = first;
  const values: Value[] = [];
  for (const [index, part] of inserted.entries()) {
    composed += typeof part === "string" ? part : part.sql;
    composed += texts[index] ?? "";
    if (typeof part !== "string") values.push(...part.values);
  }
  return { sql: composed, values };
}

/** A value, for any place where SQL takes an expression. */
export function bind(value: Value): Part {
  return { sql: "?", values: [value] };
}

/**
 * A value for LIMIT or OFFSET. SQLite looks at a bare `?` there when it plans, and so plans again for each call, which
 * takes longer than to read a page.
 */
export function bindCount(value: number): Part {
  return { sql: "cast(? AS INTEGER)", values: [value] };
}

/** A list of values that SQL reads with json_each(). */
export function bindAll(values: readonly unknown[]): Part {
  return bind(JSON.stringify(values));
}

/** All conditions; none are always true. */
export function all(conditions: readonly Part[]): Part {
  return conditions.reduce((before, condition) => sql`${before} AND ${condition}`, sql`true`);
}

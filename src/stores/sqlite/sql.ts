import { indentedBehind, withoutIndentation } from "../indentation.js";
import { snakeCase } from "../names.js";
import type { Statement, Value } from "./statement.js";

/** A piece of SQL or a whole statement, with a value for each `?`. */
export class Sql implements Statement {
  readonly text: string;
  readonly values: readonly Value[];

  constructor(text: string, values: readonly Value[] = []) {
    this.text = text;
    this.values = values;
  }
}

/**
 * Composes SQL. A value is bound, a piece of SQL is inserted, and text becomes SQL only through {@link raw}, {@link
 * name} or {@link literal}. Inserted lines get the indentation of their place.
 */
export function sql(template: TemplateStringsArray, ...inserted: readonly (Value | Sql)[]): Sql {
  const [first = "", ...texts] = withoutIndentation(template);
  let composed = first;
  const values: Value[] = [];
  for (const [index, part] of inserted.entries()) {
    const { text, values: ownValues } = part instanceof Sql ? part : bound(part);
    composed += indentedBehind(composed, text);
    composed += texts[index] ?? "";
    values.push(...ownValues);
  }
  return new Sql(composed, values);
}

function bound(value: Value): Sql {
  return new Sql("?", [value]);
}

/** Text that is SQL already. Never pass text from a user. */
export function raw(text: string): Sql {
  return new Sql(text);
}

/** The name of a column or another object of the schema: `group_id` for `groupID`. */
export function name(camelCase: string): Sql {
  if (!/^\w+$/.test(camelCase)) throw new TypeError(`${JSON.stringify(camelCase)} is no name of the schema`);
  return new Sql(snakeCase(camelCase));
}

/** The name of a table, view, index or trigger of ours: `im_admin_group_members` for `groupMembers`. */
export function ourName(camelCase: string): string {
  return `im_admin_${snakeCase(camelCase)}`;
}

/** The same as SQL. */
export function our(camelCase: string): Sql {
  return name(ourName(camelCase));
}

/** A value as a constant, for places where SQL cannot bind one: a trigger, an index or a view. */
export function literal(value: string | number): Sql {
  return new Sql(typeof value === "number" ? String(value) : `'${value.replaceAll("'", "''")}'`);
}

/** Several pieces, with a separator between each two. */
export function join(parts: readonly Sql[], separator = ", "): Sql {
  const [first = new Sql(""), ...others] = parts;
  return others.reduce((before, part) => sql`${before}${raw(separator)}${part}`, first);
}

/** The conditions joined by AND; true if there are none. */
export function all(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? raw("true") : join(conditions, " AND ");
}

/** Several names. */
export function names(camelCase: readonly string[]): Sql {
  return join(camelCase.map(name));
}

/** The names of columns of one row. */
export function columnsOf(row: string, columns: readonly string[]): Sql {
  return join(columns.map((column) => sql`${raw(row)}.${name(column)}`));
}

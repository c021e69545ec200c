import { indentedBehind, withoutIndentation } from "./indentation.js";
import { snakeCase } from "./snakeCase.js";

/** A piece of SQL or a whole statement: texts, with a value between each two. */
export class Sql<Value = never> {
  readonly texts: readonly string[];
  readonly values: readonly Value[];

  constructor(texts: readonly string[], values: readonly Value[] = []) {
    this.texts = texts;
    this.values = values;
  }

  /** The statement with `?` for each value. */
  get text(): string {
    return this.texts.join("?");
  }
}

/**
 * Composes SQL. A value is bound, a piece of SQL is inserted, and text becomes SQL only through functions such as
 * {@link raw}, {@link name} and {@link literal}. Inserted lines get the indentation of their place.
 */
export function compose<Value>(
  template: TemplateStringsArray,
  ...inserted: readonly (Value | Sql<Value>)[]
): Sql<Value> {
  const [first = "", ...following] = withoutIndentation(template);
  const texts = [first];
  const values: Value[] = [];
  const append = (text: string) => texts.push(texts.pop() + text);
  for (const [index, part] of inserted.entries()) {
    const piece = part instanceof Sql ? part : new Sql(["", ""], [part]);
    const before = texts.join("?");
    const [start = "", ...others] = piece.texts.map((text) => indentedBehind(before, text));
    append(start);
    texts.push(...others);
    append(following[index] ?? "");
    values.push(...piece.values);
  }
  return new Sql(texts, values);
}

/** Text that is SQL already. Never pass text from a user. */
export function raw(text: string): Sql {
  return new Sql([text]);
}

/** The name of a table, a column or another object of the schema: `group_id` for `groupID`. */
export function name(camelCase: string): Sql {
  if (!/^\w+$/.test(camelCase)) throw new TypeError(`${JSON.stringify(camelCase)} is no name of the schema`);
  return raw(snakeCase(camelCase));
}

/** Several names. */
export function names(camelCase: readonly string[]): Sql {
  return join(camelCase.map(name));
}

/** A value as a constant, for places where SQL cannot bind one: a trigger, an index or a view. */
export function literal(value: string | number): Sql {
  return raw(typeof value === "number" ? String(value) : `'${value.replaceAll("'", "''")}'`);
}

/** Several pieces, with a separator between each two. */
export function join<Value>(parts: readonly Sql<Value>[], separator = ", "): Sql<Value> {
  const [first = raw(""), ...others] = parts;
  return others.reduce((before, part) => compose<Value>`${before}${raw(separator)}${part}`, first);
}

/** The conditions joined by AND; true if there are none. */
export function all<Value = never>(conditions: readonly Sql<Value>[]): Sql<Value> {
  return conditions.length === 0 ? raw("true") : join(conditions, " AND ");
}

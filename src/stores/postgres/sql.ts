import { indentedBehind, withoutIndentation } from "../indentation.js";

/** A value that is bound. */
export type Value = string | number | boolean | null | readonly (string | number | boolean)[];

/** A piece of SQL or a whole statement: texts, with a value between each two. */
export class Sql {
  readonly texts: readonly string[];
  readonly values: readonly Value[];

  constructor(texts: readonly string[], values: readonly Value[] = []) {
    this.texts = texts;
    this.values = values;
  }

  /** The statement, in which `$1` stands for the first value. */
  get text(): string {
    return this.texts.reduce((before, text, index) => `${before}$${index}${text}`);
  }
}

/**
 * Composes SQL. A value is bound, a piece of SQL is inserted, and text becomes SQL only through {@link raw}, {@link
 * name}, {@link quoted} or {@link literal}. Inserted lines get the indentation of their place.
 */
export function sql(template: TemplateStringsArray, ...inserted: readonly (Value | Sql)[]): Sql {
  const [first = "", ...others] = withoutIndentation(template);
  const texts: string[] = [];
  const values: Value[] = [];
  let last = first;
  let line = first;
  for (const [index, part] of inserted.entries()) {
    const { texts: ownTexts, values: ownValues } = part instanceof Sql ? part : new Sql(["", ""], [part]);
    for (const [position, text] of ownTexts.entries()) {
      if (position > 0) {
        texts.push(last);
        last = "";
      }
      last += indentedBehind(line, text);
    }
    values.push(...ownValues);
    const following = others[index] ?? "";
    last += following;
    line = following.includes("\n") ? following : line + following;
  }
  return new Sql([...texts, last], values);
}

/** Text that is SQL already. Never pass text from a user. */
export function raw(text: string): Sql {
  return new Sql([text]);
}

/** The name of a table, a column or another object of the schema. */
export function name(identifier: string): Sql {
  if (!/^\w+$/.test(identifier)) throw new TypeError(`${JSON.stringify(identifier)} is no name of the schema`);
  return raw(identifier);
}

/** A name that a host has chosen, in quotes. */
export function quoted(identifier: string): Sql {
  return raw(`"${identifier.replaceAll('"', '""')}"`);
}

/** A value as a constant, for places where SQL cannot bind one: a function, an index or a view. */
export function literal(value: string | number): Sql {
  return raw(typeof value === "number" ? String(value) : `'${value.replaceAll("'", "''")}'`);
}

/** Several pieces, with a separator between each two. */
export function join(parts: readonly Sql[], separator = ", "): Sql {
  const [first = raw(""), ...others] = parts;
  return others.reduce((before, part) => sql`${before}${raw(separator)}${part}`, first);
}

/** The conditions joined by AND; true if there are none. */
export function all(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? raw("true") : join(conditions, " AND ");
}

/** Several names. */
export function names(identifiers: readonly string[]): Sql {
  return join(identifiers.map(name));
}

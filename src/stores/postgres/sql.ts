import { compose, raw, type Sql as SqlOf } from "../sqlTemplate.js";

export { all, join, literal, name, names, raw } from "../sqlTemplate.js";

/** A value that is bound. */
export type Value = string | number | boolean | null | readonly (string | number | boolean)[];

export type Sql = SqlOf<Value>;

/** Composes SQL for PostgreSQL. */
export const sql = compose<Value>;

/** A name that a host has chosen, in quotes. */
export function quoted(identifier: string): Sql {
  return raw(`"${identifier.replaceAll('"', '""')}"`);
}

/** The text of a statement, in which `$1` stands for the first value. */
export function numbered({ texts }: Sql): string {
  return texts.reduce((before, text, index) => `${before}$${index}${text}`);
}

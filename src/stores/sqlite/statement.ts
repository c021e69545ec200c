/** A value that every engine can bind. */
export type Value = string | number | null;

/** An SQL statement with `?` for each of its values. */
export interface Statement {
  text: string;
  values: readonly Value[];
}

/** A row of a result, by the names of its columns. */
export type Row = Record<string, Value>;

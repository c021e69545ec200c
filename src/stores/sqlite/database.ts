import type { StoreCall } from "../../store.js";
import type { PageForm } from "./pages/readPage.js";

/** A value that every engine can bind. */
export type Value = string | number | null;

/** An SQL statement with `?` for each of its values. */
export interface Statement {
  text: string;
  values: readonly Value[];
}

/** A row of a result, by the names of its columns. */
export type Row = Record<string, Value>;

/**
 * Statements in their order. An engine that runs them one by one gives each the rows of the one before, as the result
 * of `yield` in a generator; one that takes them as a batch gives undefined.
 */
export type Statements = Iterable<Statement, unknown, Row[] | undefined>;

/**
 * All that the SQL of a bundled store needs of its engine. `read` and `write` run all statements and give the rows of each,
 * `[]` for one without rows; they reject where a statement fails, or where the iterable does.
 */
export interface SqlDatabase {
  /** Runs statements that only read, against one consistent view. */
  read(statements: Statements): Promise<Row[][]>;
  /**
   * Runs statements in one transaction: all of them take effect or none. A driver in which writes wait for each other
   * looks at `call` before it begins, and calls its `begun` then; another may leave it alone.
   */
  write(statements: Statements, call?: StoreCall): Promise<Row[][]>;
  /** How pages are given; each item is a row where nothing is said. */
  pages?: PageForm;
  /** Gives back what the driver holds; it runs nothing after that. */
  close(): Promise<void>;
}

/** The rows of a statement. An engine that answers nothing has failed, whatever it says. */
export function rowsOf(results: readonly Row[][], index: number): Row[] {
  const rows = results[index];
  if (!Array.isArray(rows)) throw new Error("the database has given no result for a statement");
  return rows;
}

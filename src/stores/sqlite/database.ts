import type { StoreCall } from "../../store.js";
import type { PageForm } from "./pages/pageForm.js";
import type { Unsettled } from "./reads.js";
import type { HostTable } from "./schema/hostTable.js";
import type { Row, Statement } from "./statement.js";

export type { Row, Statement, Value } from "./statement.js";

/**
 * Statements in their order. If an engine runs them one by one, it passes the rows of each to the generator, as the
 * result of `yield`. If it runs them as a batch, `yield` returns undefined.
 */
export interface Statements {
  [Symbol.iterator](): Iterator<Statement, unknown, Row[] | undefined>;
}

/**
 * The driver of an engine. `read` and `write` run all statements and return the rows of each, `[]` for a statement
 * without rows. They reject if a statement or the iterable fails.
 */
export interface SqlDatabase {
  /** Runs statements that only read, against one consistent view. */
  read(statements: Statements): Promise<Row[][]>;
  /**
   * Runs statements in one transaction: all of them take effect or none. A driver in which writes wait for each other
   * must check `call.signal` before it begins, and then call `call.begun`. Other drivers may ignore `call`.
   */
  write(statements: Statements, call?: StoreCall): Promise<Row[][]>;
  /**
   * Looks whether the schema has changed, and mends what a host's migration has taken away. It runs before each call, and
   * answers false if lists are not kept, because it could not mend them.
   */
  lookAtSchema?(): boolean | Promise<boolean>;
  /** The same database, with statements that do not read what its map says. */
  direct?: SqlDatabase;
  /** Reads the map of the tables anew at the next call. */
  forgetMap?(): void;
  /** What reads do while changes cannot be settled; by default they wait. */
  unsettled?: Unsettled;
  /** The host's table with conversations; undefined if they are in im-admin's own table. */
  conversationTable?(): HostTable | undefined | Promise<HostTable | undefined>;
  /** The form of pages; by default each item is a row. */
  pages?: PageForm;
  /** Closes the driver. It runs nothing after that. */
  close(): Promise<void>;
}

/** The rows of a statement. It throws if an engine returned no result without an error. */
export function rowsOf(results: readonly Row[][], index: number): Row[] {
  const rows = results[index];
  if (!Array.isArray(rows)) throw new Error("the database has given no result for a statement");
  return rows;
}

import type { Row, Statement, Statements } from "../sqlite/database.js";

/** Shared empty result of statements that return no rows. */
const none: Row[] = [];

/** Runs statements one by one, and passes the rows of each back to the generator. */
export function runEach(statements: Statements, run: (statement: Statement) => Row[]): Row[][] {
  const iterator = statements[Symbol.iterator]();
  const results: Row[][] = [];
  let rows: Row[] | undefined;
  try {
    for (let next = iterator.next(); !next.done; next = iterator.next(rows)) {
      rows = run(next.value);
      // There may be millions of statements without rows.
      results.push(rows.length === 0 ? none : rows);
    }
  } catch (error) {
    // Lets the generator close its files.
    iterator.return?.();
    throw error;
  }
  return results;
}

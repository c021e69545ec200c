import type { Row, Statement, Statements } from "../sqlite/database.js";

/** Runs statements one by one, and gives each of them the rows of the one before. */
export function runEach(statements: Statements, run: (statement: Statement) => Row[]): Row[][] {
  const iterator = statements[Symbol.iterator]();
  const results: Row[][] = [];
  try {
    for (let next = iterator.next(); !next.done; next = iterator.next(results.at(-1))) results.push(run(next.value));
  } catch (error) {
    // Whoever gives the statements has files to close.
    iterator.return?.();
    throw error;
  }
  return results;
}

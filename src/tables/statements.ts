/** Statements that a person can read, each with its semicolon. */
export interface TablesSql {
  /** Has the lists read the tables of the map. They belong into one transaction. */
  install: readonly string[];
  /** Prepares the lists. Until then, answers are right, and slow. */
  build: readonly string[];
  /** Each gives a row for each problem: `problem`, `count` and an `example`. One that fails tells what is missing. */
  check: readonly string[];
  /** Takes everything back. They belong into one transaction. */
  remove: readonly string[];
}

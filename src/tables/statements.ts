/** Statements that a person can read, each with its semicolon. */
export interface TablesSql {
  /** Has the lists read the tables of the map. They belong into one transaction. */
  install: readonly string[];
  /** Prepares the lists. Until then, answers are right, and slow. In SQLite, `install` does so: it is empty. */
  build: readonly string[];
  /**
   * Each gives a row for each problem: its `kind`, the `problem`, a `count` and an `example`. The kind is "note" where nothing
   * is wrong, "wrong" where `im-admin check --repair` mends it, and "unmendable" where only you can. A statement that fails
   * names what the tables have not got any more.
   */
  check: readonly string[];
  /** Takes everything back. They belong into one transaction. */
  remove: readonly string[];
}

/** Statements in readable form, each with its semicolon. */
export interface TablesSql {
  /** Make the lists read the tables of the map. Run them in one transaction. */
  install: readonly string[];
  /**
   * Build the lists. Until then, answers are right but slow. For SQLite this is empty, since `install` builds the
   * lists.
   */
  build: readonly string[];
  /**
   * Each returns a row for each problem: its `kind`, the `problem`, a `count` and an `example`. The kind is "note" if
   * nothing is wrong, "wrong" if `im-admin check --repair` can repair it, and "unmendable" if only you can. If a
   * statement fails, its error names the table or column that does not exist any more.
   */
  check: readonly string[];
  /** Remove everything that `install` has made. Run them in one transaction. */
  remove: readonly string[];
}

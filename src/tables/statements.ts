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

/** Why the statements of a map do not remove the installed one. */
export const anotherMap =
  "the installed map has other kinds of records: remove it by im-admin tables --remove, or by the statements of that map";

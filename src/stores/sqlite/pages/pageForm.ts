import type { Json } from "../../../json.js";
import type { Sql } from "../sql.js";
import type { Row } from "../statement.js";

/** The parts of a statement for a page. */
export interface PageParts {
  /** The beginning of the statement, with the total. */
  total: Sql;
  /** An item as JSON, in {@link PageParts.select}. */
  item: Sql;
  /** A query for an expression over each row of the page. The rows are in the order of `place.key`. */
  select(what: Sql): Sql;
  /** The end of the statement. It gives one row if the list exists, and otherwise none. */
  from: Sql;
}

/** The form in which an engine returns the items of a page. */
export interface PageForm {
  /** The statement for a page of at most this size. */
  text(parts: PageParts, size: number): string;
  /** The items in the rows of the answer. The first row has the total. */
  itemsOf(rows: readonly Row[]): Json;
}

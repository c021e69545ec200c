/** Where a database notes that records are in tables of a host's own. */
import type { RecordName } from "../../../records.js";
import type { Row, Statement } from "../database.js";
import { ourName, sql } from "../sql.js";
import type { SchemaObject } from "./schemaObject.js";

/**
 * The map that is in use, as JSON, in the only row. Nothing else says it, so that a repair leaves it alone. Each map has
 * another `id`, so that a process notices a map that was installed meanwhile.
 */
export const mapTable: SchemaObject = {
  type: "table",
  name: ourName("tableMap"),
  sql: sql`
    CREATE TABLE im_admin_table_map (
      id INTEGER PRIMARY KEY,
      map TEXT NOT NULL
    )`,
};

/**
 * What each statement reads in the place of a table of records: a SELECT, which is no view, since a view in the file
 * would stop the host from renaming its table. `careful` leaves out what cannot be read. The `keys` say how a host's index
 * finds a record, as JSON. For conversations, the `target` says how they are written.
 */
export const sourceTable: SchemaObject = {
  type: "table",
  name: ourName("sources"),
  sql: sql`
    CREATE TABLE im_admin_sources (
      record TEXT PRIMARY KEY,
      source TEXT NOT NULL,
      careful TEXT NOT NULL,
      keys TEXT NOT NULL,
      target TEXT
    ) WITHOUT ROWID`,
};

/** The kinds of records that are in tables of a host, as a part of the statements of a write. */
export function* mappedInWrite(): Generator<Statement, ReadonlySet<RecordName>, Row[] | undefined> {
  const rows = (yield sql`SELECT record FROM im_admin_sources`) ?? [];
  return new Set(rows.map(({ record }) => record as RecordName));
}

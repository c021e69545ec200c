/** Where a database notes that records are in tables of a host's own. */
import { recordNames } from "../../../records.js";
import { literal, our, ourName, sql } from "../sql.js";
import { type SchemaObject, trigger } from "./schemaObject.js";

/** The map that is in use, as JSON. Nothing else says it, so that a repair leaves it alone. */
export const mapTable: SchemaObject = {
  type: "table",
  name: ourName("tableMap"),
  sql: sql`
    CREATE TABLE im_admin_table_map (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      map TEXT NOT NULL
    ) STRICT`,
};

/** Refuses a map in the place of another, and of records that would be lost. */
export const mapTrigger: SchemaObject = trigger({ name: "tableMapInserted", event: "BEFORE INSERT", on: "tableMap" }, [
  sql`
    SELECT RAISE(ABORT, 'tables are mapped already: take that back first')
      WHERE EXISTS (SELECT 1 FROM im_admin_table_map)`,
  ...recordNames.map((record) => {
    const refusal = `${ourName(record)} has records, which would be lost: remove them, or leave them out of the map`;
    return sql`
      SELECT RAISE(ABORT, ${literal(refusal)})
        WHERE NEW.map ->> ${literal(record)} IS NOT NULL AND EXISTS (SELECT 1 FROM ${our(record)})`;
  }),
]);

/** Keys of rows that a REPLACE may delete. */
export const replacedTable: SchemaObject = {
  type: "table",
  name: ourName("replaced"),
  sql: sql`
    CREATE TABLE im_admin_replaced (
      record TEXT NOT NULL,
      key TEXT NOT NULL,
      PRIMARY KEY (record, key)
    ) STRICT, WITHOUT ROWID`,
};

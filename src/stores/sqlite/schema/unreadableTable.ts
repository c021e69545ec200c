/**
 * What could not be read of a host's rows when they were last settled: fields on which lists and searches depend. `field`
 * may be "where", the filter. If a field decides, the lists with the row fail until it is written again. No value is kept.
 */
import { ourName, sql } from "../sql.js";
import type { SchemaObject } from "./schemaObject.js";

export const unreadableTable: SchemaObject = {
  type: "table",
  name: ourName("unreadable"),
  sql: sql`
    CREATE TABLE im_admin_unreadable (
      record TEXT NOT NULL,
      first TEXT NOT NULL,
      second TEXT NOT NULL,
      field TEXT NOT NULL,
      decides INTEGER NOT NULL,
      reason TEXT NOT NULL,
      PRIMARY KEY (record, first, second, field)
    ) WITHOUT ROWID`,
};

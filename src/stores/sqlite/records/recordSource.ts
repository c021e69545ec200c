import type { SchemaObject } from "../schema/schemaObject.js";

/** The source of one kind of records, in place of im-admin's own table. */
export interface RecordSource {
  /** A view of the record's name, and indexes on the table that it reads. */
  objects: readonly SchemaObject[];
  /** The triggers that keep listed rows up to date. */
  triggers: readonly SchemaObject[];
}

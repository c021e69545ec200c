import type { SchemaObject } from "../schema/schemaObject.js";

/** What gives the records of one kind, in the place of a table of im-admin's own. */
export interface RecordSource {
  /** A view of the record's name, and indexes on the table that it reads. */
  objects: readonly SchemaObject[];
  /** The triggers that make listed rows right. */
  triggers: readonly SchemaObject[];
}

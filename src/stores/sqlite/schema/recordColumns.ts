import type { Kind } from "../../../recordKinds.js";
import { type RecordName, recordFields } from "../../../records.js";
import { snakeCase } from "../../snakeCase.js";

/** The names of the columns with the fields of a kind of records. */
export function columnNames(record: RecordName): string[] {
  return recordFields[record].map(([field]) => snakeCase(field));
}

/** The type of a column. */
export function columnType({ name }: Kind): "TEXT" | "INTEGER" {
  return name === "key" || name === "text" ? "TEXT" : "INTEGER";
}

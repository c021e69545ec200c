import { type RecordName, recordFields } from "../../../records.js";
import { snakeCase } from "../../names.js";

/** The columns that have the fields of records. */
export function columnsOf(record: RecordName): string[] {
  return recordFields[record].map(([field]) => snakeCase(field));
}

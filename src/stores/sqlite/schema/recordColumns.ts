import { type RecordName, recordFields } from "../../../records.js";
import { snakeCase } from "../../snakeCase.js";

/** The columns with the fields of a kind of records. */
export function columnsOf(record: RecordName): string[] {
  return recordFields[record].map(([field]) => snakeCase(field));
}

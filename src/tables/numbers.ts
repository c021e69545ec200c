import { type RecordName, recordFields } from "../records.js";
import type { MappedRecord } from "./map.js";
import { aliasOf, isQuery } from "./mapNames.js";

/** The first millisecond of 1980. What is earlier is likely to be in seconds. */
export const firstLikelyTime = 315532800000;

/** The times that a map gives to a kind of records, and what to say if all of them lie before 1980. */
export function unlikelyTimes(
  record: RecordName,
  { from, fields = {} }: MappedRecord,
): [field: string, problem: string][] {
  return recordFields[record]
    .filter(([field, kind]) => kind.name === "time" && field in fields)
    .map(([field]) => [
      field,
      `${record}.${field}: all times of ${isQuery(from) ? aliasOf(from) : from} lie before 1980. Are they in milliseconds?`,
    ]);
}

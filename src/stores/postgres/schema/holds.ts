import { forEachKind, type RecordName, recordKeys } from "../../../records.js";
import { placingFields } from "../../lists/placing.js";

/** The most bytes of a text that identifies a record or decides its place. The rows of an index have a limit, and hold several. */
export const mostBytes = 512;

/** The fields of such texts. */
const indexed = forEachKind(
  (record) =>
    new Set<string>([
      ...recordKeys[record],
      ...placingFields[record].flatMap(([field, kind]) => (kind.name === "text" ? [field] : [])),
    ]),
);

/** Whether the tables take a text that has no U+0000. U+0001 separates texts in the keys of lists. */
export function holds(record: RecordName, field: string, text: string): boolean {
  if (!indexed[record].has(field)) return true;
  return !text.includes("\u0001") && new TextEncoder().encode(text).length <= mostBytes;
}

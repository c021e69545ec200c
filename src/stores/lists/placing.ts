/** Which fields of records the definitions of lists use. */
import { type Fields, forEachKind, recordFields, recordKeys } from "../../records.js";
import { lists } from "./index.js";

/** The fields beside the key that decide in which lists a record is, and where, with their kinds. */
export const placingFields = forEachKind((name): Fields => {
  const used = lists
    .filter(({ table }) => table === name)
    .flatMap(({ order, dividedBy, least }): (string | undefined)[] => [
      ...order.map(({ field }) => field),
      dividedBy,
      least?.field,
    ]);
  return recordFields[name].filter(([field]) => used.includes(field) && !recordKeys[name].includes(field));
});

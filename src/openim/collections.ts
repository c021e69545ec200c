/** The collections of the reference server's database, and their fields. */
import type { CheckedValues, Mistake } from "../checkedRecords.js";
import { keyFields, type RecordName, recordFields } from "../records.js";
import { snakeCase } from "../stores/snakeCase.js";
import { nearest, withoutNull } from "./nearest.js";

/** The collections with our records, and the kind of each. */
export const collections = {
  user: "users",
  group: "groups",
  group_member: "groupMembers",
  black: "blacks",
  group_request: "groupRequests",
  conversation: "conversations",
} as const satisfies Record<string, RecordName>;

/** Fields that have another name in the reference server's database. */
const otherNames: Readonly<Record<string, string>> = {
  blackUserID: "block_user_id",
  handleTime: "handled_time",
};

/** The kind of records in a collection; undefined if it has none of ours. */
export function recordNameOf(collection: string): RecordName | undefined {
  return Object.hasOwn(collections, collection) ? collections[collection as keyof typeof collections] : undefined;
}

/** The collections, for messages. */
export const collectionNames = Object.keys(collections);

/**
 * The values of a document's record, in the order of its fields. What no store can hold becomes the nearest value that
 * it can hold, and the caller learns what was wrong. If the key is not usable, it is the empty text.
 */
export function valuesOf(
  name: RecordName,
  document: object,
  onMistake: (mistake: Required<Mistake>) => void = () => {},
): { values: CheckedValues; isUsable: boolean } {
  const given: Record<string, unknown> = { ...document };
  // The server makes a request with an empty "handled_msg", and writes the handler's words to "handle_msg".
  given["handle_msg"] ||= given["handled_msg"];
  let isUsable = true;
  const values = recordFields[name].map(([field, kind]) => {
    const value = plain(given[otherNames[field] ?? snakeCase(field)]) ?? kind.otherwise;
    const held = typeof value === "string" && field.endsWith("ID") ? withoutNull(value) : value;
    if (kind.fits(held) && held === value) return value as string | number | boolean;
    onMistake({ field, message: `must be ${kind.mustBe}` });
    const mended = nearest(kind, held);
    isUsable &&= mended !== undefined;
    return mended ?? "";
  });
  return { values, isUsable };
}

/**
 * The values of a document's record as a database can hold them, with all that was wrong. They are undefined if the
 * database cannot hold the key, and then all mistakes are of the key. Another text that it cannot hold becomes empty.
 */
export function heldValues(
  name: RecordName,
  document: object,
  holds: (record: RecordName, field: string, text: string) => boolean,
): { values: CheckedValues | undefined; keys: string[]; mistakes: Required<Mistake>[] } {
  const mistakes: Required<Mistake>[] = [];
  const { values, isUsable } = valuesOf(name, document, (mistake) => mistakes.push(mistake));
  const keys = values.slice(0, keyFields[name].length).map(String);
  const isOfKey = ({ field }: Mistake) => keyFields[name].some(([key]) => key === field);
  if (!isUsable) return { values: undefined, keys, mistakes: mistakes.filter(isOfKey) };
  const held = [...values];
  for (const [index, [field]] of recordFields[name].entries()) {
    const value = held[index];
    if (typeof value !== "string" || holds(name, field, value)) continue;
    mistakes.push({ field, message: "is too long for the database" });
    if (index < keys.length) return { values: undefined, keys, mistakes: mistakes.filter(isOfKey) };
    held[index] = "";
  }
  return { values: held, keys, mistakes };
}

/**
 * Converts a value. Times are dates there; a date before 1970, such as Go's zero time, means never. Drivers return
 * large integers as bigint or as objects, which depends on their options. As identifiers, they keep their digits.
 */
function plain(value: unknown): unknown {
  // JavaScript has no dates after the year 275760.
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? Number.POSITIVE_INFINITY : Math.max(0, value.getTime());
  if (typeof value === "bigint") return exact(value);
  const { toNumber, toBigInt } = (value ?? {}) as { toNumber?: unknown; toBigInt?: unknown };
  if (typeof toBigInt === "function") return exact(BigInt(toBigInt.call(value)));
  return typeof toNumber === "function" ? toNumber.call(value) : value;
}

/** A number, or a bigint where no number has its digits. */
function exact(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

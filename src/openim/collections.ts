/** The collections of the reference server's database, and their fields. */
import { type RecordName, recordFields } from "../records.js";
import { snakeCase } from "../stores/snakeCase.js";

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

/** The record of a document. It lacks the fields that the document lacks. */
export function recordOf(name: RecordName, document: object): Record<string, unknown> {
  const values: Record<string, unknown> = { ...document };
  // The server makes a request with an empty "handled_msg", and writes the handler's words to "handle_msg".
  values["handle_msg"] ||= values["handled_msg"];
  const fields = recordFields[name].map(([field]) => field);
  return Object.fromEntries(fields.map((field) => [field, plain(values[otherNames[field] ?? snakeCase(field)])]));
}

/**
 * Converts a value. Times are dates there; a date before 1970, such as Go's zero time, means never. Drivers return
 * large integers as bigint or as objects, which depends on their options.
 */
function plain(value: unknown): unknown {
  if (value instanceof Date) return Math.max(0, value.getTime());
  if (typeof value === "bigint") return Number(value);
  const { toNumber } = (value ?? {}) as { toNumber?: unknown };
  return typeof toNumber === "function" ? toNumber.call(value) : value;
}

/** How records stand in the reference server's database. */
import { type RecordName, recordFields } from "../records.js";
import { snakeCase } from "../stores/names.js";

/** The collections that hold our records, and which. */
export const collections = {
  user: "users",
  group: "groups",
  group_member: "groupMembers",
  black: "blacks",
  group_request: "groupRequests",
  conversation: "conversations",
} as const satisfies Record<string, RecordName>;

/** Fields whose name in the reference server's database does not follow from ours. */
const otherNames: Readonly<Record<string, string>> = {
  blackUserID: "block_user_id",
  handleTime: "handled_time",
};

/** Which records a collection holds; undefined where it holds none of ours. */
export function recordNameOf(collection: string): RecordName | undefined {
  return Object.hasOwn(collections, collection) ? collections[collection as keyof typeof collections] : undefined;
}

/** The collections, for messages. */
export const collectionNames = Object.keys(collections);

/** The record of a document, with the values that are there. */
export function recordOf(name: RecordName, document: object): Record<string, unknown> {
  const values: Record<string, unknown> = { ...document };
  // The server makes a request with an empty "handled_msg", and writes the handler's words to "handle_msg".
  values["handle_msg"] ||= values["handled_msg"];
  const fields = recordFields[name].map(([field]) => field);
  return Object.fromEntries(fields.map((field) => [field, plain(values[otherNames[field] ?? snakeCase(field)])]));
}

/**
 * Times are dates there; what lies before 1970, such as Go's zero time, means never. Drivers give large integers as bigint or
 * as objects, as their options say.
 */
function plain(value: unknown): unknown {
  if (value instanceof Date) return Math.max(0, value.getTime());
  if (typeof value === "bigint") return Number(value);
  const { toNumber } = (value ?? {}) as { toNumber?: unknown };
  return typeof toNumber === "function" ? toNumber.call(value) : value;
}

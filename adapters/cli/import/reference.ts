import { EJSON } from "bson";
import { type RecordName, recordFields } from "../../../src/records.js";
import { snakeCase } from "../../../src/stores/names.js";

/** Fields whose name in the reference server's database does not follow from ours. */
const otherNames: Readonly<Record<string, string>> = {
  blackUserID: "block_user_id",
  handleTime: "handled_time",
};

/** Makes a record of a document of the reference server's database, in MongoDB's Extended JSON. */
export function fromReferenceDocument(name: RecordName, document: unknown): unknown {
  if (typeof document !== "object" || document === null) return document;
  const values: Record<string, unknown> = EJSON.deserialize(document, { relaxed: true });
  // The server makes a request with an empty "handled_msg", and writes the handler's words to "handle_msg".
  values["handle_msg"] ||= values["handled_msg"];
  const fields = recordFields[name].map(([field]) => field);
  return Object.fromEntries(fields.map((field) => [field, plain(values[otherNames[field] ?? snakeCase(field)])]));
}

/** Times are dates there; what lies before 1970, such as Go's zero time, means never. */
function plain(value: unknown): unknown {
  return value instanceof Date ? Math.max(0, value.getTime()) : value;
}

import { deserialize, EJSON } from "bson";
import { recordOf } from "../../../src/openim/collections.js";
import type { RecordName } from "../../../src/records.js";

/** Turns a document of the reference server's database, in MongoDB's Extended JSON or in BSON, into a record. */
export function fromReferenceDocument(name: RecordName, document: unknown): unknown {
  if (document instanceof Uint8Array) return recordOf(name, deserialize(document));
  if (typeof document !== "object" || document === null) return document;
  return recordOf(name, EJSON.deserialize(document, { relaxed: true }));
}

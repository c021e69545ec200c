import { basename } from "node:path";
import { collectionNames, recordNameOf } from "../../../src/openim/collections.js";
import { isRecordName, type RecordName, recordNames } from "../../../src/records.js";

/** A file with the name of a collection. */
export interface ImportFile {
  path: string;
  name: string;
  /** The kind of its records. */
  records: RecordName;
  /** Whether it comes from the reference server's database. */
  fromReference: boolean;
  /** Whether it is BSON, as `mongodump` writes it. */
  isBson: boolean;
  /** Its place in the order of import. */
  position: number;
}

const extension = /\.(json|ndjson|jsonl|bson)(\.gz)?$/;

/** Recognizes a file by its name; undefined if that is not the name of a collection. */
export function recognizeFile(path: string): ImportFile | undefined {
  const name = basename(path);
  const [end, kind] = extension.exec(name) ?? [];
  if (end === undefined) return undefined;
  const collection = name.slice(0, -end.length);
  const isBson = kind === "bson";
  const fromReference = isBson || !isRecordName(collection);
  // MongoDB Compass writes the database's name before that of the collection: openim_v3.user.json.
  const records = fromReference ? recordNameOf(collection.replace(/^.*\./, "")) : (collection as RecordName);
  if (records === undefined) return undefined;
  return { path, name, records, fromReference, isBson, position: recordNames.indexOf(records) };
}

/** Whether to warn of a file that is no collection. `mongodump` writes other files beside them, which need no warning. */
export function isSuspicious(name: string): boolean {
  return /json/i.test(name) && !/(\.metadata|^prelude)\.json(\.gz)?$/.test(name);
}

export function describeKinds(): string {
  const own = recordNames.join(", ");
  const reference = collectionNames.join(", ");
  return `files (.json, .ndjson, .jsonl) named ${own}, or, as mongoexport or mongodump (.bson) writes them, ${reference}; each may end in .gz`;
}

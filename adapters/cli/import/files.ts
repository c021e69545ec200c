import { basename } from "node:path";
import { collectionNames, recordNameOf } from "../../../src/openim/collections.js";
import { isRecordName, type RecordName, recordNames } from "../../../src/records.js";

/** A file that is named after a collection. */
export interface ImportFile {
  path: string;
  name: string;
  /** Which records it holds. */
  records: RecordName;
  /** Whether it is from the reference server's database. */
  fromReference: boolean;
  /** Whether `mongodump` wrote it, and not as JSON. */
  isBson: boolean;
  /** Its place in the order of import. */
  position: number;
}

const extension = /\.(json|ndjson|jsonl|bson)(\.gz)?$/;

/** What a file's name says of it; undefined where it is not named after a collection. */
export function recognizeFile(path: string): ImportFile | undefined {
  const name = basename(path);
  const [end, kind] = extension.exec(name) ?? [];
  if (end === undefined) return undefined;
  const collection = name.slice(0, -end.length);
  const isBson = kind === "bson";
  const fromReference = isBson || !isRecordName(collection);
  const records = fromReference ? recordNameOf(collection) : (collection as RecordName);
  if (records === undefined) return undefined;
  return { path, name, records, fromReference, isBson, position: recordNames.indexOf(records) };
}

/** Whether a file that is no collection is worth a warning: `mongodump` writes others beside them. */
export function isSuspicious(name: string): boolean {
  return /json/i.test(name) && !/(\.metadata|^prelude)\.json(\.gz)?$/.test(name);
}

export function describeKinds(): string {
  const own = recordNames.join(", ");
  const reference = collectionNames.join(", ");
  return `files (.json, .ndjson, .jsonl) named ${own}, or, as mongoexport or mongodump (.bson) writes them, ${reference}; each may end in .gz`;
}

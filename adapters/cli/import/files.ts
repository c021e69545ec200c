import { basename, extname } from "node:path";
import { isRecordName, type RecordName, recordNames } from "../../../src/records.js";

/** A file that is named after a collection. */
export interface ImportFile {
  path: string;
  name: string;
  /** Which records it holds. */
  records: RecordName;
  /** Whether `mongoexport` wrote it from the reference server's database. */
  fromReference: boolean;
  /** Its place in the order of import. */
  position: number;
}

/** The collections of the reference server's database that hold our records. */
const referenceCollections: Readonly<Record<string, RecordName>> = {
  user: "users",
  group: "groups",
  group_member: "groupMembers",
  black: "blacks",
  group_request: "groupRequests",
  conversation: "conversations",
};

const extensions = [".json", ".ndjson", ".jsonl"];

/** What a file's name says of it; undefined where it is not named after a collection. */
export function recognizeFile(path: string): ImportFile | undefined {
  const extension = extname(path);
  if (!extensions.includes(extension)) return undefined;
  const name = basename(path, extension);
  const fromReference = !isRecordName(name);
  const records = fromReference ? referenceCollections[name] : name;
  if (records === undefined) return undefined;
  return { path, name: basename(path), records, fromReference, position: recordNames.indexOf(records) };
}

export function describeKinds(): string {
  const own = recordNames.join(", ");
  const reference = Object.keys(referenceCollections).join(", ");
  return `files (${extensions.join(", ")}) named ${own}, or, as mongoexport writes them, ${reference}`;
}

/** What following needs of MongoDB's driver. Its `MongoClient` fits. */

/** A client of MongoDB: a `MongoClient` of the package `mongodb`, of version 6.22 or 7. */
export interface OpenimClient {
  /** The database that the client's URL names. */
  db(name?: string, options?: object): OpenimDatabase;
  startSession(options?: object): OpenimSession;
  close(force?: boolean): Promise<unknown>;
}

export interface OpenimDatabase {
  watch(pipeline: object[], options: object): OpenimStream;
  collection(name: string): OpenimDocuments;
}

export interface OpenimDocuments {
  find(filter: object, options: object): AsyncIterable<object>;
  estimatedDocumentCount(): Promise<number>;
}

export interface OpenimSession {
  endSession(): Promise<unknown>;
}

export interface OpenimStream {
  /** The next change; null if there is none now. */
  tryNext(): Promise<object | null>;
  readonly resumeToken: unknown;
  close(): Promise<unknown>;
}

/** A change of a document or of a collection, as MongoDB documents it. */
export interface Change {
  /** The place behind the change. */
  _id: object;
  operationType: string;
  ns?: { coll?: string };
  documentKey?: { _id: unknown };
  /** Null if the document has been deleted since. */
  fullDocument?: object | null;
  /** When it was made: a timestamp, whose upper half has the seconds. */
  clusterTime?: { high: number };
  /** The transaction of the change, if it has one. */
  lsid?: { id?: unknown };
  txnNumber?: unknown;
}

/**
 * How documents are read, whatever the options of the client are: as values of JavaScript. Neither a text that is no
 * UTF-8 nor a regular expression that only MongoDB reads is a reason to refuse a document.
 */
export const readingOptions = {
  raw: false,
  promoteValues: true,
  // Identifiers beyond 2^53 keep their digits.
  promoteLongs: false,
  promoteBuffers: false,
  useBigInt64: false,
  bsonRegExp: true,
  enableUtf8Validation: false,
};

/** A text that identifies a document in its collection. */
export function idOf(id: unknown): string {
  const { toHexString, _bsontype: type = typeof id } = (id ?? {}) as { toHexString?: unknown; _bsontype?: unknown };
  return typeof toHexString === "function" && type === "ObjectId"
    ? String(toHexString.call(id))
    : `${id instanceof Date ? "Date" : type} ${JSON.stringify(id)}`;
}

/** A place in the changes, as a text. It has texts, and binary values in some cases. */
export function tokenText(token: object): string {
  const parts = Object.entries(token).map(([field, value]: [string, unknown]) => [
    field,
    typeof value === "string"
      ? value
      : { base64: (value as { toString(encoding: string): string }).toString("base64") },
  ]);
  return JSON.stringify(Object.fromEntries(parts));
}

/** The place that a text names; undefined if it names none. */
export function tokenOf(text: string | undefined): object | undefined {
  if (text === undefined || !text.startsWith("{")) return undefined;
  const parts = Object.entries(JSON.parse(text) as Record<string, string | { base64: string }>).map(
    ([field, value]) => [field, typeof value === "string" ? value : bytesOf(value.base64)],
  );
  return Object.fromEntries(parts);
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

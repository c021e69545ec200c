/** How a store follows another server's database. */
import type { CheckedValues } from "../checkedRecords.js";
import { type RecordName, recordKeys } from "../records.js";
import type { BundledStore } from "./bundledStore.js";
import type { Difference, Incoming, OnDifference } from "./replacement.js";

/** Up to where a copy has the changes of the other server. */
export interface Place {
  /** What the other server calls the place; undefined if the copy follows nothing. */
  token: string | undefined;
  /** When that was, in milliseconds since 1970; undefined if the copy has never been whole. */
  time: number | undefined;
}

/** The new states of documents by their IDs: the values of each record. Undefined stands for a document that has none. */
export type FollowedDocuments = ReadonlyMap<string, CheckedValues | undefined>;

/** The changes of documents, by the kinds of their records. */
export type FollowedChanges = ReadonlyMap<RecordName, FollowedDocuments>;

/**
 * The methods with which a store follows. Each write moves the place of the copy in its own transaction, and fails with
 * {@link Overtaken} if the copy is not where `from` says.
 */
export interface Following {
  /** Whether the store can hold a text that has no U+0000 in a field of a record. */
  holds(record: RecordName, field: string, text: string): boolean;
  place(): Promise<Place>;
  /** Makes a table hold exactly these records, unless `onDifference` throws. */
  replace(record: RecordName, incoming: Incoming, moved: Moved, onDifference: OnDifference): Promise<Difference>;
  /** Writes what changes of documents make of their records, and returns the IDs of the documents that are passed over. */
  apply(changes: FollowedChanges, moved: Moved): Promise<string[]>;
}

/** From where to where a write brings a copy. Without `time`, the copy stays as old as it was. */
export interface Moved {
  from: string | undefined;
  to: string;
  time?: number;
}

/** Somebody else has filled the copy meanwhile. */
export class Overtaken extends Error {
  constructor() {
    super("another process has written to the copy: only one may follow, and no import may run beside it");
  }
}

/** A document has lost a key that another one has, and nothing is known of that one but its key. */
export class KeyLeft extends Error {
  constructor(id: string) {
    super(`the document ${id} has left its key to another one, so that all records are copied again`);
  }
}

const following = Symbol("following");

/** Lets a store follow. */
export function withFollowing(store: BundledStore, methods: Following): BundledStore {
  return Object.assign(store, { [following]: methods });
}

/** The methods of a store that can follow; undefined for any other. */
export function followingOf(store: object): Following | undefined {
  return (store as { [following]?: Following })[following];
}

/** What changes of documents do to the records, and to what is known of the documents. */
export interface Effect {
  /** The keys of records that go. */
  removed: string[][];
  put: CheckedValues[];
  /** The documents with a key now, which is JSON. */
  known: KeyOfDocument[];
  /** The IDs of the documents whose key another one with a greater ID has. */
  passedOver: string[];
}

/** The ID of a document, and its key as JSON. */
export type KeyOfDocument = readonly [id: string, key: string];

/** The keys of documents now. */
export function keysNow(record: RecordName, documents: FollowedDocuments): KeyOfDocument[] {
  return Array.from(documents).flatMap(([id, values]) =>
    values === undefined ? [] : [[id, JSON.stringify(values.slice(0, recordKeys[record].length))]],
  );
}

/**
 * What changes of documents do. If several documents have one key, the record is that of the greatest ID.
 *
 * @param before the keys that these documents had
 * @param others all other documents with a key that one of them has or had
 * @throws KeyLeft
 */
export function effectOf(
  record: RecordName,
  documents: FollowedDocuments,
  before: readonly KeyOfDocument[],
  others: readonly KeyOfDocument[],
): Effect {
  const known = keysNow(record, documents);
  const greatest = new Map<string, string>();
  for (const [id, key] of [...others, ...known]) if (id > (greatest.get(key) ?? "")) greatest.set(key, id);
  const given = new Set(known.map(([id]) => id));
  for (const [id, key] of before) {
    const successor = greatest.get(key);
    if (successor !== undefined && successor < id && !given.has(successor)) throw new KeyLeft(id);
  }
  return {
    // If another document has the key, a record stays.
    removed: before.flatMap(([, key]) => (greatest.has(key) ? [] : [JSON.parse(key)])),
    put: known.flatMap(([id, key]) => (greatest.get(key) === id ? [documents.get(id) ?? []] : [])),
    known,
    passedOver: known.flatMap(([id, key]) => (greatest.get(key) === id ? [] : [id])),
  };
}

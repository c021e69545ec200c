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
  /** Whether the store can hold a key that has no U+0000. */
  holdsKey(key: string): boolean;
  place(): Promise<Place>;
  /** Makes a table hold exactly these records, unless `onDifference` throws. */
  replace(record: RecordName, incoming: Incoming, moved: Moved, onDifference: OnDifference): Promise<Difference>;
  /** Writes what changes of documents make of their records. */
  apply(changes: FollowedChanges, moved: Moved): Promise<void>;
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
  /** The documents that have a record now, with its key as JSON. */
  known: [id: string, key: string][];
}

/**
 * What changes of documents do.
 *
 * @param before rows with the `key` that a record of these documents had, as JSON
 */
export function effectOf(
  record: RecordName,
  documents: FollowedDocuments,
  before: readonly Readonly<Record<string, unknown>>[],
): Effect {
  const keyOf = (values: CheckedValues) => JSON.stringify(values.slice(0, recordKeys[record].length));
  const put = [...documents.values()].filter((values) => values !== undefined);
  const present = new Set(put.map(keyOf));
  return {
    // If another document has the key now, its record stays.
    removed: before.map(({ key }) => JSON.parse(String(key))).filter((key) => !present.has(JSON.stringify(key))),
    put,
    known: Array.from(documents).flatMap(([id, values]) => (values === undefined ? [] : [[id, keyOf(values)]])),
  };
}

/** Makes records of the documents in the reference server's database. */
import type {
  BlackRecord,
  ConversationRecord,
  GroupMemberRecord,
  GroupRecord,
  GroupRequestRecord,
  UserRecord,
} from "../records.js";
import { recordFields } from "../records.js";
import { type collections, recordNameOf, valuesOf } from "./collections.js";

export type { BundledStore } from "../stores/bundledStore.js";
export { type FollowOptions, type FollowProgress, followOpenIm } from "./follow/followOpenIm.js";
export type { OpenimClient } from "./follow/mongo.js";

/** A collection of the reference server's database with records of ours. */
export type OpenimCollection = keyof typeof collections;

interface RecordTypes {
  users: UserRecord;
  groups: GroupRecord;
  groupMembers: GroupMemberRecord;
  blacks: BlackRecord;
  groupRequests: GroupRequestRecord;
  conversations: ConversationRecord;
}

/** The record of a document, for `put` and `remove` of a store; none for a document without a usable key. */
export type RecordsOf<Collection extends OpenimCollection> = {
  readonly [Name in (typeof collections)[Collection]]: readonly RecordTypes[Name][];
};

/**
 * Makes records of a document of the reference server's database, as MongoDB's driver returns it. Give them to the
 * `put` of a store if the document was inserted or changed, and to `remove` if it was deleted. Dates become
 * milliseconds, and the server's zero time becomes 0. For a document of a collection without records, such as messages,
 * it returns `{}`.
 *
 * It never throws for a document that the server has written. What no store can hold becomes the nearest value that it
 * can hold: U+FFFD for U+0000, and the least or greatest number. In an identifier, U+FFFD and 0 stand for U+0000, so that
 * no two become the same; integers beyond 2^53 keep their digits, if they are given as Long or bigint. A document whose key is missing or empty has no record.
 *
 * @param collection `user`, `group`, `group_member`, `black`, `group_request`, `conversation` or another
 */
export function recordsOf<Collection extends OpenimCollection>(
  collection: Collection,
  document: object,
): RecordsOf<Collection>;
export function recordsOf(collection: string, document: object): Partial<RecordsOf<OpenimCollection>>;
export function recordsOf(collection: string, document: object): object {
  const name = recordNameOf(collection);
  if (name === undefined) return {};
  const { values, isUsable } = valuesOf(name, document);
  const record = Object.fromEntries(recordFields[name].map(([field], index) => [field, values[index]]));
  return { [name]: isUsable ? [record] : [] };
}

/** The collections of the reference server's database, as records. */
import type {
  BlackRecord,
  ConversationRecord,
  GroupMemberRecord,
  GroupRecord,
  GroupRequestRecord,
  UserRecord,
} from "../records.js";
import { type collections, recordNameOf, recordOf } from "./collections.js";

/** A collection of the reference server's database that holds records of ours. */
export type OpenimCollection = keyof typeof collections;

interface RecordTypes {
  users: UserRecord;
  groups: GroupRecord;
  groupMembers: GroupMemberRecord;
  blacks: BlackRecord;
  groupRequests: GroupRequestRecord;
  conversations: ConversationRecord;
}

/** The records of a collection's document, for `put` and `remove` of a store. */
export type RecordsOf<Collection extends OpenimCollection> = {
  readonly [Name in (typeof collections)[Collection]]: readonly [RecordTypes[Name]];
};

/**
 * Makes records of a document of the reference server's database, as a driver of MongoDB gives it: for `put` of a store where it
 * was inserted or changed, and for `remove` where it was deleted. Dates become milliseconds, and the server's zero time 0. Of
 * a collection that holds no records, such as messages, it makes `{}`.
 *
 * What does not fit is found by `put`, which names the record and its field.
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
  return name === undefined ? {} : { [name]: [recordOf(name, document)] };
}

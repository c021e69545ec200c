/** Makes records of the documents in the reference server's database. */
import type {
  BlackRecord,
  ConversationRecord,
  GroupMemberRecord,
  GroupRecord,
  GroupRequestRecord,
  UserRecord,
} from "../records.js";
import { type collections, recordNameOf, recordOf } from "./collections.js";

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

/** The records of a document, for `put` and `remove` of a store. */
export type RecordsOf<Collection extends OpenimCollection> = {
  readonly [Name in (typeof collections)[Collection]]: readonly [RecordTypes[Name]];
};

/**
 * Makes records of a document of the reference server's database, as MongoDB's driver returns it. Give them to the
 * `put` of a store if the document was inserted or changed, and to `remove` if it was deleted. Dates become
 * milliseconds, and the server's zero time becomes 0. For a document of a collection without records, such as messages,
 * it returns `{}`.
 *
 * It does not check values: `put` does, and names the record and its field.
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

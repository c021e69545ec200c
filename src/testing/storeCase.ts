import type { RecordKeySet, RecordSet, StoredConversation } from "../records.js";
import type { Store } from "../store.js";

/**
 * A store with three more methods, by which the cases write its data and read it back. Only the cases use these
 * methods: they may be slow, and need no checks and no transactions.
 */
export interface StoreUnderTest extends Store {
  /**
   * Inserts records, or replaces those with the same key.
   *
   * - A call lists users first, then groups, then the records that refer to them. Write the kinds in the order of
   *   `Object.keys(records)`, and no foreign key breaks.
   * - A field that is left out is 0, false or `""`, also if the call replaces a record. No field is null.
   * - To replace a user or a group, change its row. Do not delete it first, as SQLite's `REPLACE` does: that may delete
   *   the records that refer to it.
   */
  put(records: RecordSet): Promise<void>;

  /**
   * Deletes the records with these keys; a key without a record is no error. `storeCases` delete members, blacks,
   * requests, and users that no record refers to. So it does not matter what a foreign key does on deletion.
   */
  remove(keys: RecordKeySet): Promise<void>;

  /** The conversations of a user, with all their fields, by conversationID; none for an unknown user. */
  conversations(ownerUserID: string): Promise<StoredConversation[]>;
}

/**
 * Opens a store with exactly these records, which are in the order of {@link StoreUnderTest.put}. A case calls it once.
 * So it may empty the tables of one database that all cases use in turn. Close what you opened after the case.
 */
export type OpenStore = (records: RecordSet) => Promise<StoreUnderTest>;

/** Rejects, with an error that says what is wrong, if the sentence of the case does not hold for the store. */
export type StoreCase = (open: OpenStore) => Promise<void>;

/** The cases, each by the sentence that must hold. */
export type StoreCases = Readonly<Record<string, StoreCase>>;

/** Returns the IDs that the store has for the names in the cases. */
export interface NamedIDs {
  userID(name: string): string;
  groupID(name: string): string;
}

/** Cases that use short names for users and groups, each by the sentence that must hold. */
export type NamedCases = Readonly<Record<string, (open: OpenStore, ids: NamedIDs) => Promise<void>>>;

/** A page that is longer than any list of the world. */
export const allRows = { offset: 0, limit: 1000 } as const;

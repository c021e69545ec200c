import type { RecordKeySet, RecordSet, StoredConversation } from "../records.js";
import type { Store } from "../store.js";

/**
 * A store, and a side door by which the cases write its data and read it back. The side door is only for the cases: it
 * may be slow, and needs no checks and no transactions.
 */
export interface StoreUnderTest extends Store {
  /**
   * Inserts records, or replaces those with the same key.
   *
   * - A call names users first, then groups, then what refers to them: whoever writes the kinds in the order of
   *   `Object.keys(records)` breaks no foreign key.
   * - A field that is left out is 0, false or `""`, also where a record is replaced; no field is null.
   * - Who replaces a user or a group must not delete it first, as SQLite's `REPLACE` does, where what refers to it would
   *   be deleted with it.
   */
  put(records: RecordSet): Promise<void>;

  /**
   * Deletes the records with these keys; a key without a record is no error. `storeCases` delete members, blacks,
   * requests, and users to whom no record refers: it does not matter what a foreign key does on deletion.
   */
  remove(keys: RecordKeySet): Promise<void>;

  /** The conversations of a user, with all their fields, by conversationID; none for an unknown user. */
  conversations(ownerUserID: string): Promise<StoredConversation[]>;
}

/**
 * Gives a store that holds exactly these records, which are in the order of {@link StoreUnderTest.put}. It is called
 * once in a case, so it may empty the tables of one database that all cases use in turns. A runner closes what it
 * opened after the case.
 */
export type OpenStore = (records: RecordSet) => Promise<StoreUnderTest>;

/** Rejects, with an error that says what is wrong, where the store does not keep what the case's name promises. */
export type StoreCase = (open: OpenStore) => Promise<void>;

/** Cases by the sentence that must hold. */
export type StoreCases = Readonly<Record<string, StoreCase>>;

/** How the cases call users and groups where the store has them. */
export interface NamedIDs {
  userID(name: string): string;
  groupID(name: string): string;
}

/** Cases that call users and groups by short names, by the sentence that must hold. */
export type NamedCases = Readonly<Record<string, (open: OpenStore, ids: NamedIDs) => Promise<void>>>;

/** More than any list of the world holds. */
export const allRows = { offset: 0, limit: 1000 } as const;

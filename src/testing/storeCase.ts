import type { RecordSet, Records } from "../records.js";
import type { Store } from "../store.js";

/** A store, and how the cases write and read its data besides: by `put`, `remove` and `conversations`. */
export type StoreUnderTest = Store & Records;

/** Gives a store that holds exactly these records. A runner closes what it opened after the case. */
export type OpenStore = (records: RecordSet) => Promise<StoreUnderTest>;

/** Rejects, with an error that says what is wrong, where the store does not keep what the case's name promises. */
export type StoreCase = (open: OpenStore) => Promise<void>;

/** Cases by the sentence that must hold. */
export type StoreCases = Readonly<Record<string, StoreCase>>;

/** More than any list of the world holds. */
export const allRows = { offset: 0, limit: 1000 } as const;

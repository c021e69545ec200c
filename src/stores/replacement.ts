/** What a table is to hold instead of its records, on every engine. */
import type { CheckedValues } from "../checkedRecords.js";
import type { RecordName } from "../records.js";

/** Records for a table. Behind the values of each stands the ID of the document that it follows; empty if it follows none. */
export type Incoming = Iterable<CheckedValues> | AsyncIterable<CheckedValues>;

/** How a table differs from the records that are to be in it. */
export interface Difference {
  /** How many records it has. */
  stored: number;
  /** How many of them are to go. */
  removed: number;
  /** How many are new, or to be otherwise. */
  changed: number;
  /** How many documents are passed over, since another one with a greater ID has their key. */
  passedOver: number;
  /** The ID of one of them. */
  example?: string | undefined;
}

/** Is told, before anything is written, what would be; it throws where that must not be. */
export type OnDifference = (difference: Difference) => void;

/** So many records may go in any case, and this share of them. If more would go, the new ones may not be whole. */
const alwaysRemovable = 10;
const removableShare = 1 / 5;

/** Refuses records of a kind that lack so much that they may not be whole. */
export function refuseLoss(record: RecordName, advice: string): OnDifference {
  return ({ stored, removed }) => {
    if (removed <= Math.max(alwaysRemovable, stored * removableShare)) return;
    throw new Error(
      `${removed.toLocaleString("en")} of ${stored.toLocaleString("en")} ${record} would be removed: ${advice}`,
    );
  };
}

/** What a table is to hold instead of its records, on every engine. */

/** How a table differs from the records that are to be in it. */
export interface Difference {
  /** How many records it has. */
  stored: number;
  /** How many of them are to go. */
  removed: number;
  /** How many are new, or to be otherwise. */
  changed: number;
}

/** Is told, before anything is written, what would be; it throws where that must not be. */
export type OnDifference = (difference: Difference) => void;

import type * as v from "valibot";
import { integer, object } from "./fields.js";
import type { Limits } from "./limits.js";

/** Which page of a list. */
export function pagination({ showNumber }: Limits) {
  return object({
    /** Counts from 1. */
    pageNumber: integer(1),
    /** Items on a page. */
    showNumber: integer(1, showNumber),
  });
}

/** Which page of a list. */
export type Pagination = v.InferInput<ReturnType<typeof pagination>>;

/** The place of a page in its list. */
export interface PageRange {
  /** Items before the page: 0 or more. It may be past the end of the list. */
  offset: number;
  /** Items on the page at most: 1 or more. */
  limit: number;
  /** Bytes of its items as JSON at most, unless it has one item. A store may ignore it. */
  mostBytes?: number;
}

/** One page of a list, and the length of the whole list. */
export interface Page<Item> {
  /** Items of the whole list, after keyword and filters. */
  total: number;
  items: Item[];
  /** What could not be read, and is 0, false or "" in the items, for the observer. It is left out if there is nothing. */
  unreadable?: readonly Unreadable[];
}

/** A field of a stored record whose expression in a map fails for this record. Its value is never told. */
export interface Unreadable {
  /** The kind of records, as a map names it: `users`. */
  record: string;
  /** The ID of the record, or its two IDs. */
  key: readonly string[];
  /** The field, as a map names it, or `where`. */
  field: string;
  /** Why it cannot be read, in the words of the database, or by its code. */
  reason: string;
}

export function pageRange({ pageNumber, showNumber }: Pagination): PageRange {
  return { offset: (pageNumber - 1) * showNumber, limit: showNumber };
}

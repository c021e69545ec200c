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
}

/** One page of a list, and the length of the whole list. */
export interface Page<Item> {
  /** Items of the whole list, after keyword and filters. */
  total: number;
  items: Item[];
}

export function pageRange({ pageNumber, showNumber }: Pagination): PageRange {
  return { offset: (pageNumber - 1) * showNumber, limit: showNumber };
}

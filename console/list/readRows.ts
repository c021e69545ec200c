import type { ListPage } from "./pages.js";

/** How many rows one request reads at most: the interface allows no more. */
export const rowsPerRead = 1_000;

/** Rows of a list, in the order in which it is shown. */
export interface Rows<Item> extends ListPage<Item> {
  /** The index of the row that follows. */
  next: number;
}

/** Asks for the rows from `first` on, at most `most` of them: as many as one request can bring. */
export type Load<Item> = (first: number, most: number, signal?: AbortSignal) => Promise<Rows<Item>>;

/** Loads rows that have come already. */
export function listOf<Item>(rows: readonly Item[]): Load<Item> {
  return async (first, most) => ({ total: rows.length, items: rows.slice(first, first + most), next: first + most });
}

/** Reads the rows of a list from `first` to `last`, counted from 0, or to its end, a thousand at a time. */
export async function* readRows<Item>(
  load: Load<Item>,
  { first = 0, last = Number.POSITIVE_INFINITY, signal }: { first?: number; last?: number; signal?: AbortSignal },
): AsyncGenerator<Rows<Item>, void, undefined> {
  for (let start = first; ; ) {
    const { total, items, next } = await load(start, rowsPerRead, signal);
    yield { total, items: items.slice(0, last - start + 1), next };
    // A list that became shorter ends before its first total.
    if (items.length === 0 || next > Math.min(last, total - 1)) return;
    start = next;
  }
}

import type { ListPage } from "./pages.js";

/** How many rows one request reads: the most that it may ask for. */
export const rowsPerRead = 1_000;

/** Asks for a page of a list. */
export type Load<Item> = (pageNumber: number, showNumber: number, signal?: AbortSignal) => Promise<ListPage<Item>>;

/** Loads pages of rows that have come already. */
export function listOf<Item>(rows: readonly Item[]): Load<Item> {
  return async (pageNumber, showNumber) => {
    const start = (pageNumber - 1) * showNumber;
    return { total: rows.length, items: rows.slice(start, start + showNumber) };
  };
}

/** Reads the rows of a list from `first` to `last`, counted from 0, or to its end, a thousand at a time. */
export async function* readRows<Item>(
  load: Load<Item>,
  { first = 0, last = Number.POSITIVE_INFINITY, signal }: { first?: number; last?: number; signal: AbortSignal },
): AsyncGenerator<ListPage<Item>, void, undefined> {
  for (let page = Math.floor(first / rowsPerRead); ; page++) {
    const start = page * rowsPerRead;
    const { total, items } = await load(page + 1, rowsPerRead, signal);
    yield { total, items: items.slice(Math.max(0, first - start), last - start + 1) };
    // A list that became shorter ends before its first total.
    if (items.length === 0 || start + rowsPerRead > Math.min(last, total - 1)) return;
  }
}

import type { ListPage } from "./pages.js";

/** How many rows one request reads at most: the interface allows no more. */
export const rowsPerRead = 1_000;
/** How many rows are asked for before those in front of them are taken. */
const rowsAhead = 3 * rowsPerRead;

/** Rows of a list, in the order in which it is shown. */
export interface Rows<Item> extends ListPage<Item> {
  /** The index of the row that follows. */
  next: number;
  /** Whether later rows may be asked for at the same time, since each request brings as many rows as it asks for. */
  isRegular?: boolean;
}

/** Asks for the rows from `first` on, at most `most` of them: as many as one request can bring. */
export type Load<Item> = (first: number, most: number, signal?: AbortSignal) => Promise<Rows<Item>>;

/** Loads rows that have come already. */
export function listOf<Item>(rows: readonly Item[]): Load<Item> {
  return async (first, most) => ({ total: rows.length, items: rows.slice(first, first + most), next: first + most });
}

/**
 * Reads the rows of a list from `first` to `last`, counted from 0, or to its end, a thousand at a time. It asks for rows
 * ahead, so that the server works while the page takes others.
 */
export async function* readRows<Item>(
  load: Load<Item>,
  { first = 0, last = Number.POSITIVE_INFINITY, signal }: { first?: number; last?: number; signal?: AbortSignal },
): AsyncGenerator<Rows<Item>, void, undefined> {
  const ended = new AbortController();
  const either = signal === undefined ? ended.signal : AbortSignal.any([signal, ended.signal]);
  const ahead = new Map<number, Promise<Rows<Item>>>();
  try {
    for (let start = first; ; ) {
      const { total, items, next, isRegular } = await (ahead.get(start) ?? load(start, rowsPerRead, either));
      ahead.delete(start);
      const end = Math.min(last, total - 1);
      for (let row = next; isRegular && row <= Math.min(end, next + rowsAhead - 1); row += rowsPerRead) {
        if (ahead.has(row)) continue;
        const rows = load(row, rowsPerRead, either);
        // Who waits for these rows learns why they did not come.
        rows.catch(() => {});
        ahead.set(row, rows);
      }
      yield { total, items: items.slice(0, last - start + 1), next };
      // A list that became shorter ends before its first total.
      if (items.length === 0 || next > end) return;
      start = next;
    }
  } finally {
    ended.abort();
  }
}

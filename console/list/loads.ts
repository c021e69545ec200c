import { fittingIn, pageFrom } from "../../adapters/client/pageSizes.js";
import { CallFailure } from "../api/callFailure.js";
import type { ListPage } from "./pages.js";
import { type Load, rowsPerRead } from "./readRows.js";

/** Asks for a page of the interface. */
type Ask<Item> = (pageNumber: number, showNumber: number, signal?: AbortSignal) => Promise<ListPage<Item>>;

/** Asks for a page, and if it is refused since its rows have too many bytes, for smaller pages that it consists of. */
async function askInParts<Item>(
  ask: Ask<Item>,
  pageNumber: number,
  showNumber: number,
  signal?: AbortSignal,
): Promise<ListPage<Item>> {
  const end = pageNumber * showNumber;
  const items: Item[] = [];
  for (let [offset, most] = [end - showNumber, showNumber]; ; ) {
    const part = pageFrom(offset, Math.min(most, end - offset));
    try {
      const found = await ask(part.pageNumber, part.showNumber, signal);
      items.push(...found.items);
      offset += part.showNumber;
      most = 2 * part.showNumber;
      if (offset >= end || offset >= found.total) return { total: found.total, items };
    } catch (error) {
      const fitting = error instanceof CallFailure ? fittingIn(error.errDlt) : undefined;
      if (fitting === undefined || fitting >= part.showNumber) throw error;
      most = fitting;
    }
  }
}

/** Loads a list in the order of the interface. */
export function fromStart<Item>(ask: Ask<Item>): Load<Item> {
  return async (first, most, signal) => {
    const page = Math.floor(first / most);
    const { total, items } = await askInParts(ask, page + 1, most, signal);
    return { total, items: items.slice(first - page * most), next: (page + 1) * most, isRegular: true };
  };
}

/** How many rows more than wanted a page has on each side, if it can: the list may become longer or shorter meanwhile. */
const spareRows = 10;
/** How often rows are asked for at most, if they have moved out of the page that was asked for. */
const mostTries = 3;

/**
 * Loads a list from its other end: row 0 is the last one of the interface. The interface counts from its first row, and
 * so a page is asked for that has the wanted rows in a list of the length that is known.
 */
export function fromEnd<Item>(ask: Ask<Item>): Load<Item> {
  let known: number | undefined;
  return async (first, most, signal) => {
    for (let tries = 1; ; tries++) {
      const expected = known;
      // The first page tells the length, and has all rows of a short list.
      const { page, size } = expected === undefined ? { page: 0, size: most } : pageWith(wanted(expected), most);
      const { total, items } = await askInParts(ask, page + 1, size, signal);
      known = total;
      const [start, { from, to }] = [page * size, wanted(total)];
      if (total !== expected && (from < start || to > start + size) && tries < mostTries) continue;
      const least = Math.max(from, start);
      return { total, items: items.slice(least - start, Math.max(0, to - start)).reverse(), next: total - least };
    }

    /** Where the wanted rows are in a list of this length, as the interface counts: the first, and the one after the last. */
    function wanted(total: number): { from: number; to: number } {
      return { from: Math.max(0, total - first - most), to: Math.max(0, total - first) };
    }
  };
}

/** The smallest page that has these rows, or else the page that has the most of them with the last one. */
function pageWith({ from, to }: { from: number; to: number }, most: number): { page: number; size: number } {
  let best = { page: Math.floor(Math.max(0, to - 1) / rowsPerRead), size: rowsPerRead, start: to };
  for (let size = Math.ceil(most / 2); size <= rowsPerRead; size++) {
    const page = Math.floor(Math.max(0, to - 1) / size);
    const start = page * size;
    if (to + spareRows <= start + size && start < best.start) best = { page, size, start };
    if (best.start <= Math.max(0, from - spareRows)) break;
  }
  return best;
}

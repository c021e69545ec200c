import type { PageRange } from "../../../pagination.js";
import type { FoundPage } from "../../sqlite/pages/readPage.js";

/** From how many bytes on a page is long: reading and writing it takes milliseconds. */
const long = 1_000_000;
/** How many items show how long the items of a list are. Twenty of the longest that the API can write have 4 MB. */
export const sampleSize = 20;
/** How many lists are remembered. */
const most = 1_000;

/** How many items a page can have. */
function itemsOf({ offset, limit }: PageRange, total: number): number {
  return Math.max(0, Math.min(limit, total - offset));
}

/** How long the items of each list are, as its last pages say: records may hold texts of any length. */
export class ItemWeights {
  /** The list that was read last comes last. */
  readonly #lists = new Map<string, { bytesPerItem: number; total: number }>();

  isKnown(list: string): boolean {
    return this.#lists.has(list);
  }

  /** Whether a page of a list is long, as far as is known. */
  isLong(list: string, range: PageRange): boolean {
    const { bytesPerItem = 0, total = 0 } = this.#lists.get(list) ?? {};
    return bytesPerItem * itemsOf(range, total) > long;
  }

  /** Remembers a page, unless it may be wrong. One of few items says nothing against what longer ones have shown. */
  learn(list: string, range: PageRange, page: FoundPage | undefined): void {
    if (page === undefined || page.waiting !== undefined) return;
    const { total, items, fitting } = page;
    const count = itemsOf(range, total);
    const length = fitting === undefined ? items.length : Number.MAX_SAFE_INTEGER;
    const known = count < sampleSize ? (this.#lists.get(list)?.bytesPerItem ?? 0) : 0;
    this.#lists.delete(list);
    this.#lists.set(list, { bytesPerItem: Math.max(known, length / Math.max(1, count)), total });
    const [oldest = ""] = this.#lists.keys();
    if (this.#lists.size > most) this.#lists.delete(oldest);
  }
}

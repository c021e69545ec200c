import { signal } from "@preact/signals";
import { type CallFailure, hasFailed } from "../api/callFailure.js";

/** One page of a list, and the length of the list. */
export interface ListPage<Item> {
  total: number;
  items: readonly Item[];
}

/** Asks for a page: `pageNumber` counts from 1. */
export type LoadPage<Item> = (pageNumber: number, signal: AbortSignal) => Promise<ListPage<Item>>;

/** How many rows a page has. */
export const rowsPerPage = 50;
/** How many pages are kept. */
const mostPages = 60;
/** The shortest time between two rounds of requests while the list is scrolled, in milliseconds. */
const roundTime = 100;

/** The rows of a list. It asks only for the rows in view. */
export class Pages<Item> {
  /** The length of the list; undefined until it is known. */
  readonly total = signal<number | undefined>(undefined);
  /** Why rows in view are missing. */
  readonly failure = signal<CallFailure | undefined>(undefined);
  /** Grows when rows have come. */
  readonly arrivals = signal(0);
  /** Whether requests are under way. */
  readonly isLoading = signal(false);
  readonly #load: LoadPage<Item>;
  /** The pages, with the last used one at the end. */
  readonly #kept = new Map<number, readonly Item[]>();
  /** Pages of an earlier state of the list. They are shown until they have come again. */
  readonly #stale = new Set<number>();
  readonly #underWay = new Map<number, AbortController>();
  #wanted: readonly number[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(load: LoadPage<Item>) {
    this.#load = load;
  }

  /** Asks for the missing rows from `first` to `last`, and gives up requests for other rows. */
  show(first: number, last: number): void {
    const [from, to] = [pageOf(first), pageOf(last)];
    this.#wanted = Array.from({ length: to - from + 1 }, (_, index) => from + index);
    for (const [page, request] of this.#underWay) if (!this.#wanted.includes(page)) this.#giveUp(page, request);
    if (this.#timer !== undefined) return;
    this.#loadWanted();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#loadWanted();
    }, roundTime);
  }

  /** The row at an index; undefined until it has come. */
  itemAt(index: number): Item | undefined {
    return this.#kept.get(pageOf(index))?.[index % rowsPerPage];
  }

  /** The rows from `first` to `last`; undefined unless all of them have come. */
  itemsBetween(first: number, last: number): Item[] | undefined {
    const items: Item[] = [];
    for (let index = first; index <= last; index++) {
      const item = this.itemAt(index);
      if (item === undefined) return undefined;
      items.push(item);
    }
    return items;
  }

  /** The position of the wanted row; undefined if it has not come. */
  indexOf(isWanted: (item: Item) => boolean): number | undefined {
    for (const [page, items] of this.#kept) {
      const index = items.findIndex(isWanted);
      if (index >= 0) return page * rowsPerPage + index;
    }
    return undefined;
  }

  /** Whether any loaded row is wanted. */
  some(isWanted: (item: Item) => boolean): boolean {
    return [...this.#kept.values()].some((items) => items.some(isWanted));
  }

  /** Whether the server gave no row where one should be. */
  isWithheld(index: number): boolean {
    const page = pageOf(index);
    return this.#kept.has(page) && !this.#stale.has(page) && this.itemAt(index) === undefined;
  }

  /** Asks again for the rows in view. The old rows stay until the new ones come, and answers on their way are too old. */
  refresh(): void {
    this.failure.value = undefined;
    for (const [page, request] of this.#underWay) this.#giveUp(page, request);
    for (const page of this.#kept.keys()) {
      if (this.#wanted.includes(page)) this.#stale.add(page);
      else this.#forget(page);
    }
    this.#loadWanted();
  }

  /** Gives up all requests. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#wanted = [];
    for (const [page, request] of this.#underWay) this.#giveUp(page, request);
  }

  #giveUp(page: number, request: AbortController): void {
    this.#underWay.delete(page);
    request.abort();
  }

  #loadWanted(): void {
    if (this.failure.value !== undefined) return;
    for (const page of this.#wanted) {
      const kept = this.#kept.get(page);
      if (kept !== undefined && !this.#stale.has(page)) this.#keep(page, kept);
      else if (!this.#underWay.has(page)) void this.#fetch(page);
    }
  }

  async #fetch(page: number): Promise<void> {
    const request = new AbortController();
    const isRefresh = this.#stale.has(page);
    this.#underWay.set(page, request);
    this.isLoading.value = true;
    try {
      const { total, items } = await this.#load(page + 1, request.signal);
      if (request.signal.aborted) return;
      if (total !== this.total.value) this.#outdate(isRefresh);
      this.total.value = total;
      this.#stale.delete(page);
      this.#keep(page, items);
      if (this.#stale.size > 0) this.#loadWanted();
      this.arrivals.value += 1;
    } catch (error) {
      if (hasFailed(error, request.signal)) this.failure.value = error;
    } finally {
      if (this.#underWay.get(page) === request) this.#underWay.delete(page);
      this.isLoading.value = this.#underWay.size > 0;
    }
  }

  /** The list has changed, and rows may have moved. Rows in view stay until they come again, to avoid flicker. */
  #outdate(isRefresh: boolean): void {
    for (const page of this.#kept.keys()) {
      if (!this.#wanted.includes(page)) this.#forget(page);
      // Otherwise a list that changes all the time would cause requests all the time.
      else if (!isRefresh) this.#stale.add(page);
    }
  }

  #forget(page: number): void {
    this.#kept.delete(page);
    this.#stale.delete(page);
  }

  #keep(page: number, items: readonly Item[]): void {
    this.#kept.delete(page);
    this.#kept.set(page, items);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= mostPages) return;
      this.#forget(oldest);
    }
  }
}

function pageOf(index: number): number {
  return Math.floor(index / rowsPerPage);
}

import { signal } from "@preact/signals";

/** What the tab keeps of a selection. */
export interface KeptSelection<Item> {
  isAll: boolean;
  list: string;
  /** The exceptions. */
  items: readonly Item[];
}

/** The ticked rows of a list: either some rows, or all rows with exceptions. */
export class Selection<Item> {
  /** Whether all rows are ticked, also those that have never been in view. */
  readonly isAll = signal(false);
  /** The exceptions: the ticked rows or, if all rows are ticked, the rows that are not. */
  readonly #marked = new Map<string, Item>();
  /** Grows with each change. */
  readonly #changes = signal(0);
  #list = "";
  readonly #keyOf: (item: Item) => string;

  constructor(keyOf: (item: Item) => string, kept?: KeptSelection<Item>) {
    this.#keyOf = keyOf;
    this.#list = kept?.list ?? "";
    this.isAll.value = kept?.isAll ?? false;
    for (const item of kept?.items ?? []) this.#marked.set(keyOf(item), item);
  }

  /** What a reload of the page must not lose; undefined if nothing is ticked. */
  get kept(): KeptSelection<Item> | undefined {
    const isAll = this.isAll.peek();
    return isAll || this.#marked.size > 0 ? { isAll, list: this.#list, items: this.items } : undefined;
  }

  has(item: Item): boolean {
    this.#changes.value;
    return this.#marked.has(this.#keyOf(item)) !== this.isAll.value;
  }

  /** How many rows are ticked in a list of this length. */
  count(total: number): number {
    this.#changes.value;
    return this.isAll.value ? Math.max(0, total - this.#marked.size) : this.#marked.size;
  }

  /** The ticked rows. They are not known if all rows are ticked. */
  get items(): Item[] {
    return [...this.#marked.values()];
  }

  /** A function that says whether a row is ticked now. Later changes do not affect it. */
  snapshot(): (item: Item) => boolean {
    const [isAll, marked] = [this.isAll.peek(), new Set(this.#marked.keys())];
    return (item) => marked.has(this.#keyOf(item)) !== isAll;
  }

  tick(items: Iterable<Item>, isTicked: boolean): void {
    for (const item of items) {
      if (isTicked === this.isAll.value) this.#marked.delete(this.#keyOf(item));
      else this.#marked.set(this.#keyOf(item), item);
    }
    this.#changes.value += 1;
  }

  /**
   * Ticks all rows of the list, or none.
   *
   * @param list identifies the list, with its search and filters
   */
  tickAll(isTicked: boolean, list = ""): void {
    this.#marked.clear();
    this.#list = list;
    this.isAll.value = isTicked;
    this.#changes.value += 1;
  }

  /** If all rows of another list are ticked, clears the selection: they are not all rows of this list. */
  showList(list: string): void {
    if (this.isAll.peek() && list !== this.#list) this.tickAll(false);
  }
}

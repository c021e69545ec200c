import { signal } from "@preact/signals";

/** The rows of a list that are ticked: some of them, or all of them but for some. */
export class Selection<Item> {
  /** Whether all rows are ticked, also those that nobody has looked at. */
  readonly isAll = signal(false);
  /** Rows that differ from the others: the ticked ones or, where all are ticked, those that are not. */
  readonly #marked = new Map<string, Item>();
  /** Grows with each change. */
  readonly #changes = signal(0);
  #list = "";
  readonly #keyOf: (item: Item) => string;

  constructor(keyOf: (item: Item) => string) {
    this.#keyOf = keyOf;
  }

  has(item: Item): boolean {
    this.#changes.value;
    return this.#marked.has(this.#keyOf(item)) !== this.isAll.value;
  }

  /** How many rows are ticked in a list of so many. */
  count(total: number): number {
    this.#changes.value;
    return this.isAll.value ? Math.max(0, total - this.#marked.size) : this.#marked.size;
  }

  /** The ticked rows; of a list in which all are ticked nobody knows them. */
  get items(): Item[] {
    return [...this.#marked.values()];
  }

  /** Whether a row is ticked by now, whatever is ticked later. */
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
   * @param list what the list is made of
   */
  tickAll(isTicked: boolean, list = ""): void {
    this.#marked.clear();
    this.#list = list;
    this.isAll.value = isTicked;
    this.#changes.value += 1;
  }

  /** All rows of one list are not all of another: those ticks are taken away when another is shown. */
  showList(list: string): void {
    if (this.isAll.peek() && list !== this.#list) this.tickAll(false);
  }
}

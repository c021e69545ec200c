/** From how many bytes on a page is long: reading and writing it takes milliseconds. */
const long = 1_000_000;

/** How many lists are remembered. */
const most = 1_000;

/**
 * The lists whose last page was long, as records may hold texts of any length. How long a page will be, nobody knows
 * before it is read, but the next ones of its list will be alike.
 */
export class LongLists {
  /** Each with how many items its long page had. */
  readonly #names = new Map<string, number>();

  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** Remembers how long a page of a list was. One of fewer items than a long one had says nothing of the list. */
  learn(name: string, bytes: number, items: number): void {
    if (bytes > long) this.#names.set(name, items);
    else if (items >= (this.#names.get(name) ?? 0)) this.#names.delete(name);
    if (this.#names.size > most) for (const oldest of this.#names.keys()) return void this.#names.delete(oldest);
  }
}

/** From how many bytes on a page is long: reading and writing it takes milliseconds. */
const long = 1_000_000;

/** How many lists are remembered. */
const most = 1_000;

/**
 * The lists whose last page was long, as records may hold texts of any length. How long a page will be, nobody knows
 * before it is read, but the next ones of its list will be alike.
 */
export class LongLists {
  readonly #names = new Set<string>();

  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** Remembers how long a page of a list was. */
  learn(name: string, bytes: number): void {
    if (bytes > long) this.#names.add(name);
    else this.#names.delete(name);
    if (this.#names.size > most) for (const oldest of this.#names) return void this.#names.delete(oldest);
  }
}

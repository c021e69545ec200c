/** How much of something limited is held, and by which clients. */
export class Holdings<Holder> {
  readonly #clientOf: (holder: Holder) => string;
  /** The oldest holders come first. */
  readonly #held = new Map<Holder, number>();
  /** How much all of them hold. */
  all = 0;

  constructor(clientOf: (holder: Holder) => string) {
    this.#clientOf = clientOf;
  }

  /** How much one holds. */
  of(holder: Holder): number {
    return this.#held.get(holder) ?? 0;
  }

  /** All that hold something, the oldest first. */
  holders(): Iterable<Holder> {
    return this.#held.keys();
  }

  /** Counts more, or less, for a holder. */
  add(holder: Holder, amount: number): void {
    this.#held.set(holder, this.of(holder) + amount);
    this.all += amount;
  }

  letGo(holder: Holder): void {
    this.all -= this.of(holder);
    this.#held.delete(holder);
  }

  /** The holders of the client that holds the most, the oldest first. */
  ofMost(): Holder[] {
    const clients = new Map<string, { amount: number; holders: Holder[] }>();
    let most: { amount: number; holders: Holder[] } | undefined;
    for (const [holder, amount] of this.#held) {
      const name = this.#clientOf(holder);
      const client = clients.get(name) ?? { amount: 0, holders: [] };
      client.amount += amount;
      client.holders.push(holder);
      clients.set(name, client);
      if (client.amount > (most?.amount ?? 0)) most = client;
    }
    return most?.holders ?? [];
  }
}

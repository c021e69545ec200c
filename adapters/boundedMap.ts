/** A map that forgets the entry that came first where one more would be too many. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #most: number;

  constructor(most: number) {
    super();
    this.#most = most;
  }

  override set(key: Key, value: Value): this {
    const [oldest] = this.keys();
    if (this.size >= this.#most) this.delete(oldest as Key);
    return super.set(key, value);
  }
}

/** How long somebody waits for a call. */
export class Patience {
  readonly #controller = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param milliseconds for how long; undefined for ever */
  constructor(milliseconds: number | undefined) {
    if (milliseconds === undefined) return;
    this.#timer = setTimeout(() => {
      this.end(new Error(`the call was given up after ${milliseconds} ms, which callTimeoutMs allows it`));
    }, milliseconds);
  }

  /** Aborted when nobody waits any more. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  end(reason: Error): void {
    this.#controller.abort(reason);
  }

  /** The call is over. */
  stop(): void {
    clearTimeout(this.#timer);
  }
}

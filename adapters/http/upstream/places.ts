import type { ServerResponse } from "node:http";

/** How long a request waits for a place, in milliseconds. */
const waitTimeout = 10_000;

/** Gives a place back. Further calls do nothing. */
export type GiveBack = () => void;

/**
 * Places for requests at an upstream. Node's agent has a queue, too, and keeps a request there whose client has gone, with
 * all its headers, until its turn comes.
 */
export class Places {
  #free: number;
  readonly #waiting = new Set<(place: GiveBack) => void>();

  constructor(most: number) {
    this.#free = most;
  }

  /** Resolves with a place; undefined if none is free in time, or if the client goes before. */
  async take(response: ServerResponse): Promise<GiveBack | undefined> {
    if (this.#free > 0) {
      this.#free -= 1;
      return this.#place();
    }
    return new Promise((resolve) => {
      const settle = (place?: GiveBack) => {
        clearTimeout(timer);
        response.off("close", giveUp);
        this.#waiting.delete(settle);
        resolve(place);
      };
      const giveUp = () => settle();
      const timer = setTimeout(giveUp, waitTimeout);
      response.once("close", giveUp);
      this.#waiting.add(settle);
    });
  }

  #place(): GiveBack {
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      const [next] = this.#waiting;
      if (next === undefined) this.#free += 1;
      else next(this.#place());
    };
  }
}

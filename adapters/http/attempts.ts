import { BoundedMap } from "../boundedMap.js";
import { networkOf } from "./clients.js";

/** A client may make so many wrong attempts in a minute; after them, also a right one is refused. */
const attemptsPerMinute = 10;
const minute = 60_000;

/** How many clients are remembered. If more come, the oldest are forgotten. */
const mostClients = 10_000;

/** Counts the wrong attempts of each client, in the minute that begins with the first of them. */
export class Attempts {
  readonly #clients = new BoundedMap<string, { began: number; count: number }>(mostClients);

  areTooMany(address: string): boolean {
    const known = this.#clients.get(networkOf(address));
    return known !== undefined && known.count >= attemptsPerMinute && performance.now() - known.began < minute;
  }

  add(address: string): void {
    const client = networkOf(address);
    const now = performance.now();
    const known = this.#clients.get(client);
    if (known !== undefined && now - known.began < minute) {
      known.count += 1;
      return;
    }
    this.#clients.delete(client);
    this.#clients.set(client, { began: now, count: 1 });
  }
}

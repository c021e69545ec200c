import { setTimeout as delay } from "node:timers/promises";
import { failedBy } from "../sqlite/failures.js";

/** How long a statement waits until another connection gives up its lock, in milliseconds. */
export const busyTimeout = 10_000;

/** How long opening a file waits for another process that migrates it, in milliseconds. */
export const migrationTimeout = 600_000;

/** How long a read waits until changes are settled, in milliseconds. Then it reads the records alone. */
export const patience = 200;

/** The longest wait between two attempts, in milliseconds. */
export const longestWait = 4;

/** Whether SQLite refused a statement because another connection has a lock. */
export function isBusy(error: unknown): boolean {
  return failedBy(error, "BUSY");
}

/**
 * Tries until SQLite lets an attempt begin, without blocking the process. It never repeats an attempt that has begun,
 * since the iterable of its statements may be used up.
 */
export async function whenFree<Result>(attempt: (begun: () => void) => Result): Promise<Result> {
  const deadline = performance.now() + busyTimeout;
  let hasBegun = false;
  for (;;) {
    try {
      return attempt(() => {
        hasBegun = true;
      });
    } catch (error) {
      if (!isBusy(error) || hasBegun || performance.now() > deadline) throw error;
    }
    // Random, so that processes do not try at the same moments. Not growing: that would favour newcomers.
    await delay(Math.random() * longestWait);
  }
}

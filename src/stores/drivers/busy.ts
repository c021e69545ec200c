import { setTimeout as delay } from "node:timers/promises";
import { failedBy } from "./connection.js";

/** How long a call waits for other processes' writes, in milliseconds. */
export const busyTimeout = 10_000;

/** How long a call waits between two attempts at most, in milliseconds. */
export const longestWait = 4;

/** Whether SQLite refused a statement because of what another connection is doing. */
export function isBusy(error: unknown): boolean {
  return failedBy(error, "BUSY");
}

/**
 * Makes attempts until SQLite lets one begin, without stopping the process in between. What has begun is never run
 * again, since its statements may be gone.
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
    // A random time, so that processes do not keep step; never a growing one, which would put those behind who came first.
    await delay(Math.random() * longestWait);
  }
}

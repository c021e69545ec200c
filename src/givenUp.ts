import type { StoreCall } from "./store.js";

/** Waits for work until it is done, or until the signal says that nobody waits any more and the work may still be left. */
export function untilGivenUp<Result>(
  signal: AbortSignal | undefined,
  work: (call: StoreCall) => Promise<Result>,
): Promise<Result> {
  if (signal === undefined) return work({});
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason);
    if (signal.aborted) return giveUp();
    signal.addEventListener("abort", giveUp, { once: true });
    const stopWaiting = () => signal.removeEventListener("abort", giveUp);
    work({ signal, begun: stopWaiting }).finally(stopWaiting).then(resolve, reject);
  });
}

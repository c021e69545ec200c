import { Silent } from "./failures.js";

/** Resolves after a time in milliseconds, or when the signal is aborted. */
export function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener("abort", done, { once: true });
  });
}

/**
 * What MongoDB answers. Rejects if that takes longer, in milliseconds.
 *
 * @param waiting has a function meanwhile that gives up before
 */
export function within<Answer>(
  milliseconds: number,
  answer: Promise<Answer>,
  waiting = new Set<() => void>(),
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Silent());
    const timer = setTimeout(giveUp, milliseconds);
    waiting.add(giveUp);
    const end = () => {
      clearTimeout(timer);
      waiting.delete(giveUp);
    };
    answer.then(resolve, reject).finally(end);
  });
}

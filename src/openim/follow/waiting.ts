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

/** What MongoDB answers. Rejects if that takes longer, in milliseconds. */
export function within<Answer>(milliseconds: number, answer: Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Silent()), milliseconds);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

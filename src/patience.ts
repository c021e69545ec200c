import type { StoreCall } from "./store.js";

/** A call that can be given up until it has begun to write. */
export class Patience implements StoreCall {
  readonly operationID: string;
  /** Known once a request is authenticated. */
  adminUserID: string | undefined;
  #controller: AbortController | undefined;
  #end: { reason: unknown } | undefined;
  #reject: ((reason: unknown) => void) | undefined;

  constructor(operationID: string) {
    this.operationID = operationID;
  }

  /**
   * Created when a store first reads it: few stores do, and an AbortController takes longer to create than all else
   * here.
   */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#end !== undefined) this.#controller.abort(this.#end.reason);
    return this.#controller.signal;
  }

  /** From now on, the call cannot be given up. */
  begun(): void {
    this.#reject = undefined;
  }

  /** Gives the call up. */
  end(reason: unknown): void {
    if (this.#end !== undefined) return;
    this.#end = { reason };
    this.#controller?.abort(reason);
    this.#reject?.(reason);
  }

  /** Resolves or rejects as `work` does, or rejects with the reason if the call is given up first. */
  wait<Result>(work: (call: StoreCall) => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#end !== undefined) return reject(this.#end.reason);
      this.#reject = reject;
      work(this).then(resolve, reject);
    });
  }
}

/**
 * Runs `work`, and gives it up when the caller's signal is aborted.
 *
 * @throws TypeError if `signal` is no AbortSignal
 */
export function waitUnlessAborted<Result>(
  signal: AbortSignal,
  operationID: string,
  work: (call: StoreCall) => Promise<Result>,
): Promise<Result> {
  if (typeof signal.addEventListener !== "function") throw new TypeError("signal must be an AbortSignal");
  const patience = new Patience(operationID);
  const end = () => patience.end(signal.reason);
  if (signal.aborted) end();
  else signal.addEventListener("abort", end);
  // The signal may outlive the call, for example as the signal of a whole process.
  return patience.wait(work).finally(() => signal.removeEventListener("abort", end));
}

import type { StoreCall } from "./store.js";

/** Who asks, and how long a call is waited for: until it is over, or until somebody gives it up who still can. */
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

  /** Made when it is asked for, since few stores look at it and it takes longer than all else here. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#end !== undefined) this.#controller.abort(this.#end.reason);
    return this.#controller.signal;
  }

  /** From now on, the call is waited for whatever happens. */
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

  /** Resolves as the work does, and rejects with the reason when it is given up. */
  wait<Result>(work: (call: StoreCall) => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#end !== undefined) return reject(this.#end.reason);
      this.#reject = reject;
      work(this).then(resolve, reject);
    });
  }
}

/**
 * Does the work of a call for a caller who has a signal.
 *
 * @throws TypeError for what is no signal
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
  // The signal may be that of a whole process.
  return patience.wait(work).finally(() => signal.removeEventListener("abort", end));
}

import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { longestWait } from "./busy.js";

/** How long a process writes before it runs its other calls, in milliseconds. */
const longestUnbroken = 10;

/** How long a process writes before it lets other processes write, in milliseconds. */
const turn = 100;

/** How long it then waits, in milliseconds. Each waiting process makes an attempt in this time. */
const pause = longestWait + 2;

/**
 * The writes of this process to one file. They run one after another in the order of the calls, so that only the first
 * of them competes with other processes.
 */
class WriteQueue {
  #last: Promise<unknown> = Promise.resolve();
  /** When the last write ended. */
  #ended = 0;
  /** How long this process has been writing since it last let others write. */
  #written = 0;
  #unbroken = 0;

  /** Runs a write, perhaps of another thread, when all earlier writes have succeeded or failed. */
  run<Result>(write: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(async () => {
      await this.#giveWay();
      try {
        return await write();
      } finally {
        this.#ended = performance.now();
      }
    });
    this.#last = result.catch(() => {});
    return result;
  }

  /**
   * Pauses so that other processes can write. SQLite gives its lock to the first process that asks, which would always
   * be the one that has just released it.
   */
  async #giveWay(): Promise<void> {
    if (this.#unbroken >= longestUnbroken) {
      await nextTurn();
      this.#unbroken = 0;
    }
    const isUnused = performance.now() - this.#ended > pause;
    if (!isUnused && this.#written < turn) return;
    if (!isUnused) await delay(pause);
    this.#written = 0;
  }

  /** Runs an attempt to write on this thread. */
  timed<Result>(attempt: () => Result): Result {
    const began = performance.now();
    try {
      return attempt();
    } finally {
      const taken = performance.now() - began;
      this.#written += taken;
      this.#unbroken += taken;
    }
  }
}

const queues = new Map<string, { queue: WriteQueue; users: number }>();

/**
 * Joins the queue of a file, which all stores of this process on that file share. A database without an identity has
 * only one store.
 */
export function joinQueue(identity: string | undefined): { queue: WriteQueue; leave(): void } {
  if (identity === undefined) return { queue: new WriteQueue(), leave() {} };
  const shared = queues.get(identity) ?? { queue: new WriteQueue(), users: 0 };
  queues.set(identity, shared);
  shared.users += 1;
  return {
    queue: shared.queue,
    leave() {
      shared.users -= 1;
      if (shared.users === 0) queues.delete(identity);
    },
  };
}

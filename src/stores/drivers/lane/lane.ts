import { type Transferable, Worker } from "node:worker_threads";
import { WaitingCalls } from "../../waitingCalls.js";
import { errorOf, type Outcome, type ThreadCall, type ThreadStart } from "./messages.js";

/** How many calls may wait for a thread. If one more comes, the last call of the longest line is refused. */
const mostWaiting = 1_000;

/** A call that waits for a thread or runs in one. */
interface Task {
  call: ThreadCall;
  line: string;
  transfer: readonly Transferable[];
  finish(outcome: { result: unknown } | { error: unknown }): void;
}

/** The lane of a store: threads for its heavy calls, started when they are needed. Each runs one call at a time. */
export class Lane {
  readonly #address: URL;
  readonly #start: ThreadStart;
  readonly #size: number;
  readonly #threads = new Set<Thread>();
  readonly #waiting = new WaitingCalls<Task>();
  #isClosed = false;

  constructor(address: URL, start: ThreadStart, size: number) {
    this.#address = address;
    this.#start = start;
    this.#size = size;
  }

  /** The number of waiting calls. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Runs a call in a thread when one is free.
   *
   * @param line the line in which it waits; lines take turns
   * @param signal gives the call up, and ends the thread that runs it
   */
  run(call: ThreadCall, line: string, signal?: AbortSignal, transfer: readonly Transferable[] = []) {
    return new Promise<unknown>((resolve, reject) => {
      const task: Task = {
        call,
        line,
        transfer,
        finish(outcome) {
          signal?.removeEventListener("abort", giveUp);
          if ("result" in outcome) resolve(outcome.result);
          else reject(outcome.error);
        },
      };
      const giveUp = () => this.#giveUp(task, signal?.reason);
      if (this.#isClosed) return reject(new Error("The database connection is not open"));
      if (signal?.aborted) return reject(signal.reason);
      signal?.addEventListener("abort", giveUp, { once: true });
      this.#waiting.add(task);
      this.#assign();
      if (this.#waiting.size > mostWaiting) this.#refuseLast();
    });
  }

  /** Lets running calls finish, refuses waiting ones, and ends the threads. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (let task = this.#waiting.next(); task !== undefined; task = this.#waiting.next()) {
      task.finish({ error: new Error("The database connection is not open") });
    }
    await Promise.all(Array.from(this.#threads, (thread) => thread.close()));
  }

  /** Assigns waiting calls to free or new threads. */
  #assign(): void {
    while (this.#waiting.size > 0) {
      const free = [...this.#threads].find((thread) => thread.isFree);
      if (free === undefined && this.#threads.size >= this.#size) return;
      const task = this.#waiting.next();
      if (task !== undefined) (free ?? this.#added()).make(task);
    }
  }

  #added(): Thread {
    const thread = new Thread(this.#address, this.#start, {
      onFree: () => this.#assign(),
      onExit: () => {
        this.#threads.delete(thread);
        this.#assign();
      },
    });
    this.#threads.add(thread);
    return thread;
  }

  #refuseLast(): void {
    const task = this.#waiting.last();
    if (task) this.#giveUp(task, new Error(`${mostWaiting} heavy calls are waiting for the store's threads already`));
  }

  #giveUp(task: Task, reason: unknown): void {
    this.#waiting.delete(task);
    for (const thread of this.#threads) if (thread.task === task) thread.giveUp();
    task.finish({ error: reason });
    this.#assign();
  }
}

/** Whether the process runs a text as a module: a thread, which runs a file, would end at once with this option. */
const isEvaluated = process.execArgv.some((option) => option.startsWith("--input-type"));

/** One thread. */
class Thread {
  readonly #worker: Worker;
  readonly #onFree: () => void;
  readonly #exited: Promise<void>;
  /** Resolves when the thread has read its modules. If it is ended earlier, Node 20 never closes their files. */
  readonly #ready: Promise<void>;
  task: Task | undefined;
  #failure: unknown;
  #isReady = false;
  #isEnding = false;

  constructor(address: URL, start: ThreadStart, { onFree, onExit }: { onFree(): void; onExit(): void }) {
    this.#worker = new Worker(address, { workerData: start, ...(isEvaluated && { execArgv: [] }) });
    this.#onFree = onFree;
    // A thread without a call does not keep the process alive.
    this.#worker.unref();
    this.#ready = new Promise((resolve) => {
      this.#worker.on("message", (outcome: Outcome | "ready") => {
        if (outcome === "ready") {
          this.#isReady = true;
          return resolve();
        }
        this.#finish("failure" in outcome ? { error: errorOf(outcome.failure) } : outcome);
        onFree();
      });
    });
    this.#worker.on("error", (error) => {
      this.#failure = error;
    });
    this.#exited = new Promise((resolve) => {
      this.#worker.once("exit", () => {
        this.#finish({ error: new Error("the thread that made the call has ended", { cause: this.#failure }) });
        onExit();
        resolve();
      });
    });
  }

  get isFree(): boolean {
    return this.task === undefined && !this.#isEnding;
  }

  make(task: Task): void {
    this.task = task;
    this.#worker.ref();
    this.#ready.then(() => {
      if (this.task !== task) return;
      try {
        this.#worker.postMessage(task.call, task.transfer);
      } catch (error) {
        // A host may have passed a value that cannot be sent to a thread, such as a function.
        this.#finish({ error });
        this.#onFree();
      }
    });
  }

  /** Gives up the thread's call: ends the thread, or, if the call has not begun, lets the thread take the next one. */
  giveUp(): void {
    this.task = undefined;
    this.#worker.unref();
    if (!this.#isReady) return;
    // Its place becomes free only when it has ended, since SQLite first finishes its statement.
    this.#isEnding = true;
    this.#worker.terminate();
  }

  /** Ends the thread after its call. */
  close(): Promise<void> {
    if (!this.#isEnding) this.#ready.then(() => this.#worker.postMessage("close" satisfies ThreadCall));
    this.#isEnding = true;
    this.#worker.ref();
    return this.#exited;
  }

  #finish(outcome: Parameters<Task["finish"]>[0]): void {
    const { task } = this;
    this.task = undefined;
    if (!this.#isEnding) this.#worker.unref();
    task?.finish(outcome);
  }
}

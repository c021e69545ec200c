import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import type { FollowProgress } from "../../../src/openim/index.js";
import type { Followed } from "./followInto.js";
import { teller } from "./tell.js";

/** What was done since the server was started, in all threads one after the other, and what is done now. */
export interface Following
  extends Pick<FollowProgress, "isCopying" | "copies" | "changes" | "mended" | "leftOut" | "passedOver"> {
  /** Whether changes cannot be followed at present. The log says why. */
  isFailing: boolean;
}

/** What is done before anything has happened. */
export const nothingFollowed: Following = {
  isCopying: false,
  isFailing: false,
  copies: 0,
  changes: 0,
  mended: 0,
  leftOut: 0,
  passedOver: 0,
};

const counts = ["copies", "changes", "mended", "leftOut", "passedOver"] as const;

/** The pauses before a thread replaces one that has ended, in milliseconds. A thread that ran for longer begins anew. */
const firstPause = 1_000;
const longestPause = 30_000;

/** Under these limits, V8 collects garbage sooner than when the whole machine's memory is free for the thread. */
const resourceLimits = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 512 };

/** Follows OpenIM in a thread. If that ends, another takes its place after a pause, which grows. */
export class FollowThread {
  readonly #followed: Followed;
  readonly #logger: Logger;
  readonly #onChange: (following: Following) => void;
  readonly #stopping = new AbortController();
  readonly #ended: Promise<void>;
  #following = nothingFollowed;

  constructor(followed: Followed, logger: Logger, onChange: (following: Following) => void) {
    this.#followed = followed;
    this.#logger = logger;
    this.#onChange = onChange;
    this.#ended = this.#run();
  }

  /** Lets the thread finish what it has begun. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#ended;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    let pause = firstPause;
    while (!signal.aborted) {
      const begun = performance.now();
      const reason = await this.#runThread();
      if (signal.aborted) return;
      if (performance.now() - begun > longestPause) pause = firstPause;
      this.#logger.error(`OpenIM is not followed: ${reason}; it is tried again in ${pause / 1000} seconds`);
      this.#tell({ ...this.#following, isCopying: false, isFailing: true });
      await delay(pause, undefined, { signal }).catch(() => {});
      pause = Math.min(2 * pause, longestPause);
    }
  }

  /** Resolves when a thread has ended, to the reason. */
  #runThread(): Promise<string> {
    const before = this.#following;
    let first: FollowProgress | undefined;
    const tell = teller();
    const worker = new Worker(new URL("./followThread.js", import.meta.url), {
      workerData: this.#followed,
      resourceLimits,
    });
    const stop = () => worker.postMessage("stop");
    this.#stopping.signal.addEventListener("abort", stop);
    worker.on("message", (progress: FollowProgress) => {
      for (const { text, isWarning } of tell(progress)) this.#logger[isWarning ? "warn" : "info"](text);
      const { isCopying, failure } = progress;
      first ??= progress;
      // A new thread shows that the failure is over by what it hears or has copied, not by its start.
      const isStarting = progress.heardAt === first.heardAt && progress.changes + progress.copies === 0;
      const isFailing = failure !== undefined || (before.isFailing && isStarting);
      const sums = counts.map((name) => [name, before[name] + progress[name]]);
      this.#tell({ ...before, ...Object.fromEntries(sums), isCopying, isFailing });
    });
    return new Promise((resolve) => {
      let reason = "its thread has ended";
      worker.on("error", (error) => {
        reason = error instanceof Error ? error.message : String(error);
      });
      worker.once("exit", () => {
        this.#stopping.signal.removeEventListener("abort", stop);
        resolve(reason);
      });
    });
  }

  #tell(following: Following): void {
    this.#following = following;
    this.#onChange(following);
  }
}

import { signal } from "@preact/signals";
import type { SetConversationsInput } from "../../src/index.js";
import { call } from "../api/call.js";
import { CallFailure } from "../api/callFailure.js";
import { batchesOf } from "./batches.js";

/** What has become of the users of one request: set, as they were, or not known because no answer came. */
export type Outcome = "waiting" | "running" | "changed" | "unchanged" | "unknown";

interface Batch {
  userIDs: readonly string[];
  outcome: Outcome;
}

/** Sets a conversation for any number of users, request after request, until one fails. */
export class Setting {
  readonly batches = signal<readonly Batch[]>([]);
  readonly failure = signal<CallFailure | undefined>(undefined);
  readonly isRunning = signal(true);
  readonly #conversation: SetConversationsInput["conversation"];
  #isStopped = false;

  constructor(userIDs: readonly string[], conversation: SetConversationsInput["conversation"]) {
    this.#conversation = conversation;
    this.batches.value = batchesOf(userIDs).map((batch) => ({ userIDs: batch, outcome: "waiting" }));
  }

  /** Lets the request under way come to its end, and sends no other. */
  stop(): void {
    this.#isStopped = true;
  }

  async run(): Promise<void> {
    for (const [index, { userIDs }] of this.batches.value.entries()) {
      if (this.#isStopped || this.failure.value !== undefined) break;
      this.#mark(index, "running");
      this.#mark(index, await this.#send(userIDs));
    }
    this.batches.value = this.batches.value.map((batch) =>
      batch.outcome === "waiting" ? { ...batch, outcome: "unchanged" } : batch,
    );
    this.isRunning.value = false;
  }

  /** The users of requests with one of these outcomes. */
  usersOf(...outcomes: readonly Outcome[]): string[] {
    return this.batches.value.flatMap(({ userIDs, outcome }) => (outcomes.includes(outcome) ? userIDs : []));
  }

  async #send(userIDs: readonly string[]): Promise<Outcome> {
    try {
      await call("setConversations", { userIDs, conversation: this.#conversation }, { read: () => undefined });
      return "changed";
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      this.failure.value = error;
      // A server that failed or was too late may have written before.
      return error.kind === "refused" && error.errCode !== 500 ? "unchanged" : "unknown";
    }
  }

  #mark(index: number, outcome: Outcome): void {
    this.batches.value = this.batches.value.map((batch, position) =>
      position === index ? { ...batch, outcome } : batch,
    );
  }
}

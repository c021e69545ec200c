import { computed, signal } from "@preact/signals";
import type { SetConversationsInput } from "../../src/index.js";
import { call, newOperationID } from "../api/call.js";
import { CallFailure } from "../api/callFailure.js";
import { administrator } from "../api/session.js";
import { operationIDFor } from "../history/history.js";
import { formatCount } from "../language/format.js";
import type { Messages } from "../language/messages.js";
import type { PlaceOf } from "../places/place.js";
import type { Task, TaskState } from "../tasks/task.js";
import { namedUsers } from "./namedUsers.js";
import { type Users, usersIn } from "./users.js";

/** The result for the users of one request: set, unchanged, or not known because no answer came. */
export type Outcome = "waiting" | "running" | "changed" | "unchanged" | "unknown";

interface Batch {
  userIDs: readonly string[];
  outcome: Outcome;
}

interface SettingOptions {
  place: PlaceOf<"conversations">;
  conversation: SetConversationsInput["conversation"];
  /** Whether to leave out users that do not exist, instead of ending the work. */
  leavesOut: boolean;
}

/** Sets a conversation for any number of users, request after request, until one fails. */
export class Setting implements Task {
  readonly place: PlaceOf<"conversations">;
  readonly batches = signal<readonly Batch[]>([]);
  readonly failure = signal<CallFailure | undefined>(undefined);
  readonly state = signal<TaskState>("running");
  /** Users who do not exist and were left out. */
  readonly leftOut = signal<readonly string[]>([]);
  /** Users who do not exist, for whom the request failed. */
  readonly missing = signal<ReadonlySet<string>>(new Set());
  readonly progress = computed(() => ({ done: this.usersWith("changed").count, all: this.usersWith().count }));
  readonly conversation: SettingOptions["conversation"];
  /** All requests have it, so that a history can tell that they belong together. */
  readonly operationID: string;
  readonly time = Date.now();
  readonly adminUserID = administrator.peek()?.userID ?? "";
  readonly #leavesOut: boolean;
  #isStopped = false;

  constructor(users: Users, { place, conversation, leavesOut }: SettingOptions) {
    this.place = place;
    this.conversation = conversation;
    this.#leavesOut = leavesOut;
    // Of users who may be left out, nobody knows how many remain.
    this.operationID = leavesOut ? newOperationID() : operationIDFor(users.count);
    this.batches.value = users.batches.map((userIDs) => ({ userIDs, outcome: "waiting" }));
  }

  title({ conversations }: Messages): string {
    return conversations.title;
  }

  outcome({ conversations }: Messages): string {
    const { done, all } = this.progress.value;
    const [doneText, allText] = [formatCount(done), formatCount(all)];
    if (this.state.value === "running") return conversations.progress(doneText, allText);
    return done === all ? conversations.done(allText) : conversations.stopped(doneText, allText);
  }

  /** Waits for the request under way, and sends no further one. */
  stop(): void {
    this.#isStopped = true;
  }

  async run(): Promise<void> {
    for (let index = 0; index < this.batches.value.length; index++) {
      if (this.#isStopped || this.failure.value !== undefined) break;
      this.#mark(index, { outcome: "running" });
      this.#mark(index, { outcome: await this.#send(index) });
    }
    this.batches.value = this.batches.value.map((batch) =>
      batch.outcome === "waiting" ? { ...batch, outcome: "unchanged" } : batch,
    );
    const isDone = this.batches.value.every(({ outcome }) => outcome === "changed");
    this.state.value = isDone ? "done" : this.failure.value === undefined ? "stopped" : "failed";
  }

  /** The users of requests with one of these outcomes; without an argument, of all requests. */
  usersWith(...outcomes: readonly Outcome[]): Users {
    const batches = this.batches.value.filter(({ outcome }) => outcomes.length === 0 || outcomes.includes(outcome));
    return usersIn(batches.map(({ userIDs }) => userIDs));
  }

  async #send(index: number): Promise<Outcome> {
    for (;;) {
      const userIDs = this.batches.value[index]?.userIDs ?? [];
      if (userIDs.length === 0) return "changed";
      const failure = await this.#call(userIDs);
      if (failure === undefined) return "changed";
      const missing = namedUsers(failure, userIDs);
      if (missing.size === 0 || !this.#leavesOut) {
        this.missing.value = missing;
        this.failure.value = failure;
        // The server may have written before it failed or answered too late.
        return failure.kind === "refused" && failure.errCode !== 500 ? "unchanged" : "unknown";
      }
      this.leftOut.value = [...this.leftOut.value, ...missing];
      this.#mark(index, { userIDs: userIDs.filter((userID) => !missing.has(userID)) });
      // The request has changed nobody, so the next one is not sent.
      if (this.#isStopped) return "unchanged";
    }
  }

  async #call(userIDs: readonly string[]): Promise<CallFailure | undefined> {
    const { conversation, operationID } = this;
    try {
      await call("setConversations", { userIDs, conversation }, { operationID, read: () => undefined });
      return undefined;
    } catch (error) {
      if (error instanceof CallFailure) return error;
      throw error;
    }
  }

  #mark(index: number, changes: Partial<Batch>): void {
    this.batches.value = this.batches.value.map((batch, position) =>
      position === index ? { ...batch, ...changes } : batch,
    );
  }
}

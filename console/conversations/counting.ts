import { effect, signal } from "@preact/signals";
import type { SetConversationsInput } from "../../src/index.js";
import { callPath, newOperationID } from "../api/call.js";
import { type CallFailure, hasFailed } from "../api/callFailure.js";
import { token } from "../api/session.js";
import { type Answer, type Counts, countsOf } from "./counts.js";
import type { Users } from "./users.js";

/** Whether the server can count; a server beside an OpenIM server, or of an earlier version, cannot. */
let canCount = true;

effect(() => {
  token.value;
  canCount = true;
});

/** Counts what users have now, request after request, in the background. */
export class Counting {
  readonly done = signal(0);
  /** The result; undefined until all users are counted, and if the server cannot tell. */
  readonly counts = signal<Counts | undefined>(undefined);
  readonly failure = signal<CallFailure | undefined>(undefined);
  /** Whether there is nothing to wait for. */
  readonly isOver = signal(!canCount);
  readonly #users: Users;
  readonly #conversation: SetConversationsInput["conversation"];
  readonly #stopped = new AbortController();

  constructor(users: Users, conversation: SetConversationsInput["conversation"]) {
    this.#users = users;
    this.#conversation = conversation;
  }

  stop(): void {
    this.#stopped.abort();
    this.isOver.value = true;
  }

  async run(): Promise<void> {
    if (this.isOver.peek()) return;
    try {
      this.counts.value = await this.#count();
    } catch (error) {
      if (!hasFailed(error, this.#stopped.signal)) return;
      if (error.status === 404) canCount = false;
      else this.failure.value = error;
    }
    this.isOver.value = true;
  }

  async #count(): Promise<Counts | undefined> {
    const { signal } = this.#stopped;
    const operationID = newOperationID();
    const answers: Answer[] = [];
    for (const userIDs of this.#users.batches) {
      const input = { userIDs, conversation: this.#conversation };
      const read = (data: unknown) => data as Answer;
      const answer = await callPath("/im_admin/count_conversation_values", input, { signal, operationID, read });
      if (answer.changing === null) return undefined;
      answers.push(answer);
      this.done.value += userIDs.length;
    }
    const sizes = this.#users.batches.map(({ length }) => length);
    return countsOf(answers, sizes);
  }
}

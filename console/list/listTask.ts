import { computed, signal } from "@preact/signals";
import { type CallFailure, hasFailed } from "../api/callFailure.js";
import type { Messages } from "../language/messages.js";
import type { Place } from "../places/place.js";
import type { Task, TaskState } from "../tasks/task.js";
import { type Load, type Rows, readRows } from "./readRows.js";

/** Reads all rows of a list. After a failure or a stop, it can continue with the rows that did not come. */
export abstract class ListTask<Item> implements Task {
  readonly place: Place;
  readonly state = signal<TaskState>("running");
  readonly failure = signal<CallFailure | undefined>(undefined);
  readonly progress = computed(() => ({ done: this.#read.value, all: this.#total.value }));
  readonly #load: Load<Item>;
  readonly #read = signal(0);
  readonly #total = signal(0);
  #stopped = new AbortController();
  #hasChanged = false;

  constructor(place: Place, load: Load<Item>) {
    this.place = place;
    this.#load = load;
  }

  abstract title(messages: Messages): string;
  abstract outcome(messages: Messages): string;
  protected abstract take(items: readonly Item[]): void;
  /** Called when all rows have been taken. */
  protected abstract end(): void;

  /** Whether the length of the list has changed meanwhile: a row may be missing, or have come twice. */
  get hasChanged(): boolean {
    return this.#hasChanged;
  }

  stop(): void {
    this.#stopped.abort();
    if (this.state.peek() === "running") this.state.value = "stopped";
  }

  /** Begins, or continues. */
  async run(): Promise<void> {
    this.failure.value = undefined;
    this.state.value = "running";
    this.#stopped = new AbortController();
    const { signal } = this.#stopped;
    try {
      for await (const rows of readRows(this.#load, { first: this.#read.peek(), signal })) {
        signal.throwIfAborted();
        this.#takeRows(rows);
      }
    } catch (error) {
      if (!hasFailed(error, signal)) return;
      this.failure.value = error;
      this.state.value = "failed";
      return;
    }
    this.end();
    this.state.value = "done";
  }

  #takeRows({ total, items, next }: Rows<Item>): void {
    this.take(items);
    this.#hasChanged ||= this.#total.peek() !== 0 && this.#total.peek() !== total;
    this.#total.value = total;
    this.#read.value = Math.min(total, next);
  }
}

import { effect, type ReadonlySignal, signal } from "@preact/signals";
import type { CallFailure } from "../api/callFailure.js";
import { refusal, token } from "../api/session.js";
import type { Messages } from "../language/messages.js";
import type { Place } from "../places/place.js";

export type TaskState = "running" | "done" | "stopped" | "failed";

/** Work that takes many requests, and goes on wherever the administrator looks meanwhile. */
export interface Task {
  /** Where it was begun. */
  readonly place: Place;
  readonly state: ReadonlySignal<TaskState>;
  readonly progress: ReadonlySignal<{ done: number; all: number }>;
  readonly failure: ReadonlySignal<CallFailure | undefined>;
  title(messages: Messages): string;
  /** How far it has come, or how it ended. */
  outcome(messages: Messages): string;
  stop(): void;
  /** Goes on where it failed. Without it, the place tells what can be done. */
  goOn?(): void;
}

/** What is under way or has ended unseen, the latest last. */
export const tasks = signal<readonly Task[]>([]);

/** Shows a task, in place of those that have ended well and have nothing more to show. */
export function beginTask(task: Task): void {
  const others = tasks.peek().filter(({ goOn, state }) => goOn === undefined || !isOver(state.peek()));
  tasks.value = [...others, task];
}

function isOver(state: TaskState): boolean {
  return state === "done" || state === "stopped";
}

export function forgetTask(task: Task): void {
  tasks.value = tasks.peek().filter((other) => other !== task);
}

// A sign-out leaves nothing behind. A refused token must not lose what has been done.
effect(() => {
  if (token.value !== "" || refusal.value !== undefined) return;
  for (const task of tasks.peek()) task.stop();
  tasks.value = [];
});

// Who leaves the page is asked first.
effect(() => {
  if (!tasks.value.some(({ state }) => state.value === "running")) return;
  const ask = (event: Event) => event.preventDefault();
  addEventListener("beforeunload", ask);
  return () => removeEventListener("beforeunload", ask);
});

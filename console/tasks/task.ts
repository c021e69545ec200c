import { effect, type ReadonlySignal, signal } from "@preact/signals";
import type { CallFailure } from "../api/callFailure.js";
import { onSignOut } from "../api/onSignOut.js";
import type { Messages } from "../language/messages.js";
import type { Place } from "../places/place.js";

export type TaskState = "running" | "done" | "stopped" | "failed";

/** Work that takes many requests. It goes on while the administrator looks at other screens. */
export interface Task {
  /** The place where the administrator began it. */
  readonly place: Place;
  readonly state: ReadonlySignal<TaskState>;
  readonly progress: ReadonlySignal<{ done: number; all: number }>;
  readonly failure: ReadonlySignal<CallFailure | undefined>;
  title(messages: Messages): string;
  /** Its progress, or its result. */
  outcome(messages: Messages): string;
  stop(): void;
  /** Continues where the work failed. A task without this shows at its place what the administrator can do. */
  goOn?(): void;
}

/** Tasks that are under way, or have ended and were not seen yet. The latest is last. */
export const tasks = signal<readonly Task[]>([]);

/** Shows a task. Removes tasks that have ended well and have nothing more to show. */
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

// Signing out ends all tasks. A refused token must not: what was done must stay visible.
onSignOut(() => {
  for (const task of tasks.peek()) task.stop();
  tasks.value = [];
});

// The browser asks before it leaves the page, and with it work under way, or a result that only this page knows.
effect(() => {
  const isNeeded = ({ state, goOn }: Task) =>
    state.value === "running" || (goOn === undefined && state.value !== "done");
  if (!tasks.value.some(isNeeded)) return;
  const ask = (event: Event) => event.preventDefault();
  addEventListener("beforeunload", ask);
  return () => removeEventListener("beforeunload", ask);
});

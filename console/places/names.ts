import { signal } from "@preact/signals";
import { onSignOut } from "../api/onSignOut.js";

export type Kind = "group" | "user";

/** How many names are known at most. */
const mostNames = 5_000;
const names = new Map<string, string>();
/** Grows when a name becomes known that somebody may wait for. */
const arrivals = signal(0);

onSignOut(() => names.clear());

/** Remembers the name of a group or a user that a list has shown, since no operation tells it by the ID alone. */
export function rememberName(kind: Kind, id: string, name: string): void {
  if (name === "" || names.get(`${kind} ${id}`) === name) return;
  if (names.size >= mostNames) names.clear();
  names.set(`${kind} ${id}`, name);
  arrivals.value += 1;
}

/** The name of a group or a user; empty where no list has shown it. */
export function nameOf(kind: Kind, id: string): string {
  // A view that reads a name is drawn again when the name changes.
  arrivals.value;
  return names.get(`${kind} ${id}`) ?? "";
}

import { signal } from "@preact/signals";
import { onSignOut } from "../api/onSignOut.js";

export type Kind = "group" | "user";

/** How many names are kept at most. */
const mostNames = 5_000;
const names = new Map<string, string>();
/** Grows when a name becomes known. */
const arrivals = signal(0);

onSignOut(() => names.clear());

/** Remembers the name of a group or a user from a list, since no operation returns it by the ID. */
export function rememberName(kind: Kind, id: string, name: string): void {
  if (name === "" || names.get(`${kind} ${id}`) === name) return;
  if (names.size >= mostNames) names.clear();
  names.set(`${kind} ${id}`, name);
  arrivals.value += 1;
}

/** The name of a group or a user; empty if no list has shown it. */
export function nameOf(kind: Kind, id: string): string {
  // Reading this signal draws the view again when a name becomes known.
  arrivals.value;
  return names.get(`${kind} ${id}`) ?? "";
}

import { signal } from "@preact/signals";
import { onSignOut } from "../api/onSignOut.js";

export type Kind = "group" | "user";

/** How many names are kept at most, beside those of subjects at hand. */
const mostNames = 5_000;
/** The names that became known last stand at the end. */
const names = new Map<string, string>();
/** The subjects whose names are not forgotten, by what keeps them at hand. */
const atHand = new Map<string, ReadonlySet<string>>();
/** Grows when a name becomes known. */
const arrivals = signal(0);

onSignOut(() => names.clear());

/** Remembers the name of a group or a user from a list, since no operation returns it by the ID. */
export function rememberName(kind: Kind, id: string, name: string): void {
  const key = keyOf({ kind, id });
  if (name === "" || names.get(key) === name) return;
  names.delete(key);
  names.set(key, name);
  if (names.size > mostNames) forgetOldest();
  arrivals.value += 1;
}

/** Keeps the names of these subjects, however many others become known. */
export function keepNames(purpose: string, subjects: readonly { kind: Kind; id: string }[]): void {
  atHand.set(purpose, new Set(subjects.map(keyOf)));
}

function forgetOldest(): void {
  for (const key of names.keys()) {
    if (names.size <= mostNames) return;
    if (![...atHand.values()].some((kept) => kept.has(key))) names.delete(key);
  }
}

function keyOf({ kind, id }: { kind: Kind; id: string }): string {
  return `${kind} ${id}`;
}

/** The name of a group or a user; empty if no list has shown it. */
export function nameOf(kind: Kind, id: string): string {
  // Reading this signal draws the view again when a name becomes known.
  arrivals.value;
  return names.get(keyOf({ kind, id })) ?? "";
}

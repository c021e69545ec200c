import { computed, effect, signal } from "@preact/signals";
import { onSignOut } from "../api/onSignOut.js";
import { apiAddress } from "../api/settings.js";
import { place } from "./address.js";
import { type Kind, keepNames, nameOf, rememberName } from "./names.js";
import type { Place } from "./place.js";

/** A group or a user. */
export interface Subject {
  kind: Kind;
  id: string;
}

const most = 8;
const pinnedKey = `im-admin-pinned ${apiAddress}`;
const localStorageOf = () => localStorage;

/** The subjects that were opened last in this tab, the latest first. */
const recent = keptSubjects("im-admin-recent", () => sessionStorage);
/** The subjects that the administrator has pinned. */
export const pinned = keptSubjects(pinnedKey, localStorageOf);

/** The subjects that were opened last and are not pinned. */
export const recentSubjects = computed(() => recent.value.filter((one) => !isPinned(one)).slice(0, most));

onSignOut(() => {
  recent.value = [];
  mergePinned();
});

// Another tab has pinned something.
addEventListener("storage", ({ key }) => {
  if (key === pinnedKey || key === null) mergePinned();
});

/** Takes what is pinned in the browser's storage, where all tabs keep it. */
function mergePinned(): void {
  pinned.value = rememberKept(pinnedKey, localStorageOf) ?? pinned.peek();
}

effect(() => {
  const at = subjectOf(place.value);
  if (at !== undefined) recent.value = [at, ...without(recent.peek(), at)].slice(0, 2 * most);
});

/** Removes a subject that does not exist from the opened ones. */
export function forget(subject: Subject): void {
  recent.value = without(recent.value, subject);
}

export function isPinned(subject: Subject): boolean {
  return pinned.value.some((one) => isSame(one, subject));
}

export function togglePin(subject: Subject): void {
  mergePinned();
  pinned.value = isPinned(subject) ? without(pinned.value, subject) : [...pinned.value, subject];
}

/** The subject of a place; undefined if it has none. */
export function subjectOf(at: Place): Subject | undefined {
  if (at.screen === "members" || at.screen === "groupRequests") return { kind: "group", id: at.groupID };
  if (at.screen === "groups" || at.screen === "requests" || at.screen === "blacklist")
    return { kind: "user", id: at.userID };
  return undefined;
}

/** The first place of a group or a user. */
export function placeOf({ kind, id }: Subject): Place {
  return kind === "group"
    ? { screen: "members", groupID: id, keyword: "", filter: 0, row: 1 }
    : { screen: "groups", userID: id, row: 1 };
}

export function isSame(one: Subject, other: Subject): boolean {
  return one.kind === other.kind && one.id === other.id;
}

function without(subjects: readonly Subject[], subject: Subject): Subject[] {
  return subjects.filter((one) => !isSame(one, subject));
}

/** Subjects with their names, kept in the browser's storage. A browser may forbid it. */
function keptSubjects(key: string, storage: () => Storage) {
  const subjects = signal(rememberKept(key, storage) ?? []);
  let written = "";
  effect(() => {
    keepNames(key, subjects.value);
    const named = JSON.stringify(subjects.value.map((one) => ({ ...one, name: nameOf(one.kind, one.id) })));
    // Each name that becomes known leads here, and hardly one is among these.
    if (named === written) return;
    written = named;
    try {
      if (subjects.value.length === 0) storage().removeItem(key);
      else storage().setItem(key, named);
    } catch {
      return;
    }
  });
  return subjects;
}

/** Reads kept subjects, and remembers their names; undefined if the browser forbids it. */
function rememberKept(key: string, storage: () => Storage): readonly Subject[] | undefined {
  try {
    const kept: (Subject & { name: string })[] = JSON.parse(storage().getItem(key) ?? "[]");
    keepNames(key, kept);
    for (const { kind, id, name } of kept) rememberName(kind, id, name, true);
    return kept.map(({ kind, id }) => ({ kind, id }));
  } catch {
    return undefined;
  }
}

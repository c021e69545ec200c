import { effect, signal } from "@preact/signals";
import type { Names } from "../../src/names.js";
import { callPath, onData } from "../api/call.js";
import { CallFailure } from "../api/callFailure.js";
import { onSignOut } from "../api/onSignOut.js";
import { token } from "../api/session.js";

export type Kind = "group" | "user";

/** How many names are kept at most, beside those of subjects at hand. */
const mostNames = 5_000;
/** How long names are collected before the server is asked for them, in milliseconds, and how many are asked for at most. */
const [pause, mostAsked] = [50, 1_000];
/** A name, and whether it may be the one in a group alone, which gives way to the one that a user has everywhere. */
interface Known {
  name: string;
  isOfGroup: boolean;
}

/** The names that became known last stand at the end. */
const names = new Map<string, Known>();
/** The subjects whose names are not forgotten, by what keeps them at hand. */
const atHand = new Map<string, ReadonlySet<string>>();
/** Grows when a name becomes known. */
const arrivals = signal(0);
/** The subjects without a known name for which the server was asked, and those for which it will be. */
const asked = new Set<string>();
const wanted = new Map<string, { kind: Kind; id: string }>();
/** Whether the server tells names. One beside an OpenIM server does not. */
let tells = true;

effect(() => {
  token.value;
  tells = true;
  asked.clear();
});
onSignOut(() => names.clear());
onData(noteNames);

/** Remembers all names in the data of an answer. */
function noteNames(data: unknown): void {
  if (typeof data !== "object" || data === null) return;
  const { groupID, groupName, userID, nickname, nickName, roleLevel } = data as Record<string, unknown>;
  rememberName("group", groupID, groupName, false);
  rememberName("user", userID, nickname ?? nickName, roleLevel !== undefined);
  for (const value of Object.values(data)) noteNames(value);
}

export function rememberName(kind: Kind, id: unknown, name: unknown, isOfGroup: boolean): void {
  if (typeof id !== "string" || typeof name !== "string" || name === "") return;
  const key = keyOf({ kind, id });
  const known = names.get(key);
  if (known && ((isOfGroup && !known.isOfGroup) || (known.name === name && known.isOfGroup === isOfGroup))) return;
  names.delete(key);
  names.set(key, { name, isOfGroup });
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

/** Whether the name is known that a group or a user has everywhere. */
export function hasName(kind: Kind, id: string): boolean {
  return names.get(keyOf({ kind, id }))?.isOfGroup === false;
}

/** The name of a group or a user; empty if no answer had it. */
export function knownName(kind: Kind, id: string): string {
  // Reading this signal draws the view again when a name becomes known.
  arrivals.value;
  return names.get(keyOf({ kind, id }))?.name ?? "";
}

/** The same. If the name is not known that it has everywhere, the server is asked for it. */
export function nameOf(kind: Kind, id: string): string {
  const key = keyOf({ kind, id });
  if (tells && id !== "" && token.peek() !== "" && !hasName(kind, id) && !asked.has(key)) {
    if (wanted.size === 0) setTimeout(askWanted, pause);
    wanted.set(key, { kind, id });
  }
  return knownName(kind, id);
}

function askWanted(): void {
  const subjects = [...wanted]
    .filter(([key, { kind, id }]) => !asked.has(key) && !hasName(kind, id))
    .map(([, subject]) => subject);
  wanted.clear();
  // A view without these names shows IDs.
  if (subjects.length > 0) askNames(subjects.slice(0, mostAsked)).catch(() => {});
}

/** Asks the server what groups and users are called, and remembers it; undefined if it does not tell. */
export async function askNames(
  subjects: readonly { kind: Kind; id: string }[],
  signal?: AbortSignal,
): Promise<Required<Names> | undefined> {
  if (!tells) return undefined;
  for (const subject of subjects) asked.add(keyOf(subject));
  const idsOf = (kind: Kind) => subjects.filter((subject) => subject.kind === kind).map(({ id }) => id);
  const input = { groupIDs: idsOf("group"), userIDs: idsOf("user") };
  try {
    const found = await callPath("/im_admin/get_names", input, { signal, read: (data) => data as Partial<Names> });
    tells = found.groups !== undefined;
    return tells ? (found as Names) : undefined;
  } catch (error) {
    for (const subject of subjects) asked.delete(keyOf(subject));
    if (!(error instanceof CallFailure) || error.status !== 404) throw error;
    tells = false;
    return undefined;
  }
}

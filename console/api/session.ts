import { batch, computed, signal } from "@preact/signals";
import type { CallFailure } from "./callFailure.js";
import { readToken } from "./readToken.js";
import { apiAddress } from "./settings.js";

const key = "im-admin-token";

/** The administrator's token; empty without one. The browser keeps it until the tab is closed. */
export const token = signal(stored());

/** Who is signed in, if the token says it. */
export const administrator = computed(() => readToken(token.value));

/** Why the server refused the token, until the administrator gives another one. */
export const refusal = signal<CallFailure | undefined>(undefined);

/** The token of a link, until the administrator decides whether it replaces the session's; empty without one. */
export const offered = signal("");

/** The messages between the tabs of a browser. */
type Word = { says: "who has a token?" } | { says: "take this"; token: string } | { says: "signed out" };

const tabs = channel();
let lastRefused = "";

if (token.value === "") say({ says: "who has a token?" });

export function signIn(given: string): void {
  session(given, undefined);
  say({ says: "take this", token: given });
}

/** Takes the token of a link. If the session has another token, asks first. */
export function offer(given: string): void {
  if (token.value === "" || token.value === given) signIn(given);
  else offered.value = given;
}

/** Carries out the administrator's decision about the token of the link. */
export function decide(isTaken: boolean): void {
  const given = offered.value;
  offered.value = "";
  if (isTaken) signIn(given);
}

/** Ends the session: in all tabs if the administrator signs out, or in this tab if its token was refused. */
export function signOut(reason?: CallFailure): void {
  if (reason === undefined) say({ says: "signed out" });
  else lastRefused = token.value;
  session("", reason);
}

function session(given: string, reason: CallFailure | undefined): void {
  batch(() => {
    token.value = given;
    refusal.value = reason;
  });
  store(given);
}

/** A channel to the tabs that talk to the same API; undefined if the browser forbids it. */
function channel(): BroadcastChannel | undefined {
  try {
    const made = new BroadcastChannel(`im-admin ${apiAddress}`);
    made.onmessage = ({ data }: MessageEvent<Word>) => hear(data);
    return made;
  } catch {
    return undefined;
  }
}

function say(word: Word): void {
  tabs?.postMessage(word);
}

function hear(word: Word): void {
  if (word.says === "signed out") session("", undefined);
  else if (word.says === "take this") {
    if (token.value === "" && word.token !== lastRefused) session(word.token, undefined);
  } else if (token.value !== "") say({ says: "take this", token: token.value });
}

function stored(): string {
  try {
    return sessionStorage.getItem(key) ?? "";
  } catch {
    // The browser may forbid it. The token then lasts until the page is left.
    return "";
  }
}

function store(value: string): void {
  try {
    if (value === "") sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, value);
  } catch {
    // The browser may forbid it.
  }
}

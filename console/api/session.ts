import { batch, signal } from "@preact/signals";
import type { CallFailure } from "./callFailure.js";

const key = "im-admin-token";

/** The administrator's token; empty where there is none. It is kept until the tab is closed. */
export const token = signal(stored());

/** Why the server refused the token, until there is another. */
export const refusal = signal<CallFailure | undefined>(undefined);

export function signIn(given: string): void {
  session(given, undefined);
}

/** Forgets the token, because it was refused or because the administrator wants to leave. */
export function signOut(reason?: CallFailure): void {
  session("", reason);
}

function session(given: string, reason: CallFailure | undefined): void {
  batch(() => {
    token.value = given;
    refusal.value = reason;
  });
  store(given);
}

function stored(): string {
  try {
    return sessionStorage.getItem(key) ?? "";
  } catch {
    // A browser may forbid it; the token then lasts until the page is left.
    return "";
  }
}

function store(value: string): void {
  try {
    if (value === "") sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, value);
  } catch {
    // As above.
  }
}

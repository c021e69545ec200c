import { effect } from "@preact/signals";
import { refusal, token } from "./session.js";

/** Calls a function when the administrator signs out, but not when the server refuses a token. */
export function onSignOut(forget: () => void): void {
  effect(() => {
    if (token.value === "" && refusal.value === undefined) forget();
  });
}

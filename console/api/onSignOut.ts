import { effect } from "@preact/signals";
import { refusal, token } from "./session.js";

/** Has something forgotten when the administrator signs out. A refused token loses nothing. */
export function onSignOut(forget: () => void): void {
  effect(() => {
    if (token.value === "" && refusal.value === undefined) forget();
  });
}

import { messages } from "../language/language.js";

/** Characters that change the direction of the text around a name. */
const turning = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Invisible characters: blanks, controls and filler letters. */
const unseen = /^(?:[\p{Z}\p{C}\u115f\u1160\u2800\u3164\uffa0]|\u034f|\u17b4|\u17b5)*$/u;

/** A name as it can be shown anywhere: the ID without a name, and "(no name)" for an invisible name. */
export function shownName(name = "", id = ""): string {
  if (name === "") return id.replace(turning, "");
  const shown = name.replace(turning, "");
  return unseen.test(shown) ? messages.value.shell.noName : shown;
}

import { signal } from "@preact/signals";
import { offer } from "../api/session.js";
import { decode, formatPlace, type ListPlace, type Place, parsePlace, startOf } from "./place.js";

/** The present place. */
export const place = signal<Place>(arrive());

/** What the browser keeps with a step that has opened the details of a row. */
const opening = "opening";

addEventListener("popstate", () => {
  const left = place.peek();
  const found = arrive();
  if ("row" in left && "row" in found && isClosing(left, found)) stay({ ...found, row: left.row });
  else place.value = found;
});

/** Whether a step only closes details. Other rows may have been opened meanwhile, and the list stays where they are. */
function isClosing(left: ListPlace, found: ListPlace): boolean {
  return !!left.open && !found.open && formatPlace(startOf(left)) === formatPlace(startOf(found));
}

/** Goes to a place. The browser's back button leads back. */
export function go(to: Place): void {
  if (formatPlace(to) === formatPlace(place.value)) return;
  history.pushState(null, "", formatPlace(to));
  place.value = to;
}

/** Writes the present place into the address, without a step for the back button. */
export function stay(at: Place): void {
  place.value = at;
  rewrite(at, history.state);
}

/** Writes a place into the address of the present step, and what the browser keeps with this step. */
function rewrite(at: Place, kept: unknown): void {
  // A browser refuses if this happens too often. The next change writes the address.
  try {
    history.replaceState(kept, "", formatPlace(at));
  } catch {
    return;
  }
}

/** Shows the details of a row. The browser's back button closes them, also when other rows have been opened since. */
export function open(at: ListPlace, key: string): void {
  const to = { ...at, open: key };
  if (!at.open) history.pushState(opening, "", formatPlace(to));
  stay(to);
}

/** Closes the details of a row. */
export function close(at: ListPlace): void {
  if (history.state === opening) {
    // Closing twice must not go back twice.
    rewrite(at, null);
    history.back();
  } else stay({ ...at, open: "" });
}

/** Continues a search: the back button leads to the list before its first letter. */
export function refine(from: { keyword: string }, to: Place): void {
  if (from.keyword === "") go(to);
  else stay(to);
}

/** Reads the address. It takes a token from the address, and removes it there at once. */
function arrive(): Place {
  const { token, place: rest } = takenToken(location.hash);
  if (token !== "") offer(token);
  const found = parsePlace(rest);
  if (rest !== location.hash) history.replaceState(null, "", formatPlace(found));
  return found;
}

function takenToken(fragment: string): { token: string; place: string } {
  if (!fragment.startsWith("#token=")) return { token: "", place: fragment };
  const [, token = "", rest = "/"] = /^#token=([^&]*)(?:&place=(.*))?$/.exec(fragment) ?? [];
  return { token: decode(token), place: `#${rest}` };
}

import { signal } from "@preact/signals";
import { offer } from "../api/session.js";
import { decode, formatPlace, type Place, parsePlace } from "./place.js";

/** The present place. */
export const place = signal<Place>(arrive());

addEventListener("popstate", () => {
  place.value = arrive();
});

/** Goes to a place. The browser's back button leads back. */
export function go(to: Place): void {
  if (formatPlace(to) === formatPlace(place.value)) return;
  history.pushState(null, "", formatPlace(to));
  place.value = to;
}

/** Writes the present place into the address, without a step for the back button. */
export function stay(at: Place): void {
  // A browser refuses if this happens too often. The next change writes the address.
  try {
    history.replaceState(null, "", formatPlace(at));
  } catch {
    return;
  }
  place.value = at;
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

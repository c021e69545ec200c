import { signal } from "@preact/signals";
import { offer } from "../api/session.js";
import { decode, formatPlace, type Place, parsePlace } from "./place.js";

/** Where the administrator is. */
export const place = signal<Place>(arrive());

addEventListener("popstate", () => {
  place.value = arrive();
});

/** Goes to a place, from which the browser's back button leads here again. */
export function go(to: Place): void {
  if (formatPlace(to) === formatPlace(place.value)) return;
  history.pushState(null, "", formatPlace(to));
  place.value = to;
}

/** Writes down where the administrator is by now, without a step for the back button. */
export function stay(at: Place): void {
  // A browser may refuse when it is asked too often; the next time is soon enough.
  try {
    history.replaceState(null, "", formatPlace(at));
  } catch {
    return;
  }
  place.value = at;
}

/** Goes on with a search: the back button leads to the list as it was before its first letter. */
export function refine(from: { keyword: string }, to: Place): void {
  if (from.keyword === "") go(to);
  else stay(to);
}

/** Reads the address. A token in it is taken, and is gone from it at once. */
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

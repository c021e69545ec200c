import { effect, signal } from "@preact/signals";
import { place } from "./address.js";
import { formatPlace, type Place } from "./place.js";

const most = 6;

/** The groups and users that were opened last, the latest first. */
export const recentPlaces = signal<readonly Place[]>([]);

effect(() => {
  const at = beginning(place.value);
  if (at === undefined) return;
  const others = recentPlaces.peek().filter((other) => formatPlace(other) !== formatPlace(at));
  recentPlaces.value = [at, ...others].slice(0, most);
});

/** The group or the user, whichever of its lists is shown and wherever that stands. */
function beginning(at: Place): Place | undefined {
  if (at.screen === "members") return { ...at, keyword: "", filter: 0, row: 1 };
  return "userID" in at ? { screen: "groups", userID: at.userID, row: 1 } : undefined;
}

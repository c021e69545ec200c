import { signal } from "@preact/signals";

/** The same condition as in `detail.css`. */
const narrow = matchMedia("(max-width: 70rem)");

/** Whether details cover the list, since there is no room beside it. */
export const covering = signal(narrow.matches);

narrow.addEventListener("change", () => {
  covering.value = narrow.matches;
});

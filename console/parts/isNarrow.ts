import { signal } from "@preact/signals";

const narrow = matchMedia("(max-width: 46rem)");

/** Whether there is little room, as on a phone. */
export const isNarrow = signal(narrow.matches);

narrow.addEventListener("change", () => {
  isNarrow.value = narrow.matches;
});

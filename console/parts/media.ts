import { signal } from "@preact/signals";

/** Whether controls are drawn large enough for fingers. The same conditions as in the style. */
export const forFingers = matches("screen and (max-width: 46rem), (pointer: coarse)");
/** Whether the window is as narrow as a phone. */
export const isNarrow = matches("screen and (max-width: 46rem)");
/** Whether it is so low, too, that few rows have room. */
export const isLow = matches("screen and (max-width: 46rem) and (max-height: 24rem)");
/** Whether details cover the list, since there is no room beside it. */
export const isCovered = matches("(max-width: 75rem)");
/** Whether the page is laid out for paper, where nothing is measured. */
export const isPrinted = () => matchMedia("print").matches;

function matches(condition: string) {
  const query = matchMedia(condition);
  const isMatched = signal(query.matches);
  query.addEventListener("change", () => {
    isMatched.value = query.matches;
  });
  return isMatched;
}

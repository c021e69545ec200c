import { signal } from "@preact/signals";

/** The same condition as in `controls.css`. */
const fingers = matchMedia("(max-width: 46rem), (pointer: coarse)");

/** Whether controls are drawn large enough for fingers. */
export const forFingers = signal(fingers.matches);

fingers.addEventListener("change", () => {
  forFingers.value = fingers.matches;
});

import { signal } from "@preact/signals";

/** As in `controls.css`. */
const fingers = matchMedia("(max-width: 46rem), (pointer: coarse)");

/** Whether what can be touched is large enough for fingers. */
export const forFingers = signal(fingers.matches);

fingers.addEventListener("change", () => {
  forFingers.value = fingers.matches;
});

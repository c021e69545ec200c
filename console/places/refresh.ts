import { signal } from "@preact/signals";

/** Grows when the view must ask the server again. */
export const refreshes = signal(0);

export function refresh(): void {
  refreshes.value += 1;
}

// An administrator who comes back from elsewhere sees what there is by now.
addEventListener("focus", refresh);
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") refresh();
});

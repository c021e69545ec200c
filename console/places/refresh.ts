import { signal } from "@preact/signals";

/** Grows when the view must ask the server again. */
export const refreshes = signal(0);

export function refresh(): void {
  refreshes.value += 1;
}

// When the administrator comes back to the window, or the network is back, the view is refreshed.
addEventListener("focus", refresh);
addEventListener("online", refresh);
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") refresh();
});

import { signal } from "@preact/signals";
import { onSignOut } from "../api/onSignOut.js";
import type { Setting } from "../conversations/setting.js";

/** What this tab has set, the newest first. It is the history where the server keeps none. */
export const ownSettings = signal<readonly Setting[]>([]);

onSignOut(() => {
  ownSettings.value = [];
});

export function noteSetting(setting: Setting): void {
  ownSettings.value = [setting, ...ownSettings.peek()];
}

import { effect, type Signal, signal } from "@preact/signals";
import { refusal, token } from "../api/session.js";
import { type Draft, emptyDraft } from "./draft.js";
import type { Setting } from "./setting.js";

/** What has been entered on the screen of a group, and how far setting it has come. */
export interface Work {
  draft: Signal<Draft>;
  setting: Signal<Setting | undefined>;
}

const works = new Map<string, Work>();

// A refused token must not lose who has been set; whoever signs out leaves nothing behind.
effect(() => {
  if (token.value === "" && refusal.value === undefined) works.clear();
});

/** The work on a group's screen, which outlasts the screen. An empty ID stands for the screen of no group. */
export function workOf(groupID: string): Work {
  const known = works.get(groupID);
  if (known !== undefined) return known;
  const work = { draft: signal(emptyDraft(groupID)), setting: signal(undefined) };
  works.set(groupID, work);
  return work;
}

import { useEffect } from "preact/hooks";
import { shownName } from "../parts/shownName.js";
import { findGroup, findUserName } from "../places/find.js";
import { type Kind, knownName } from "../places/names.js";

/** How long the administrator has to stop typing before the page asks about the text, in milliseconds. */
export const pause = 400;
/** The most characters of a name within a sentence. Some names are as long as a book. */
const mostCharacters = 60;

/** The name of a group or a user, which the page finds if it can; empty without one. */
export function useName(kind: Kind, id: string): string {
  const isKnown = knownName(kind, id) !== "";
  useEffect(() => {
    if (id === "" || isKnown) return;
    const asked = new AbortController();
    const find: (id: string, signal: AbortSignal) => Promise<unknown> = kind === "group" ? findGroup : findUserName;
    // The name is only for people. If it cannot be found, the sentence has the ID.
    const timer = setTimeout(() => find(id, asked.signal).catch(() => {}), pause);
    return () => {
      clearTimeout(timer);
      asked.abort();
    };
  }, [kind, id, isKnown]);
  return nameInText(kind, id);
}

/** The name of a group or a user as a part of a sentence; empty if it is not known. */
export function nameInText(kind: Kind, id: string): string {
  const name = [...shownName(knownName(kind, id))];
  return name.length > mostCharacters ? `${name.slice(0, mostCharacters).join("")}…` : name.join("");
}

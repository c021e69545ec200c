import { withinLength } from "../../src/fields.js";
import { defaultLimits } from "../../src/limits.js";

/** Two usual IDs and a blank. */
const twoIDs = 2 * defaultLimits.idLength + 1;

/** The start of a text for a message. Records may have IDs of any length. */
export function shortened(text: string, most: number = twoIDs): string {
  if (withinLength(text, most)) return text;
  // A character takes at most two units of the text.
  return `${[...text.slice(0, 2 * most)].slice(0, most).join("")}...`;
}

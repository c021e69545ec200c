import { readFileSync } from "node:fs";
import { root } from "./pages.js";

/** The titles of the page's sections, and the blocks of code in each. */
export const sections = new Map(
  readFileSync(`${root}docs/recipes.md`, "utf8")
    .split(/^## /m)
    .slice(1)
    .map((text) => [
      text.slice(0, text.indexOf("\n")),
      [...text.matchAll(/^```[tj]s\n(.*?)^```/gms)].map(([, code = ""]) => code),
    ]),
);

/** A block of a section, the first where none is named. */
export function block(title: string, index = 0): string {
  const code = sections.get(title)?.[index];
  if (code === undefined) throw new Error(`docs/recipes.md has no block ${index} in the section ${title}`);
  return code;
}

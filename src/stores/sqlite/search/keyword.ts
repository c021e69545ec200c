/** Turns a keyword into a condition on texts, and into words of the indexes. */

import { join, type Sql, sql } from "../sql.js";

/** The longest pattern of LIKE that every engine accepts, in bytes. */
const longestPattern = 50;

/** How many trigrams of a keyword a search uses at most. */
const mostTrigrams = 12;

/** Characters that LIKE and the indexes confuse with U+FFFD. */
const isUnclear = (character: string) => character >= "\ufffd" && character <= "\uffff";

/** Whether a character is beyond ASCII: the index of grams has only these. */
const isBeyondAscii = (character: string) => character > "\x7f";

/** The condition that a text contains the keyword, in upper or lower case of ASCII letters. */
export interface Condition {
  /** A pattern for LIKE with the escape character `\`. */
  pattern: string;
  /** The keyword in small letters, if the pattern matches more than the keyword. */
  literal: string | null;
  /** 1 if the keyword has a line break, otherwise 0. A line break also separates the two texts of a document. */
  hasLineBreak: number;
}

export function conditionOf(keyword: string): Condition {
  let pattern = "%";
  let isWhole = true;
  for (const character of keyword) {
    const escaped = `${pattern}${/[%_\\]/.test(character) ? "\\" : ""}${character}`;
    isWhole = !isUnclear(character) && byteLength(escaped) < longestPattern;
    if (!isWhole) break;
    pattern = escaped;
  }
  return {
    pattern: `${pattern}%`,
    literal: isWhole ? null : keyword.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
    hasLineBreak: Number(keyword.includes("\n")),
  };
}

/** The condition that one of some texts contains the keyword of `request.pattern` and `request.literal`. */
export function contains(texts: readonly Sql[]): Sql {
  const literal = sql`(SELECT literal FROM request)`;
  const conditions = texts.map(
    (text) => sql`
      ${text} LIKE (SELECT pattern FROM request) ESCAPE '\\'
        AND (${literal} IS NULL OR instr(lower(${text}), ${literal}) > 0)`,
  );
  return sql`(${join(conditions, "\nOR ")})`;
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** The words that a document with the keyword has, and the index of these words. */
export interface Words {
  index: "documentTrigrams" | "documentGrams";
  words: readonly string[];
  /** Whether every document with the words contains the keyword. */
  areExact: boolean;
}

/** The words of a keyword. There are none if no index helps. */
export function wordsOf(keyword: string): Words {
  const characters = [...keyword];
  if (characters.length >= 3) return { index: "documentTrigrams", words: trigramsOf(characters), areExact: false };
  if (characters.every(isBeyondAscii)) return { index: "documentGrams", words: [keyword], areExact: true };
  return { index: "documentGrams", words: characters.filter(isBeyondAscii), areExact: false };
}

/** Some trigrams of a keyword, spread over all of it. */
function trigramsOf(characters: readonly string[]): string[] {
  const all = characters.slice(2).map((_, index) => characters.slice(index, index + 3).join(""));
  const different = [...new Set(all)];
  const step = Math.max(1, different.length / mostTrigrams);
  return different.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

/** A full-text query for documents with all of some words. */
export function matching(words: readonly string[]): string {
  return words.map((word) => `"${word.replaceAll('"', '""')}"`).join(" AND ");
}

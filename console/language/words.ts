import { codes } from "../../src/answers/codes.js";
import { chineseCodes } from "./chineseWords.js";
import { language } from "./language.js";

type Words = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What a code of a field means; undefined where it is no code, or nobody knows it. */
export function wordOf(field: string, code: unknown): string | undefined {
  const words: Words = language.value === "zh" ? chineseCodes : codes;
  const word = words[field]?.[String(code)];
  return word && word.charAt(0).toUpperCase() + word.slice(1);
}

/** A code in words, or as it is. */
export function inWords(field: string, code: number): string {
  return wordOf(field, code) ?? String(code);
}

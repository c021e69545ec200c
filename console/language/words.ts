import { codes } from "../../src/answers/codes.js";
import { chineseCodes } from "./chineseWords.js";
import { language } from "./language.js";

type Words = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The meaning of a field's code; undefined for a field without codes and for an unknown code. */
export function wordOf(field: string, code: unknown): string | undefined {
  const words: Words = language.value === "zh" ? chineseCodes : codes;
  const word = words[field]?.[String(code)];
  return word && word.charAt(0).toUpperCase() + word.slice(1);
}

/** The meaning of a code, or the code itself if its meaning is not known. */
export function inWords(field: string, code: number): string {
  return wordOf(field, code) ?? String(code);
}

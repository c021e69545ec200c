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

/** The meanings of all codes of a field. */
export function wordsOf(field: string): string[] {
  return Object.keys((codes as Words)[field] ?? {}).map((code) => inWords(field, code));
}

/** The meaning of a code, or the code itself if its meaning is not known. */
export function inWords(field: string, code: number | string): string {
  return wordOf(field, code) ?? String(code);
}

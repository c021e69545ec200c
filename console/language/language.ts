import { computed, effect, signal } from "@preact/signals";
import { keepChoice, readChoice } from "../parts/choice.js";
import { english, type Messages } from "./messages.js";
import { textsOf } from "./textData.js";

type Language = "en" | "zh";

/** The language of the console: the administrator's choice, or else the browser's language. */
export const language = signal<Language>(languageOf(readChoice("language") || navigator.language));

/**
 * The language for a tag such as `zh-CN`. Readers of traditional characters get English, since the Chinese texts are in
 * simplified ones.
 */
function languageOf(tag: string): Language {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return language === "zh" && script === "Hans" ? "zh" : "en";
  } catch {
    // Browsers that were started with LANG=C call their language "C" or "en-US@posix".
    return "en";
  }
}

/** The Chinese texts, which stand in the page as data: most readers never need them. */
const chinese = computed<Messages>(() =>
  textsOf(JSON.parse(document.getElementById("chinese")?.textContent ?? "{}"), english),
);

/** All texts in the language of the console. */
export const messages = computed<Messages>(() => (language.value === "zh" ? chinese.value : english));

effect(() => {
  document.documentElement.lang = language.value === "zh" ? "zh-Hans" : "en";
});

export function choose(chosen: Language): void {
  language.value = chosen;
  keepChoice("language", chosen);
}

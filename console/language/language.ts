import { computed, effect, signal } from "@preact/signals";
import { keepChoice, readChoice } from "../parts/choice.js";
import { chinese } from "./chinese.js";
import { english, type Messages } from "./messages.js";

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

/** All texts in the language of the console. */
export const messages = computed<Messages>(() => (language.value === "zh" ? chinese : english));

effect(() => {
  document.documentElement.lang = language.value === "zh" ? "zh-Hans" : "en";
});

export function choose(chosen: Language): void {
  language.value = chosen;
  keepChoice("language", chosen);
}

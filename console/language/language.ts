import { computed, effect, signal } from "@preact/signals";
import { keepChoice, readChoice } from "../parts/choice.js";
import { chinese } from "./chinese.js";
import { english, type Messages } from "./messages.js";

type Language = "en" | "zh";

/** The language of the console: the one that was chosen, or else the browser's. */
export const language = signal<Language>(languageOf(readChoice("language") || navigator.language));

/** The language for a tag such as `zh-CN`. Who reads traditional characters is given none in simplified ones. */
function languageOf(tag: string): Language {
  const { language, script } = new Intl.Locale(tag).maximize();
  return language === "zh" && script === "Hans" ? "zh" : "en";
}

/** All texts, in that language. */
export const messages = computed<Messages>(() => (language.value === "zh" ? chinese : english));

effect(() => {
  document.documentElement.lang = language.value === "zh" ? "zh-Hans" : "en";
});

export function choose(chosen: Language): void {
  language.value = chosen;
  keepChoice("language", chosen);
}

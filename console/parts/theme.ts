import { effect, signal } from "@preact/signals";
import { keepChoice, readChoice } from "./choice.js";

export const themes = ["auto", "light", "dark"] as const;
type Theme = (typeof themes)[number];

/** The chosen colours. */
export const theme = signal<Theme>(known(readChoice("theme")));

effect(() => {
  document.documentElement.style.colorScheme = theme.value === "auto" ? "" : theme.value;
});

export function chooseTheme(name: string): void {
  theme.value = known(name);
  keepChoice("theme", theme.value);
}

function known(name: string): Theme {
  return themes.find((theme) => theme === name) ?? "auto";
}

import { choose, language, messages } from "../language/language.js";
import { chooseTheme, theme, themes } from "./theme.js";

/** The language and the colours. */
export function Choices() {
  const texts = messages.value.theme;
  return (
    <div class="choices">
      <button type="button" class="quiet" lang={language.value === "zh" ? "en" : "zh-Hans"} onClick={toggleLanguage}>
        {language.value === "zh" ? "English" : "中文"}
      </button>
      <select
        class="quiet"
        aria-label={texts.label}
        value={theme.value}
        onChange={({ currentTarget }) => chooseTheme(currentTarget.value)}
      >
        {themes.map((name) => (
          <option key={name} value={name}>
            {texts[name]}
          </option>
        ))}
      </select>
    </div>
  );
}

function toggleLanguage(): void {
  choose(language.value === "zh" ? "en" : "zh");
}

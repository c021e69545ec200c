import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { messages } from "../language/language.js";
import { cleaned } from "../parts/pasted.js";

/** How long after the last key a search begins, in milliseconds. */
const pause = 250;

interface SearchFieldProps {
  keyword: string;
  onSearch(keyword: string): void;
}

export function SearchField({ keyword, onSearch }: SearchFieldProps) {
  const text = useSignal(keyword);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // The administrator may choose a filter before the search begins.
  const latest = useRef(onSearch);
  latest.current = onSearch;
  const { search: label, searchShort } = messages.value.lists;
  const sent = useRef(keyword);
  const isComposing = useRef(false);
  useLayoutEffect(() => {
    // The field's own search must not undo what the administrator has typed since.
    if (keyword === sent.current) return;
    // The back button or "Clear" has changed the search.
    sent.current = keyword;
    if (isComposing.current) return;
    clearTimeout(timer.current);
    text.value = keyword;
  }, [keyword]);
  useEffect(() => () => clearTimeout(timer.current), []);

  function search(): void {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      sent.current = cleaned(text.value);
      latest.current(sent.current);
    }, pause);
  }

  return (
    <input
      type="search"
      class="search"
      aria-label={label}
      placeholder={searchShort}
      value={text.value}
      maxLength={255}
      spellcheck={false}
      onInput={(event) => {
        text.value = event.currentTarget.value;
        // While letters become a Chinese word, there is nothing to search for yet.
        if (!event.isComposing) search();
      }}
      onKeyDown={goToFirstRow}
      onCompositionStart={() => {
        isComposing.current = true;
        clearTimeout(timer.current);
      }}
      onCompositionEnd={() => {
        isComposing.current = false;
        search();
      }}
    />
  );
}

/** Goes from the search field to the first row. */
function goToFirstRow({ key, isComposing, currentTarget }: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const grid = currentTarget.closest(".list")?.querySelector<HTMLElement>("[role=grid]");
  if (key !== "ArrowDown" || isComposing || !grid) return;
  grid.focus();
  grid.dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
}

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { messages } from "../language/language.js";

/** How long after the last key a search begins, in milliseconds. */
const pause = 250;

interface SearchFieldProps {
  keyword: string;
  onSearch(keyword: string): void;
}

export function SearchField({ keyword, onSearch }: SearchFieldProps) {
  const text = useSignal(keyword);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // A filter may be chosen before the search begins.
  const latest = useRef(onSearch);
  latest.current = onSearch;
  const { search: label, searchShort } = messages.value.lists;
  // The back button has led to another search.
  useEffect(() => {
    text.value = keyword;
    return () => clearTimeout(timer.current);
  }, [keyword]);

  function search(): void {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => latest.current(text.value), pause);
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
        // Letters that are about to become a Chinese word are no search yet.
        if (!event.isComposing) search();
      }}
      onCompositionEnd={search}
    />
  );
}

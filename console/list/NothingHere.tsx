import type { ComponentChildren } from "preact";
import { messages } from "../language/language.js";

interface NothingHereProps {
  /** The text for an empty list. */
  none: string;
  /** Clears the search and the filters; undefined without any. */
  onClear: (() => void) | undefined;
  /** Where else to search. */
  children?: ComponentChildren;
}

/** An empty list, with a button that clears the search and the filters. */
export function NothingHere({ none, onClear, children }: NothingHereProps) {
  const { lists } = messages.value;
  return (
    <div class="nothing">
      <strong>{onClear ? lists.noneFound : lists.none}</strong>
      <p class="faint">{onClear ? lists.noneFoundLead : none}</p>
      {onClear && (
        <button type="button" onClick={onClear}>
          {lists.clear}
        </button>
      )}
      {children}
    </div>
  );
}

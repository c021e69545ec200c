import { messages } from "../language/language.js";

interface NothingHereProps {
  /** What is said of an empty list. */
  none: string;
  /** Takes the search and the filters away; undefined where there are none. */
  onClear: (() => void) | undefined;
}

/** An empty list, and what can be done about it. */
export function NothingHere({ none, onClear }: NothingHereProps) {
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
    </div>
  );
}

import { messages } from "../language/language.js";
import { refresh } from "../places/refresh.js";

/** Asks again for what the screen shows. */
export function RefreshButton({ isLoading }: { isLoading: boolean }) {
  const { refresh: label } = messages.value.lists;
  return (
    <button
      type="button"
      class="quiet refresh"
      aria-label={label}
      title={label}
      aria-busy={isLoading}
      onClick={refresh}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d="M13.5 8a5.5 5.5 0 1 1-1.6-3.9M13.5 1.5v3.2h-3.2" />
      </svg>
    </button>
  );
}

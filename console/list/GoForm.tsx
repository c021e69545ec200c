import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { formatCount } from "../language/format.js";
import { messages } from "../language/language.js";

interface GoFormProps {
  total: number;
  /** Whether the administrator has asked for it. */
  hasFocus: boolean;
  onGo(row: number): void;
}

/** Goes to a row of a list. */
export function GoForm({ total, hasFocus, onGo }: GoFormProps) {
  const given = useSignal("");
  const field = useRef<HTMLInputElement>(null);
  // Before anything is drawn: what is typed at once must not be lost.
  useLayoutEffect(() => {
    if (hasFocus) field.current?.focus();
  }, [hasFocus]);
  const { lists } = messages.value;

  function submit(event: Event): void {
    event.preventDefault();
    const row = Math.min(total, Math.trunc(Number(given.value)));
    if (row >= 1) onGo(row);
  }

  return (
    <form class="go" onSubmit={submit}>
      <span aria-hidden="true">{lists.goToRow}</span>
      <input
        ref={field}
        type="number"
        min={1}
        max={total}
        step={1}
        required
        aria-label={lists.goNumber}
        placeholder={`1–${formatCount(total)}`}
        value={given.value}
        onInput={({ currentTarget }) => {
          given.value = currentTarget.value;
        }}
      />
      <button type="submit">{lists.goSubmit}</button>
    </form>
  );
}

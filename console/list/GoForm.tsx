import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { formatCount } from "../language/format.js";
import { messages } from "../language/language.js";
import { rowsPerPage } from "./pages.js";

interface GoFormProps {
  total: number;
  /** Whether the administrator has asked for it. */
  hasFocus: boolean;
  onGo(row: number): void;
}

/** Goes to a row or a page of a list. */
export function GoForm({ total, hasFocus, onGo }: GoFormProps) {
  const unit = useSignal<"row" | "page">("row");
  const given = useSignal("");
  const field = useRef<HTMLInputElement>(null);
  // Before anything is drawn: what is typed at once must not be lost.
  useLayoutEffect(() => {
    if (hasFocus) field.current?.focus();
  }, [hasFocus]);
  const { lists } = messages.value;
  const most = unit.value === "row" ? total : Math.ceil(total / rowsPerPage);

  function submit(event: Event): void {
    event.preventDefault();
    const number = Math.min(most, Math.trunc(Number(given.value)));
    if (number >= 1) onGo(unit.value === "row" ? number : (number - 1) * rowsPerPage + 1);
  }

  return (
    <form class="go" onSubmit={submit}>
      <span aria-hidden="true">{lists.go}</span>
      <select
        aria-label={lists.go}
        value={unit.value}
        onChange={({ currentTarget }) => {
          unit.value = currentTarget.value === "page" ? "page" : "row";
        }}
      >
        <option value="row">{lists.row}</option>
        <option value="page">{lists.page}</option>
      </select>
      <input
        ref={field}
        type="number"
        min={1}
        max={most}
        step={1}
        required
        aria-label={lists.goNumber}
        placeholder={`1–${formatCount(most)}`}
        value={given.value}
        onInput={({ currentTarget }) => {
          given.value = currentTarget.value;
        }}
      />
      <button type="submit">{lists.goSubmit}</button>
    </form>
  );
}

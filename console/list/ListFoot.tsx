import { useSignal } from "@preact/signals";
import { formatCount } from "../language/format.js";
import { messages } from "../language/language.js";
import { isNarrow } from "../parts/media.js";
import { GoForm } from "./GoForm.js";

interface ListFootProps {
  /** The first and the last row in view, from 1. */
  first: number;
  last: number;
  total: number;
  onGo(row: number): void;
}

/** The position in the list, and a form to go elsewhere. On a phone, a button brings the form. */
export function ListFoot({ first, last, total, onGo }: ListFootProps) {
  const isAsked = useSignal(false);
  const { lists } = messages.value;
  const end = Math.min(last, total);
  const ask = () => {
    isAsked.value = true;
  };
  return (
    <div class="list-foot">
      <span class="position">{lists.rows(formatCount(first), formatCount(end), formatCount(total))}</span>
      {last - first + 1 < total &&
        (isNarrow.value && !isAsked.value ? (
          <button type="button" class="quiet" onClick={ask}>
            {lists.go}
          </button>
        ) : (
          <GoForm
            total={total}
            hasFocus={isAsked.value}
            onGo={(row) => {
              isAsked.value = false;
              onGo(row);
            }}
          />
        ))}
    </div>
  );
}

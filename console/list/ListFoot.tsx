import { formatCount } from "../language/format.js";
import { messages } from "../language/language.js";
import { GoForm } from "./GoForm.js";

interface ListFootProps {
  /** The first and the last row in view, from 1. */
  first: number;
  last: number;
  total: number;
  onGo(row: number): void;
}

/** The position in the list, and a form to go elsewhere. */
export function ListFoot({ first, last, total, onGo }: ListFootProps) {
  const end = Math.min(last, total);
  return (
    <div class="list-foot">
      <span class="position">
        {messages.value.lists.rows(formatCount(first), formatCount(end), formatCount(total))}
      </span>
      {last - first + 1 < total && <GoForm total={total} onGo={onGo} />}
    </div>
  );
}

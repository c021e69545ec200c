import { formatCount } from "../language/format.js";
import { messages } from "../language/language.js";
import { failureTitle } from "../parts/failureTitle.js";
import type { Counting } from "./counting.js";
import type { FieldCounts } from "./counts.js";
import { fieldName, fieldText } from "./fieldText.js";

/** What the users have now, and how many would really change; nothing if the server cannot tell. */
export function ValuesNow({ counting, users }: { counting: Counting; users: number }) {
  const { now } = messages.value;
  const counts = counting.counts.value;
  const failure = counting.failure.value;
  const all = formatCount(users);
  if (failure) return <p class="hint refused">{now.failed(failureTitle(failure, messages.value))}</p>;
  if (counts === undefined) {
    if (counting.isOver.value) return null;
    return <p class="faint">{now.counting(formatCount(counting.done.value), all)}</p>;
  }
  return (
    <div class="now">
      <p role="status">
        <strong>{now.changing(formatCount(counts.changing), all)}</strong>
      </p>
      <h3>{now.title}</h3>
      <ul>
        {counts.fields.map((field) => (
          <li key={field.field}>
            {fieldName(field.field)}: <Values {...field} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Values({ field, values, others, isLeast }: FieldCounts) {
  const { now } = messages.value;
  const count = (users: number) => (isLeast ? now.least(formatCount(users)) : formatCount(users));
  return (
    <>
      {values.map(({ value, users }, index) => (
        <span key={String(value)}>
          {index > 0 && ", "}
          <bdi>{fieldText(field, value)}</bdi> ({count(users)})
        </span>
      ))}
      {others > 0 && `, ${now.others(formatCount(others))}`}
    </>
  );
}

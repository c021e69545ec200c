import { messages } from "../language/language.js";
import { type FieldName, fieldNames } from "./draft.js";
import { FieldValue } from "./FieldValue.js";
import type { StepProps } from "./step.js";

/** The step for the fields. Only ticked fields are set. */
export function FieldsStep({ draft, change, failure }: StepProps) {
  const texts = messages.value.conversations;

  function tick(name: FieldName, isTicked: boolean): void {
    change({ ticked: fieldNames.filter((other) => (other === name ? isTicked : draft.ticked.includes(other))) });
  }

  return (
    <section class="step">
      <h2>{texts.fields}</h2>
      {fieldNames.map((name) => {
        const isTicked = draft.ticked.includes(name);
        const isRefused = failure?.field === `conversation.${name}`;
        return (
          <div class={isRefused ? "tick refused" : "tick"} key={name}>
            <label>
              <input
                type="checkbox"
                checked={isTicked}
                onChange={({ currentTarget }) => tick(name, currentTarget.checked)}
              />
              {texts[name]}
            </label>
            {isTicked && (
              <FieldValue
                name={name}
                values={draft.values}
                isRefused={isRefused}
                onChange={(values) => change({ values: { ...draft.values, ...values } })}
              />
            )}
            {isRefused && <p class="hint">{failure.what}</p>}
          </div>
        );
      })}
    </section>
  );
}

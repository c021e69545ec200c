import { messages } from "../language/language.js";
import { Field } from "./Field.js";
import type { StepProps } from "./step.js";

/** The step for the conversation: of a group, or with a user. */
export function ConversationStep({ draft, change, failure }: StepProps) {
  const texts = messages.value.conversations;

  function entry(name: "groupID" | "peer" | "conversationID", path: string, hint?: string) {
    return (
      <Field label={texts[name]} path={`conversation.${path}`} failure={failure} hint={hint}>
        {(attributes) => (
          <input
            {...attributes}
            autoComplete="off"
            value={draft[name]}
            onInput={({ currentTarget }) => change({ [name]: currentTarget.value })}
          />
        )}
      </Field>
    );
  }

  return (
    <section class="step">
      <h2>{texts.conversation}</h2>
      <div class="segments">
        {([3, 1] as const).map((type) => (
          <button type="button" key={type} aria-pressed={draft.type === type} onClick={() => change({ type })}>
            {type === 3 ? texts.group : texts.single}
          </button>
        ))}
      </div>
      {draft.type === 3 ? entry("groupID", "groupID") : entry("peer", "userID")}
      {entry("conversationID", "conversationID", texts.conversationIDHint)}
    </section>
  );
}

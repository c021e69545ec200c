import { messages } from "../language/language.js";
import { Field } from "./Field.js";
import type { StepProps } from "./step.js";

/** The step for the conversation: of a group, or with a user. */
export function ConversationStep({ draft, change, failure }: StepProps) {
  const texts = messages.value.conversations;

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
      {draft.type === 3 ? (
        <Field label={texts.groupID} path="conversation.groupID" failure={failure}>
          {(attributes) => (
            <input
              {...attributes}
              autoComplete="off"
              value={draft.groupID}
              onInput={({ currentTarget }) => change({ groupID: currentTarget.value })}
            />
          )}
        </Field>
      ) : (
        <Field label={texts.peer} path="conversation.userID" failure={failure}>
          {(attributes) => (
            <input
              {...attributes}
              autoComplete="off"
              value={draft.peer}
              onInput={({ currentTarget }) => change({ peer: currentTarget.value })}
            />
          )}
        </Field>
      )}
      <Field
        label={texts.conversationID}
        path="conversation.conversationID"
        failure={failure}
        hint={texts.conversationIDHint}
      >
        {(attributes) => (
          <input
            {...attributes}
            autoComplete="off"
            value={draft.conversationID}
            onInput={({ currentTarget }) => change({ conversationID: currentTarget.value })}
          />
        )}
      </Field>
    </section>
  );
}

import { useSignal } from "@preact/signals";
import { formatCount } from "../language/format.js";
import { messages } from "../language/language.js";
import { curlOf } from "../list/curl.js";
import { CopyButton } from "../parts/CopyButton.js";
import type { Counting } from "./counting.js";
import { conversationOf, type Draft, missingIn } from "./draft.js";
import { fieldText } from "./fieldText.js";
import { type RuleOfGroup, ruleText } from "./memberReading.js";
import { useName } from "./useName.js";
import { mostUsers } from "./users.js";
import { ValuesNow } from "./ValuesNow.js";

/** For how many users a conversation is set without asking for their number. */
const mostUnasked = 1_000;

interface PreviewProps {
  draft: Draft;
  /** The rule for the users; undefined if they are listed. */
  rule: RuleOfGroup | undefined;
  counting: Counting | undefined;
  isRunning: boolean;
  onSubmit(): void;
}

/** Says in words what will change, before anything is sent. */
export function Preview({ draft, rule, counting, isRunning, onSubmit }: PreviewProps) {
  const { conversations: texts, lists, now } = messages.value;
  const { batches } = draft.users;
  const missing = missingIn(draft, messages.value);
  const conversation = conversationOf(draft);
  const { conversationID } = conversation;
  const isOfGroup = draft.type === 3;
  const id = (isOfGroup ? draft.groupID : draft.peer).trim();
  const name = useName(isOfGroup ? "group" : "user", id);
  const count = formatCount(draft.users.count);
  // What was typed confirms the draft that was shown then, and no later one.
  const typed = useSignal({ draft, text: "" });
  const text = typed.value.draft === draft ? typed.value.text : "";
  const isMany = draft.users.count > mostUnasked;
  const isConfirmed = !isMany || text.replaceAll(/[\s,.]/g, "") === String(draft.users.count);

  return (
    <section class="preview" aria-label={texts.preview}>
      <h2>{texts.preview}</h2>
      {missing.length > 0 ? (
        <>
          <p class="faint">{texts.previewEmpty}</p>
          <ul class="faint">
            {missing.map((what) => (
              <li key={what}>{what}</li>
            ))}
          </ul>
        </>
      ) : (
        <>
          <p>
            <strong>{rule ? ruleText(rule, messages.value, draft.users.count) : texts.count(count)}</strong>{" "}
            {isOfGroup ? texts.inGroup(id, conversationID, name) : texts.withUser(id, conversationID, name)}
          </p>
          <dl>
            {draft.ticked.map((name) => (
              <div key={name}>
                <dt>{texts[name]}</dt>
                <dd>{fieldText(name, conversation[name], Number.POSITIVE_INFINITY)}</dd>
              </div>
            ))}
          </dl>
          {counting && <ValuesNow counting={counting} users={draft.users.count} />}
          <p class="faint">
            {batches.length > 1
              ? texts.inRequests(formatCount(batches.length), formatCount(mostUsers))
              : texts.allOrNone}
          </p>
          {isMany && (
            <label class="field">
              {now.confirm(count)}
              <input
                inputMode="numeric"
                autoComplete="off"
                value={text}
                onInput={({ currentTarget }) => {
                  typed.value = { draft, text: currentTarget.value };
                }}
              />
            </label>
          )}
        </>
      )}
      <p class="actions">
        <button
          type="button"
          class="primary"
          disabled={isRunning || draft.isReading || missing.length > 0 || !isConfirmed}
          onClick={() => {
            typed.value = { draft, text: "" };
            onSubmit();
          }}
        >
          {texts.submit(count)}
        </button>
        {missing.length === 0 && (
          <CopyButton
            label={lists.copyCurl}
            text={() => curlOf("setConversations", { userIDs: batches[0] ?? [], conversation })}
          />
        )}
      </p>
    </section>
  );
}

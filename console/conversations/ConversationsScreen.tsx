import { useEffect, useMemo } from "preact/hooks";
import { messages } from "../language/language.js";
import { ConversationStep } from "./ConversationStep.js";
import { conversationOf, type Draft } from "./draft.js";
import { FieldsStep } from "./FieldsStep.js";
import { Preview } from "./Preview.js";
import { Result } from "./Result.js";
import { Setting } from "./setting.js";
import { UsersStep } from "./UsersStep.js";
import { readUserIDs } from "./userIDs.js";
import { workOf } from "./work.js";

/** Sets a conversation for many users: what, a preview, and how it went. */
export function ConversationsScreen({ groupID }: { groupID: string }) {
  const { draft, setting } = useMemo(() => workOf(groupID), [groupID]);
  const texts = messages.value.conversations;
  const failure = setting.value?.failure.value;
  const isRunning = setting.value?.isRunning.value ?? false;

  // Whoever leaves the page is asked first, and whoever leaves the screen ends it after the request under way.
  useEffect(() => {
    if (!isRunning) return;
    const ask = (event: Event) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => {
      removeEventListener("beforeunload", ask);
      setting.peek()?.stop();
    };
  }, [isRunning]);

  function change(changes: Partial<Draft>): void {
    draft.value = { ...draft.value, ...changes };
  }

  function begin(userIDs: readonly string[]): void {
    setting.value = new Setting(userIDs, conversationOf(draft.value));
    void setting.value.run();
  }

  return (
    <section class="conversations">
      <h1>{texts.title}</h1>
      <p class="faint">{texts.lead}</p>
      <div class="conversations-columns">
        <fieldset class="steps" disabled={isRunning} aria-label={texts.title}>
          <UsersStep draft={draft.value} change={change} failure={failure} />
          <ConversationStep draft={draft.value} change={change} failure={failure} />
          <FieldsStep draft={draft.value} change={change} failure={failure} />
        </fieldset>
        <div class="outlook">
          <Preview
            draft={draft.value}
            isRunning={isRunning}
            onSubmit={() => begin(readUserIDs(draft.value.users).userIDs)}
          />
          {setting.value && (
            <Result
              setting={setting.value}
              onAgain={(userIDs) => {
                change({ users: userIDs.join("\n") });
                begin(userIDs);
              }}
            />
          )}
        </div>
      </div>
    </section>
  );
}

import { useSignalEffect } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { messages } from "../language/language.js";
import type { PlaceOf } from "../places/place.js";
import { forgetTask } from "../tasks/task.js";
import { ConversationStep } from "./ConversationStep.js";
import { FieldsStep } from "./FieldsStep.js";
import { Preview } from "./Preview.js";
import { Result } from "./Result.js";
import { UsersStep } from "./UsersStep.js";
import { workOf } from "./work.js";

/** Sets a conversation for many users: three steps, a preview, and the result. */
export function ConversationsScreen({ at }: { at: PlaceOf<"conversations"> }) {
  const work = useMemo(() => workOf(at), [at]);
  const texts = messages.value.conversations;
  const draft = work.draft.value;
  const setting = work.setting.value;
  const failure = setting?.failure.value ?? work.counting.value?.failure.value;
  const { isRunning, change } = work;
  const steps = { draft, change, failure };

  // The administrator sees a success here, so other screens need not show it. They show what is left to do.
  useSignalEffect(() => {
    for (const task of [work.setting.value, work.members.value]) if (task?.state.value === "done") forgetTask(task);
  });

  // Each change of the draft, and the end of a setting, changes what there is to count.
  useSignalEffect(() => {
    void [work.draft.value, work.setting.value?.state.value];
    work.count();
  });
  useEffect(() => () => work.leave(), [work]);

  return (
    <section class="conversations">
      <h1>{texts.title}</h1>
      <p class="faint">{texts.lead}</p>
      <div class="conversations-columns">
        <fieldset class="steps" disabled={isRunning} aria-label={texts.title}>
          <UsersStep {...steps} work={work} />
          <ConversationStep {...steps} />
          <FieldsStep {...steps} />
        </fieldset>
        <div class="outlook">
          {setting && (
            <Result
              setting={setting}
              onAgain={(users, leavesOut) => {
                work.replaceUsers(users);
                work.begin(users, leavesOut);
              }}
            />
          )}
          <Preview
            draft={draft}
            rule={work.members.value?.rule}
            counting={work.counting.value}
            isRunning={isRunning}
            onSubmit={() => work.begin(draft.users, false)}
          />
        </div>
      </div>
    </section>
  );
}

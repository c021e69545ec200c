import { useMemo } from "preact/hooks";
import { formatCount } from "../language/format.js";
import { messages } from "../language/language.js";
import { Field } from "./Field.js";
import type { StepProps } from "./step.js";
import { firstColumn, readUserIDs } from "./userIDs.js";

/** For whom the conversation is set. */
export function UsersStep({ draft, change, failure }: StepProps) {
  const texts = messages.value.conversations;
  const { userIDs, duplicates, tooLong } = useMemo(() => readUserIDs(draft.users), [draft.users]);
  const [long = ""] = tooLong;
  const { leftOut } = draft;

  async function upload(file: File | undefined): Promise<void> {
    if (file !== undefined) change(firstColumn(await file.text()));
  }

  return (
    <section class="step">
      <h2>{texts.users}</h2>
      <Field label={texts.userIDs} path="userIDs" failure={failure} hint={texts.userIDsHint}>
        {(attributes) => (
          <textarea
            {...attributes}
            rows={6}
            spellcheck={false}
            value={draft.users}
            onInput={({ currentTarget }) => change({ users: currentTarget.value, leftOut: [] })}
          />
        )}
      </Field>
      <p class="line">
        <label class="button file">
          {texts.upload}
          <input
            type="file"
            accept=".txt,.csv,text/plain,text/csv"
            onChange={({ currentTarget }) => {
              void upload(currentTarget.files?.[0]);
              currentTarget.value = "";
            }}
          />
        </label>
        <span role="status">{userIDs.length > 0 && texts.count(formatCount(userIDs.length))}</span>
      </p>
      {duplicates > 0 && <p class="hint">{texts.duplicates(formatCount(duplicates))}</p>}
      {tooLong.length > 0 && (
        <p class="hint refused">{texts.tooLong(formatCount(tooLong.length), `${[...long].slice(0, 24).join("")}…`)}</p>
      )}
      {leftOut.length > 0 && (
        <p class="hint refused" role="status">
          {texts.leftOut(leftOut.length, formatCount(leftOut.length), leftOut[0] ?? "")}
        </p>
      )}
    </section>
  );
}

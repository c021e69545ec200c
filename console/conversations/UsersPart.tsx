import { formatCount } from "../language/format.js";
import { messages } from "../language/language.js";
import { CopyButton } from "../parts/CopyButton.js";
import { Field } from "./Field.js";
import { ruleText } from "./memberReading.js";
import type { StepProps } from "./step.js";
import { firstOf, linesOf, mostText } from "./users.js";
import { isUserTable } from "./userTable.js";
import type { Work } from "./work.js";

interface UsersPartProps extends StepProps {
  work: Work;
}

/** The users that the administrator lists. */
export function UsersPart({ draft, change, failure, work }: UsersPartProps) {
  const texts = messages.value.conversations;
  const { text, users, column, hasNoUsers, isReading, earlier } = draft;

  async function upload(file: File | undefined): Promise<void> {
    if (file !== undefined) await work.takeTable(await file.text());
  }

  /** Takes only the users from a pasted table with names. */
  function paste(event: ClipboardEvent & { currentTarget: HTMLTextAreaElement }): void {
    const pasted = event.clipboardData?.getData("text/plain") ?? "";
    const { value, selectionStart, selectionEnd } = event.currentTarget;
    const [before, after] = [value.slice(0, selectionStart), value.slice(selectionEnd)];
    if (isUserTable(pasted)) void work.takeTable(pasted, { before, after });
    else if (pasted.length > mostText) work.enter(before + pasted + after);
    else return;
    event.preventDefault();
  }

  return (
    <>
      <Field label={texts.userIDs} path="userIDs" failure={failure} hint={texts.userIDsHint}>
        {(attributes) =>
          text === undefined ? (
            <textarea {...attributes} rows={6} readOnly value={firstOf(users)} />
          ) : (
            <textarea
              {...attributes}
              rows={6}
              spellcheck={false}
              value={text}
              onPaste={paste}
              onInput={({ currentTarget }) => work.enter(currentTarget.value)}
            />
          )
        }
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
        {text === undefined && (
          <>
            <button type="button" onClick={() => work.enter("")}>
              {texts.removeAll}
            </button>
            <CopyButton label={messages.value.lists.copyIDs} text={() => linesOf(users.batches)} />
          </>
        )}
        <span role="status">
          {isReading && texts.reading}
          {!isReading && users.count > 0 && texts.count(formatCount(users.count))}
        </span>
      </p>
      {column !== "" && <p class="hint">{texts.fromColumn(column)}</p>}
      {hasNoUsers && (
        <p class="hint refused" role="status">
          {texts.noColumn}
        </p>
      )}
      {work.place.members && (
        <button type="button" onClick={work.readMembers}>
          {ruleText({ groupID: work.place.groupID, ...work.place.members }, messages.value)}
        </button>
      )}
      {earlier && (
        <p class="hint line">
          {texts.replaced}
          <button type="button" onClick={() => change({ ...earlier, earlier: undefined })}>
            {texts.bringBack}
          </button>
        </p>
      )}
    </>
  );
}

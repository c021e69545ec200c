import { formatCount } from "../language/format.js";
import { messages } from "../language/language.js";
import { Field } from "./Field.js";
import type { StepProps } from "./step.js";
import { isUserTable } from "./userTable.js";

/** How many characters browsers lay out without blocking the page, and how many are shown of a longer text. */
const [mostText, shownText] = [100_000, 200];

interface UsersStepProps extends StepProps {
  takeTable(text: string, insert?: (users: string) => string): Promise<void>;
}

/** The step for the users. */
export function UsersStep({ draft, change, failure, takeTable }: UsersStepProps) {
  const texts = messages.value.conversations;
  const { userIDs, duplicates, tooLong } = draft.listed;
  const [long = ""] = tooLong;
  const { leftOut, column, hasNoUsers, isReading, earlier } = draft;

  function enter(users: string): void {
    change({ users, leftOut: [], column: "", hasNoUsers: false, earlier: "" });
  }

  const isLong = draft.users.length > mostText;

  async function upload(file: File | undefined): Promise<void> {
    if (file !== undefined) await takeTable(await file.text());
  }

  /** Takes only the users from a pasted table with names. */
  function paste(event: ClipboardEvent & { currentTarget: HTMLTextAreaElement }): void {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    const { value, selectionStart, selectionEnd } = event.currentTarget;
    const insert = (users: string) => value.slice(0, selectionStart) + users + value.slice(selectionEnd);
    if (isUserTable(text)) void takeTable(text, insert);
    else if (text.length > mostText) enter(insert(text));
    else return;
    event.preventDefault();
  }

  return (
    <section class="step">
      <h2>{texts.users}</h2>
      <Field label={texts.userIDs} path="userIDs" failure={failure} hint={texts.userIDsHint}>
        {(attributes) =>
          isLong ? (
            <output class="long id" id={attributes.id}>
              {draft.users.slice(0, shownText)}…
            </output>
          ) : (
            <textarea
              {...attributes}
              rows={6}
              spellcheck={false}
              value={draft.users}
              onPaste={paste}
              onInput={({ currentTarget }) => enter(currentTarget.value)}
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
        {isLong && (
          <button type="button" onClick={() => enter("")}>
            {texts.removeAll}
          </button>
        )}
        <span role="status">
          {isReading && texts.reading}
          {!isReading && userIDs.length > 0 && texts.count(formatCount(userIDs.length))}
        </span>
      </p>
      {column !== "" && <p class="hint">{texts.fromColumn(column)}</p>}
      {hasNoUsers && (
        <p class="hint refused" role="status">
          {texts.noColumn}
        </p>
      )}
      {duplicates > 0 && <p class="hint">{texts.duplicates(formatCount(duplicates))}</p>}
      {tooLong.length > 0 && (
        <p class="hint refused">{texts.tooLong(formatCount(tooLong.length), `${[...long].slice(0, 24).join("")}…`)}</p>
      )}
      {leftOut.length > 0 && (
        <p class="hint refused" role="status">
          {texts.leftOut(leftOut.length, formatCount(leftOut.length), leftOut[0] ?? "")}
        </p>
      )}
      {earlier !== "" && (
        <p class="hint line">
          {texts.replaced}
          <button type="button" onClick={() => enter(earlier)}>
            {texts.bringBack}
          </button>
        </p>
      )}
    </section>
  );
}

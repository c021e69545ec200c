import { formatCount } from "../language/format.js";
import { messages } from "../language/language.js";
import { CopyButton } from "../parts/CopyButton.js";
import { FailureNote } from "../parts/FailureNote.js";
import { namedUsers } from "./namedUsers.js";
import { RequestTable } from "./RequestTable.js";
import type { Setting } from "./setting.js";

interface ResultProps {
  setting: Setting;
  /** Sets the conversation for these users. With `leavesOut`, only for those who exist. */
  onAgain(userIDs: readonly string[], leavesOut: boolean): void;
}

/** Shows how many users are done, and the result for each user. */
export function Result({ setting, onAgain }: ResultProps) {
  const texts = messages.value.conversations;
  const batches = setting.batches.value;
  const failure = setting.failure.value;
  const all = batches.reduce((sum, { userIDs }) => sum + userIDs.length, 0);
  const changed = setting.usersOf("changed");
  const others = setting.usersOf("unchanged", "unknown");
  const uncertain = setting.usersOf("unknown").length;
  const [changedText, allText] = [formatCount(changed.length), formatCount(all)];
  const canLeaveOut = failure !== undefined && namedUsers(failure, others).size > 0;
  const leftOut = setting.leftOut.value;

  if (setting.state.value === "running") {
    return (
      <section class="result">
        <progress max={all} value={changed.length} aria-label={texts.progress(changedText, allText)} />
        <p role="status">{texts.progress(changedText, allText)}</p>
        {batches.length > 1 && (
          <button type="button" onClick={() => setting.stop()}>
            {texts.stop}
          </button>
        )}
      </section>
    );
  }

  return (
    <section class="result">
      {failure ? (
        <FailureNote failure={failure}>
          <p>
            {uncertain > 0 && texts.uncertain(formatCount(uncertain))}
            {uncertain === 0 && changed.length === 0 && texts.failedNone}
            {uncertain === 0 && changed.length > 0 && texts.failedSome(changedText, allText)}
          </p>
        </FailureNote>
      ) : (
        <p class={others.length === 0 ? "done" : ""} role="status">
          {others.length === 0 ? texts.done(allText) : texts.stopped(changedText, allText)}
        </p>
      )}
      {leftOut.length > 0 && (
        <p class="actions">
          {texts.wereLeftOut(leftOut.length, formatCount(leftOut.length))}
          <CopyButton label={texts.copyLeftOut} text={() => leftOut.join("\n")} />
        </p>
      )}
      {batches.length > 1 && <RequestTable batches={batches} />}
      <p class="actions">
        {canLeaveOut && (
          <button type="button" class="primary" onClick={() => onAgain(others, true)}>
            {texts.leaveOut}
          </button>
        )}
        {others.length > 0 && (
          <button type="button" onClick={() => onAgain(others, false)}>
            {texts.again}
          </button>
        )}
        {changed.length > 0 && <CopyButton label={texts.copyChanged} text={() => changed.join("\n")} />}
        {others.length > 0 && <CopyButton label={texts.copyOthers} text={() => others.join("\n")} />}
      </p>
    </section>
  );
}

import { useLayoutEffect, useRef } from "preact/hooks";
import { isKept } from "../history/history.js";
import { formatCount } from "../language/format.js";
import { messages } from "../language/language.js";
import { CopyButton } from "../parts/CopyButton.js";
import { FailureNote } from "../parts/FailureNote.js";
import { Link } from "../places/Link.js";
import { RequestTable } from "./RequestTable.js";
import type { Setting } from "./setting.js";
import { linesOf, type Users } from "./users.js";

interface ResultProps {
  setting: Setting;
  /** Sets the conversation for these users. With `leavesOut`, only for those who exist. */
  onAgain(users: Users, leavesOut: boolean): void;
}

/** Shows how many users are done, and the result for each user. */
export function Result({ setting, onAgain }: ResultProps) {
  const texts = messages.value.conversations;
  const { conversationID } = setting.conversation;
  const batches = setting.batches.value;
  const failure = setting.failure.value;
  const changed = setting.usersWith("changed");
  const others = setting.usersWith("unchanged", "unknown");
  const uncertain = setting.usersWith("unknown").count;
  const { done, all } = setting.progress.value;
  const [changedText, allText] = [formatCount(done), formatCount(all)];
  const leftOut = setting.leftOut.value;
  // The button that has begun it is disabled or gone.
  const section = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (setting.state.peek() === "running") section.current?.focus();
  }, [setting]);

  if (setting.state.value === "running") {
    return (
      <section class="result" ref={section} tabIndex={-1}>
        <progress max={all} value={done} aria-label={texts.progress(changedText, allText)} />
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
    <section class="result" ref={section} tabIndex={-1}>
      {failure ? (
        <FailureNote failure={failure}>
          <p>
            {uncertain > 0 && texts.uncertain(formatCount(uncertain))}
            {uncertain === 0 && done === 0 && texts.failedNone}
            {uncertain === 0 && done > 0 && texts.failedSome(changedText, allText)}
          </p>
        </FailureNote>
      ) : (
        <p class={others.count === 0 ? "done" : ""} role="status">
          {others.count === 0 ? texts.done(allText) : texts.stopped(changedText, allText)}
        </p>
      )}
      {leftOut.length > 0 && (
        <p class="actions">
          {texts.wereLeftOut(formatCount(leftOut.length))}
          <CopyButton label={texts.copyLeftOut} text={() => leftOut.join("\n")} />
        </p>
      )}
      {batches.length > 1 && <RequestTable batches={batches} />}
      <p class="actions">
        {setting.missing.value.size > 0 && (
          <button type="button" class="primary" onClick={() => onAgain(others, true)}>
            {texts.leaveOut}
          </button>
        )}
        {others.count > 0 && (
          <button type="button" onClick={() => onAgain(others, false)}>
            {texts.again}
          </button>
        )}
        {done > 0 && isKept.value && (
          <Link
            class="button"
            to={{ screen: "history", conversation: conversationID, row: 1, open: setting.operationID }}
          >
            {messages.value.history.setBack}
          </Link>
        )}
        {done > 0 && <CopyButton label={texts.copyChanged} text={() => linesOf(changed.batches)} />}
        {others.count > 0 && <CopyButton label={texts.copyOthers} text={() => linesOf(others.batches)} />}
      </p>
    </section>
  );
}

import type { ComponentChildren } from "preact";
import type { CallFailure } from "../api/callFailure.js";
import { messages } from "../language/language.js";
import { CopyButton } from "./CopyButton.js";
import { failureTitle } from "./failureTitle.js";

interface FailureNoteProps {
  failure: CallFailure;
  /** The title and what to do, where the code means something else than usual. */
  meaning?: readonly [title: string, lead: string] | undefined;
  onRetry?: (() => void) | undefined;
  children?: ComponentChildren;
}

/** How many characters of what was wrong are shown at once: it may name a thousand users. */
const shownOfWhat = 120;

function What({ what }: { what: string }) {
  if (what.length <= 2 * shownOfWhat) return <code class="what">{what}</code>;
  return (
    <details class="what">
      <summary>
        <code>{what.slice(0, shownOfWhat)}…</code>
      </summary>
      <code>{what}</code>
    </details>
  );
}

/** Says what went wrong and what to do, with the code, and the operation ID to search for in the server's log. */
export function FailureNote({ failure, meaning, onRetry, children }: FailureNoteProps) {
  const { failure: texts } = messages.value;
  const usualLead = {
    refused: texts.codes[failure.errCode]?.[1] ?? "",
    unreachable: texts.unreachableLead,
    late: texts.lateLead,
    busy: texts.busyLead(failure.status),
    garbled: texts.garbledLead(failure.status),
  }[failure.kind];
  const [title, lead] = meaning ?? [failureTitle(failure, messages.value), usualLead];
  return (
    <div class="failure" role="alert">
      <strong>
        <bdi>{title}</bdi>
      </strong>
      {failure.what && !title.endsWith(failure.what.replace(/^(group|user) /, "")) && <What what={failure.what} />}
      <p>{lead}</p>
      {children}
      <p class="actions">
        {onRetry && (
          <button type="button" onClick={onRetry}>
            {texts.retry}
          </button>
        )}
        {failure.kind === "refused" && (
          <code>
            {failure.errCode} {failure.errMsg}
          </code>
        )}
        <span class="faint">
          {texts.operationID} <code>{failure.operationID}</code>
        </span>
        <CopyButton label={texts.copy} text={() => failure.operationID} />
      </p>
    </div>
  );
}

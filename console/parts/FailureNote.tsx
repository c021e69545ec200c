import type { ComponentChildren } from "preact";
import type { CallFailure } from "../api/callFailure.js";
import { messages } from "../language/language.js";
import { CopyButton } from "./CopyButton.js";
import { failureTitle } from "./failureTitle.js";

interface FailureNoteProps {
  failure: CallFailure;
  onRetry?: (() => void) | undefined;
  children?: ComponentChildren;
}

/** What went wrong, what to do about it, and the operation ID by which the server's log has it. */
export function FailureNote({ failure, onRetry, children }: FailureNoteProps) {
  const { failure: texts } = messages.value;
  const lead = {
    refused: texts.codes[failure.errCode] ?? "",
    unreachable: texts.unreachableLead,
    late: texts.lateLead,
    garbled: texts.garbledLead(failure.status),
  }[failure.kind];
  return (
    <div class="failure" role="alert">
      <strong>{failureTitle(failure, messages.value)}</strong>
      {failure.what && <code class="what">{failure.what}</code>}
      <p>{lead}</p>
      {children}
      <p class="actions">
        {onRetry && (
          <button type="button" onClick={onRetry}>
            {texts.retry}
          </button>
        )}
        <span class="faint">
          {texts.operationID} <code>{failure.operationID}</code>
        </span>
        <CopyButton label={texts.copy} text={() => failure.operationID} />
      </p>
    </div>
  );
}

import type { ComponentChildren } from "preact";
import type { CallFailure } from "../api/callFailure.js";
import { messages } from "../language/language.js";
import { CopyButton } from "./CopyButton.js";

interface FailureNoteProps {
  failure: CallFailure;
  onRetry?: (() => void) | undefined;
  children?: ComponentChildren;
}

/** What went wrong, what to do about it, and the operation ID by which the server's log has it. */
export function FailureNote({ failure, onRetry, children }: FailureNoteProps) {
  const { failure: texts } = messages.value;
  const [title, lead] = {
    refused: [`${failure.errCode} ${failure.errMsg}`, texts.codes[failure.errCode] ?? ""],
    unreachable: [texts.unreachable, texts.unreachableLead],
    late: [texts.late, texts.lateLead],
    garbled: [texts.garbled, texts.garbledLead(failure.status)],
  }[failure.kind];
  return (
    <div class="failure" role="alert">
      <strong>{title}</strong>
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

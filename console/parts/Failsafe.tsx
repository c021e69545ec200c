import type { ComponentChildren } from "preact";
import { useErrorBoundary } from "preact/hooks";
import { messages } from "../language/language.js";

/** Says that a part of the page has failed, in its place. The other parts go on. */
export function Failsafe({ children }: { children: ComponentChildren }) {
  const [error, again] = useErrorBoundary((error) => reportError(error));
  if (error === undefined) return <>{children}</>;
  const { broken, retry } = messages.value.failure;
  return (
    <div class="failure" role="alert">
      <strong>{broken}</strong>
      <p class="actions">
        <button type="button" onClick={again}>
          {retry}
        </button>
      </p>
    </div>
  );
}

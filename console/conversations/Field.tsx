import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import type { CallFailure } from "../api/callFailure.js";

interface FieldProps {
  label: string;
  /** Its path in the interface. If the server refuses this path, the field is marked. */
  path: string;
  failure: CallFailure | undefined;
  hint?: string | undefined;
  children(attributes: { id: string; "aria-invalid": boolean; "aria-describedby": string }): ComponentChildren;
}

/** A field with its label, marked if the server has refused it. */
export function Field({ label, path, failure, hint, children }: FieldProps) {
  const id = useId();
  const isRefused = failure !== undefined && isWithin(failure.field, path);
  return (
    <div class={isRefused ? "field refused" : "field"}>
      <label for={id}>{label}</label>
      {children({ id, "aria-invalid": isRefused, "aria-describedby": `${id}-hint` })}
      <p class="hint" id={`${id}-hint`}>
        {isRefused ? failure.what : hint}
      </p>
    </div>
  );
}

/** Whether a path names a field, or an entry of it. */
function isWithin(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}[`);
}

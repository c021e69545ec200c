import type { CallFailure } from "../api/callFailure.js";
import type { Draft } from "./draft.js";

/** The properties of every step. */
export interface StepProps {
  draft: Draft;
  change(changes: Partial<Draft>): void;
  /** Why the server refused the draft. */
  failure: CallFailure | undefined;
}

import type { CallFailure } from "../api/callFailure.js";
import type { Draft } from "./draft.js";

/** What every step of the draft is given. */
export interface StepProps {
  draft: Draft;
  change(changes: Partial<Draft>): void;
  /** Why the server refused the draft. */
  failure: CallFailure | undefined;
}

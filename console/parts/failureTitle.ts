import type { CallFailure } from "../api/callFailure.js";
import type { Messages } from "../language/messages.js";

/** What a failure is called. */
export function failureTitle({ kind, errCode, errMsg }: CallFailure, { failure }: Messages): string {
  return kind === "refused" ? `${errCode} ${errMsg}` : failure[kind];
}

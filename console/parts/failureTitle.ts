import type { CallFailure } from "../api/callFailure.js";
import type { Messages } from "../language/messages.js";

/** The title of a failure. */
export function failureTitle({ kind, errCode, errMsg, what }: CallFailure, { failure }: Messages): string {
  if (kind !== "refused") return failure[kind];
  const [, missing, id = ""] = errCode === 1004 ? (/^(group|users?) (.*)$/s.exec(what) ?? []) : [];
  if (missing === "group") return failure.noGroup(id);
  if (missing === "user") return failure.noUser(id);
  if (missing === "users") return failure.noUsers;
  return failure.codes[errCode]?.[0] ?? errMsg;
}

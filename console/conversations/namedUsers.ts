import type { CallFailure } from "../api/callFailure.js";

/** The users that a refusal names as missing. Only users that were sent are returned. */
export function namedUsers({ errCode, what }: CallFailure, userIDs: readonly string[]): ReadonlySet<string> {
  const names = errCode === 1004 ? /^users? (.*?)(?: and \d+ more)?$/s.exec(what)?.[1]?.split(", ") : undefined;
  const sent = new Set(userIDs);
  return new Set(names?.filter((name) => sent.has(name)));
}

import type { CallFailure } from "../api/callFailure.js";

/** The users that a refusal names as missing, as far as they are among those that were sent. */
export function namedUsers({ errCode, what }: CallFailure, userIDs: readonly string[]): string[] {
  const names = errCode === 1004 ? /^users? (.*?)(?: and \d+ more)?$/.exec(what)?.[1]?.split(", ") : undefined;
  return names?.filter((name) => userIDs.includes(name)) ?? [];
}

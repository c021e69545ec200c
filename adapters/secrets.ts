/** The lifetime of a token where none is given: 90 days. */
export const defaultExpiresInSeconds = 7_776_000;

/** A thousand years. */
const longestLifetime = 31_536_000_000;

/** @throws TypeError for a lifetime that is not a positive integer, or so long that it may be one in milliseconds */
export function requireLifetime(expiresInSeconds: number): void {
  if (Number.isSafeInteger(expiresInSeconds) && expiresInSeconds >= 1 && expiresInSeconds <= longestLifetime) return;
  throw new TypeError(`expiresInSeconds must be an integer from 1 to ${longestLifetime}, which is a thousand years`);
}

/** @throws TypeError for what is no list of user IDs: a number, for one, never equals the ID in a token */
export function requireUserIDs(option: string, userIDs: unknown): void {
  const isID = (userID: unknown) => typeof userID === "string" && userID !== "";
  if (Array.isArray(userIDs) && userIDs.every(isID)) return;
  throw new TypeError(`${option} must be a list of user IDs, which are non-empty strings`);
}

const utf8 = new TextEncoder();

/** Compares what somebody gives with a secret, in a time that depends on the length of what is given alone. */
export function secretComparison(secret: string): (given: string) => boolean {
  const expected = utf8.encode(secret);
  return (given) => {
    const bytes = utf8.encode(given);
    let difference = bytes.length ^ expected.length;
    for (const [index, byte] of bytes.entries()) difference |= byte ^ (expected[index % expected.length] ?? 0);
    return difference === 0;
  };
}

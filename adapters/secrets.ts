/** The lifetime of a token where none is given: 90 days. */
export const defaultExpiresInSeconds = 7_776_000;

/** @throws TypeError for a lifetime that is not a positive integer */
export function requireLifetime(expiresInSeconds: number): void {
  if (Number.isSafeInteger(expiresInSeconds) && expiresInSeconds >= 1) return;
  throw new TypeError("expiresInSeconds must be an integer >= 1");
}

/** The SHA-256 digest of a string. */
export async function sha256(value: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(value)));
}

/** Compares two digests in a time that does not depend on where they differ. */
export function equalDigests(left: Uint8Array, right: Uint8Array): boolean {
  let difference = left.length ^ right.length;
  for (const [index, byte] of left.entries()) difference |= byte ^ (right[index] ?? 0);
  return difference === 0;
}

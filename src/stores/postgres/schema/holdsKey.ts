/** The most bytes of an ID. The rows of an index have a limit, and hold up to two IDs and more. */
export const mostBytes = 512;

/** Whether the tables take an ID that has no U+0000. U+0001 separates IDs in the keys of lists. */
export function holdsKey(id: string): boolean {
  return !id.includes("\u0001") && new TextEncoder().encode(id).length <= mostBytes;
}

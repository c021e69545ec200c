/** The most that one request may have by the server's default limits: users, and bytes of their IDs. */
export const mostUsers = 10_000;
const mostBytes = 800_000;

const utf8 = new TextEncoder();

/** Divides the users among as many requests as needed. */
export function batchesOf(userIDs: readonly string[]): string[][] {
  const batches: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const userID of userIDs) {
    const last = batches.at(-1);
    const length = utf8.encode(JSON.stringify(userID)).length + 1;
    if (last === undefined || last.length === mostUsers || bytes + length > mostBytes) {
      batches.push([userID]);
      bytes = length;
    } else {
      last.push(userID);
      bytes += length;
    }
  }
  return batches;
}

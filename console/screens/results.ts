import type { RequestResult } from "../places/place.js";

const codes = { pending: 0, accepted: 1, refused: -1, all: undefined } as const;

/** How the interface names a result; undefined for all of them. */
export function handleResultOf(result: RequestResult): 0 | 1 | -1 | undefined {
  return codes[result];
}

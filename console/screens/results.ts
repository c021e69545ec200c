import type { RequestResult } from "../places/place.js";

const codes = { pending: 0, accepted: 1, refused: -1, all: undefined } as const;

/** The interface's code of a result; undefined for all results. */
export function handleResultOf(result: RequestResult): 0 | 1 | -1 | undefined {
  return codes[result];
}

/** What has been found, or could not be looked at. */
export interface Finding {
  /**
   * "wrong" where a repair mends it, "unmendable" where somebody else has to, "unchecked" where nobody knows, and "note"
   * where nothing is wrong.
   */
  kind: "wrong" | "unmendable" | "unchecked" | "note";
  /** What it is, as a sentence; of what is unchecked, what it is and why. */
  problem: string;
  /** How many there are of it. */
  count: number;
  /** One of them, where they have names. */
  example?: string;
  /** Why it could not be read. */
  reason?: string;
  /** What to do where a repair cannot mend it. */
  advice?: string;
}

/** Is told after each step how many of how many are done. */
export type OnCheck = (done: number, checks: number) => void;

/** What is to be said of something that could not be looked at. */
export function unchecked(what: string, error: unknown): Finding {
  const reason = error instanceof Error ? error.message : String(error);
  return { kind: "unchecked", problem: `${what}: ${reason}`, count: 1, reason };
}

/** A problem that a check has found, or a check that could not run. */
export interface Finding {
  /**
   * "wrong" if a repair can mend it, "unmendable" if only the user can, "unchecked" if the check could not run, and
   * "note" if nothing is wrong.
   */
  kind: "wrong" | "unmendable" | "unchecked" | "note";
  /** The problem as a sentence; for "unchecked", what could not be checked and why. */
  problem: string;
  /** How many times the problem occurs. */
  count: number;
  /** The first of these, at most {@link mostExamples}, if they have names. */
  examples?: readonly string[];
  /** Why the check could not read it. */
  reason?: string;
  /** What the user can do if a repair cannot mend it. */
  advice?: string;
}

/** How many examples of a problem are told. */
export const mostExamples = 3;

/** Is called after each check with the number of done checks and of all checks. */
export type OnCheck = (done: number, checks: number) => void;

/** The finding for a check that could not run. */
export function unchecked(what: string, error: unknown): Finding {
  const reason = error instanceof Error ? error.message : String(error);
  return { kind: "unchecked", problem: `${what}: ${reason}`, count: 1, reason };
}

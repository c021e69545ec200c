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
  examples?: readonly string[] | undefined;
  /** Why the check could not read it. */
  reason?: string;
  /** What the user can do if a repair cannot mend it. */
  advice?: string | undefined;
}

/** How many examples of a problem are told. */
export const mostExamples = 3;

/** A problem that a repair can mend, or, with an advice, only the user. It occurs once if nothing else is said. */
export function wrong(found: Omit<Finding, "kind" | "count"> & Partial<Pick<Finding, "count">>): Finding {
  return { kind: found.advice === undefined ? "wrong" : "unmendable", count: 1, ...found };
}

/** The finding for a check that could not run. */
export function unchecked(what: string, error: unknown): Finding {
  const reason = error instanceof Error ? error.message : String(error);
  return { kind: "unchecked", problem: `${what}: ${reason}`, count: 1, reason };
}

import type { Measurement } from "./measure.js";
import type { DatabaseName, World } from "./world.js";

/** One thing that is measured. */
export type Trial = TrialHead & (Separate | InTurns);

interface TrialHead {
  /** Unique. `--only` looks for its text here. */
  name: string;
  /** The contestants. The first is compared with all others. */
  contestants: readonly string[];
  /** The databases that must be there. */
  databases: readonly DatabaseName[];
  /** The unit of the values. "times idle" divides by the time of the same call alone. */
  unit: "ms" | "requests/s" | "times idle";
}

/** Each contestant has a process of its own. */
interface Separate {
  measure(contestant: string, world: World): Promise<Measurement>;
  measureInTurns?: undefined;
}

/** The contestants share a process and make one call each in turns, so that a slow moment slows all of them. */
interface InTurns {
  measureInTurns(contestants: readonly string[], world: World): Promise<Measurement[]>;
}

/** What a process measures, one contestant after the other. */
export interface Job {
  trial: string;
  contestants: readonly string[];
  world: World;
}

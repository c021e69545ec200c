import type { Result } from "../rounds.js";
import { ratios, type Spread, spread } from "../statistics.js";
import type { Trial } from "../trial.js";

/** What is published of one contestant in one trial. */
export interface Figure extends Spread {
  trial: string;
  contestant: string;
  unit: Trial["unit"];
  /** Milliseconds: the median of the rounds. */
  p99: number;
  /** How it relates to the trial's first contestant, in the same rounds. */
  ratio: Spread;
  /** The medians of the rounds, in their order. */
  rounds: number[];
  /** Calls or requests in all rounds. */
  calls: number;
  details: Readonly<Record<string, number>>;
}

export function figuresOf(results: readonly Result[]): Figure[] {
  return results.map(({ trial, contestant, unit, rounds }) => {
    const values = rounds.map(({ value }) => value);
    const first = results.find((other) => other.trial === trial);
    return {
      trial,
      contestant,
      unit,
      ...spread(values),
      p99: spread(rounds.map(({ p99 }) => p99)).median,
      ratio: ratios(values, first?.rounds.map(({ value }) => value) ?? values),
      rounds: values,
      calls: rounds.reduce((sum, { calls }) => sum + calls, 0),
      details: rounds.at(-1)?.details ?? {},
    };
  });
}

import type { Result } from "../rounds.js";
import { median, ratios, type Spread, spread } from "../statistics.js";
import type { Trial } from "../trial.js";

/** The published figures of one contestant in one trial. */
export interface Figure extends Spread {
  trial: string;
  contestant: string;
  unit: Trial["unit"];
  /** The mean, which shows a few slow calls; the median of the rounds. */
  mean: number;
  /** Milliseconds that 99 of 100 calls do not exceed; the median of the rounds. */
  p99: number;
  /** The ratio to the trial's first contestant, in the same rounds. */
  ratio: Spread;
  /** The medians of the rounds, in their order. */
  rounds: number[];
  /** The means of the rounds. */
  means: number[];
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
      mean: median(rounds.map(({ mean }) => mean)),
      p99: median(rounds.map(({ p99 }) => p99)),
      ratio: ratios(values, first?.rounds.map(({ value }) => value) ?? values),
      rounds: values,
      means: rounds.map(({ mean }) => mean),
      calls: rounds.reduce((sum, { calls }) => sum + calls, 0),
      details: rounds.at(-1)?.details ?? {},
    };
  });
}

import { print } from "../../print.js";
import { grouped } from "../../report.js";
import type { Trial } from "./trial.js";

/** What no trial does. */
const notTried = [
  "a restart of MongoDB",
  "an election",
  "an oplog that is too short",
  "a copy in PostgreSQL",
  "as many documents as yours",
];

/** A trial for programs. Times are in milliseconds. */
export interface TrialReport extends Omit<Trial, "lags"> {
  lag: { p50: number; p99: number };
  notTried: string[];
}

export function reportOf({ lags, longestReturn, ...tried }: Trial): TrialReport {
  return {
    ...tried,
    longestReturn: Math.round(longestReturn),
    lag: { p50: percentile(lags, 0.5), p99: percentile(lags, 0.99) },
    notTried,
  };
}

/** Tells people the same. */
export function printTrial({ writes, transactions, kills, longestReturn, lists, different, ...others }: TrialReport) {
  const { lag, notTried } = others;
  print(`${grouped(writes)} writes, ${grouped(transactions)} of them in transactions`);
  print(`${grouped(kills)} kills of the process that follows; it had all writes within ${grouped(longestReturn)} ms`);
  print(
    `lag: p50 ${grouped(lag.p50)} ms, p99 ${grouped(lag.p99)} ms, from the answer to a write until a list shows it`,
  );
  const outcome = different.length === 0 ? "all are equal" : `${grouped(different.length)} differ`;
  print(`${grouped(lists)} lists compared with those of whole copies: ${outcome}`);
  for (const name of different.slice(0, 10)) print(`differs: ${name}`);
  print(`not tried: ${notTried.join(", ")}`);
}

/** @param sorted in ascending order */
function percentile(sorted: readonly number[], share: number): number {
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}

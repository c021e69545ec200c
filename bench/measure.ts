import { createHash } from "node:crypto";
import { median, quantile } from "./statistics.js";

/** The figures of one contestant in one round. */
export interface Measurement {
  /** Milliseconds for a call (the median of all), or requests per second. */
  value: number;
  /** The mean, which shows a few slow calls. */
  mean: number;
  /** Milliseconds that 99 of 100 calls do not exceed. */
  p99: number;
  calls: number;
  /** A digest of the answers: all contestants must answer the same. */
  answers: string;
  /** Other figures, by their names. */
  details?: Readonly<Record<string, number>>;
}

/** A call; `index` says which one it is, so that calls can differ. */
export type Call = (index: number) => unknown;

const checkedCalls = 2;
const fewestCalls = 3;
const mostCalls = 1000;

/** Warms up, then calls until there are enough calls or the time is up. */
export async function measureCalls(call: Call, milliseconds: number): Promise<Measurement> {
  const answers: unknown[] = [];
  const start = performance.now();
  for (let index = 0; index < checkedCalls; index += 1) answers.push(await call(index));
  const warmUp = milliseconds / 5 - (performance.now() - start);
  await timeCalls(call, { least: 0, most: mostCalls, milliseconds: warmUp });
  const times = await timeCalls(call, { least: fewestCalls, most: mostCalls, milliseconds });
  return { ...summary(times), answers: digest(answers) };
}

/** A contestant that makes its calls in turns with others. */
export interface Contender {
  /** What comes before each call, and is not timed. */
  prepare?(): unknown;
  call: Call;
}

/** The times of the calls of each contender. Before the first one that counts, each makes a call to warm up. */
export async function timeInTurns(contenders: readonly Contender[], limits: CallLimits): Promise<number[][]> {
  const times = contenders.map((): number[] => []);
  const turns = contenders.map((contender, index) => ({ ...contender, times: times[index] ?? [] }));
  await timeCalls(
    async (index) => {
      // The second of two calls may find something in memory that the first one has read.
      for (const { prepare, call, times } of index % 2 === 0 ? turns : turns.toReversed()) {
        await prepare?.();
        const start = performance.now();
        await call(index);
        times.push(performance.now() - start);
      }
    },
    { ...limits, least: limits.least + 1, most: limits.most + 1 },
  );
  return times.map((all) => all.slice(1));
}

/** How many calls are made: some in any case, and more while there is time. */
export interface CallLimits {
  least: number;
  most: number;
  milliseconds: number;
}

/** The time of each call, in milliseconds. */
export async function timeCalls(call: Call, { least, most, milliseconds }: CallLimits): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + milliseconds;
  while (times.length < most && (times.length < least || performance.now() < end)) {
    const start = performance.now();
    await call(times.length);
    times.push(performance.now() - start);
  }
  return times;
}

export function summary(times: readonly number[]): Omit<Measurement, "answers"> {
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  return { value: median(times), mean, p99: quantile(times, 0.99), calls: times.length };
}

/** A text that is the same for equal values, in any order of their fields. */
export function digest(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value, sortFields)).digest("hex").slice(0, 16);
}

function sortFields(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
}

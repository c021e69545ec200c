import { createHash } from "node:crypto";
import { quantile } from "./statistics.js";

/** What one contestant needed in one round. */
export interface Measurement {
  /** Milliseconds for a call (the median of all), or requests per second. */
  value: number;
  /** Milliseconds that 99 of 100 calls do not exceed. */
  p99: number;
  calls: number;
  /** What was answered, in short: all contestants must answer the same. */
  answers: string;
  /** Other figures, by what they are. */
  details?: Readonly<Record<string, number>>;
}

/** A call; `index` says which one it is, so that calls can differ. */
export type Call = (index: number) => unknown;

const checkedCalls = 3;
const warmUp = { calls: 100, milliseconds: 200 };
const measured = { calls: 1000, milliseconds: 1000 };

/** Calls until there are enough calls or enough time has gone by; slow calls are measured at least a few times. */
export async function measureCalls(call: Call): Promise<Measurement> {
  const answers: unknown[] = [];
  for (let index = 0; index < checkedCalls; index += 1) answers.push(await call(index));
  await timeCalls(call, warmUp);
  return { ...summary(await timeCalls(call, measured)), answers: digest(answers) };
}

/** The time of each call, in milliseconds. */
export async function timeCalls(call: Call, limits: { calls: number; milliseconds: number }): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + limits.milliseconds;
  while (times.length < limits.calls && (times.length < checkedCalls || performance.now() < end)) {
    const start = performance.now();
    await call(times.length);
    times.push(performance.now() - start);
  }
  return times;
}

export function summary(times: readonly number[]): Omit<Measurement, "answers"> {
  return { value: quantile(times, 0.5), p99: quantile(times, 0.99), calls: times.length };
}

/** The same for the same values, in whatever order their fields are. */
export function digest(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value, sortFields)).digest("hex").slice(0, 16);
}

function sortFields(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
}

import type { Spread } from "../statistics.js";
import type { Trial } from "../trial.js";
import type { Goal, Target } from "./targets.js";

/** A figure with three digits that say something. */
export function digits(value: number): string {
  return Number(value.toPrecision(3)).toLocaleString("en", { maximumSignificantDigits: 3 });
}

/** Milliseconds in the unit that people would choose. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1) return `${digits(milliseconds * 1000)} µs`;
  if (milliseconds < 1000) return `${digits(milliseconds)} ms`;
  return `${digits(milliseconds / 1000)} s`;
}

export function value(number: number, unit: Trial["unit"]): string {
  if (unit === "times idle") return `${digits(number)} x`;
  return unit === "ms" ? duration(number) : `${digits(number)}/s`;
}

export function ratio(values: Spread): string {
  return targetSpread(values, "ratio");
}

export function targetSpread({ median, min, max }: Spread, unit: Target["unit"]): string {
  const shown = (value: number) => targetValue(value, unit);
  return `${shown(median)} (${shown(min)}..${shown(max)})`;
}

/** A goal as a short text. */
export function bounds({ atMost, atLeast, meanAtMost }: Goal = {}, unit: Target["unit"] = "ratio"): string {
  return [
    ...(atMost === undefined ? [] : [`<= ${targetValue(atMost, unit)}`]),
    ...(atLeast === undefined ? [] : [`>= ${targetValue(atLeast, unit)}`]),
    ...(meanAtMost === undefined ? [] : [`mean <= ${targetValue(meanAtMost, unit)}`]),
  ].join(", ");
}

function targetValue(value: number, unit: Target["unit"]): string {
  return unit === "ms" ? duration(value) : digits(value);
}

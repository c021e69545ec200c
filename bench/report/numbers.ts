import type { Spread } from "../statistics.js";
import type { Trial } from "../trial.js";

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
  return unit === "ms" ? duration(number) : `${digits(number)}/s`;
}

export function ratio({ median, min, max }: Spread): string {
  return `${digits(median)} (${digits(min)}..${digits(max)})`;
}

/** Turns numbers into the beginnings of keys that sort as text, and finds the keys that begin with a number. */
import type { ListDefinition, ListedNumber } from "./list.js";

/**
 * The number that is added to an integer of a field, or the text of the number that it is subtracted from, so that all
 * integers of the field have the same number of digits.
 */
const offsets: Readonly<Record<ListedNumber, number | string>> = {
  roleLevel: 2000,
  appMangerLevel: 30_000_000_000,
  handleResult: 30_000_000_000,
  joinTime: "20000000000000000",
  createTime: "20000000000000000",
  reqTime: "20000000000000000",
};

/** The offset of a field that sorts as a number; undefined for a text. */
export function digitsOf(field: string): number | string | undefined {
  return (offsets as Record<string, number | string>)[field];
}

/** A range of keys, from the first one up to, and without, the second. */
export type KeyRange = readonly [from: string, to: string];

/**
 * The range of keys whose rows have this value in the first field of the order. That field must hold small integers.
 */
export function rangeOf({ name, order: [first] }: ListDefinition, value: number): KeyRange {
  const offset = first && digitsOf(first.field);
  if (typeof offset !== "number") throw new TypeError(`the list ${name} does not begin with a small integer`);
  const digits = first?.direction === "ascending" ? offset + value : offset - value;
  return [String(digits), String(digits + 1)];
}

/** The ranges for several values, in the order of the list. */
export function rangesOf(list: ListDefinition, values: readonly number[]): KeyRange[] {
  const ranges = [...new Set(values)].map((value): KeyRange => rangeOf(list, value));
  return ranges.sort(([left], [right]) => (left < right ? -1 : 1));
}

/** The same, as an array in JSON. */
export function rangesText(list: ListDefinition, values: readonly number[]): string {
  return JSON.stringify(rangesOf(list, values));
}

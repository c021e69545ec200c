/** Numbers in the keys of listed rows, which are texts. */
import type { ListDefinition, ListedNumber } from "./list.js";

/**
 * What is added to a number of each field, or what the number is subtracted from if it descends, so that all numbers of
 * the field have the same number of digits.
 */
const offsets: Readonly<Record<ListedNumber, number>> = {
  roleLevel: 2000,
  appMangerLevel: 30_000_000_000,
  handleResult: 30_000_000_000,
  joinTime: 20_000_000_000_000_000,
  createTime: 20_000_000_000_000_000,
  reqTime: 20_000_000_000_000_000,
};

/** The offset of a field that sorts as a number; undefined for a text. */
export function offsetOf(field: string): number | undefined {
  return (offsets as Record<string, number>)[field];
}

/** A range of keys, from the first one up to, and without, the second. */
export type KeyRange = readonly [from: string, to: string];

/** The range of keys whose rows have this value in the first field of the order, which must hold small integers. */
export function rangeOf({ name, order: [first] }: ListDefinition, value: number): KeyRange {
  const offset = first && offsetOf(first.field);
  if (!Number.isSafeInteger(offset)) throw new TypeError(`the list ${name} does not begin with a small integer`);
  const digits = Number(offset) + (first?.direction === "ascending" ? value : -value);
  return [String(digits), String(digits + 1)];
}

/** The ranges for several values, in the order of the list. */
export function rangesOf(list: ListDefinition, values: readonly number[]): KeyRange[] {
  const ranges = [...new Set(values)].map((value) => rangeOf(list, value));
  return ranges.sort(([left], [right]) => (left < right ? -1 : 1));
}

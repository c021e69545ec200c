/** How numbers become the beginning of keys that sort as text, and which keys begin with a number. */
import type { ListDefinition, ListedNumber } from "./list.js";

/** What is added to an integer, or what it is taken from, so that all of a field have the same number of digits. */
const offsets: Readonly<Record<ListedNumber, number | string>> = {
  roleLevel: 2000,
  appMangerLevel: 30_000_000_000,
  handleResult: 30_000_000_000,
  joinTime: "20000000000000000",
  createTime: "20000000000000000",
  reqTime: "20000000000000000",
};

/** The offset of a field that is sorted by as a number; undefined for a text. */
export function digitsOf(field: string): number | string | undefined {
  return (offsets as Record<string, number | string>)[field];
}

/** A range of keys: from the first one up to the second, which is not in it. */
export type KeyRange = readonly [from: string, to: string];

/** The keys of the rows whose first field in the order has a value, which is a small integer. */
export function rangeOf({ name, order: [first] }: ListDefinition, value: number): KeyRange {
  const offset = first && digitsOf(first.field);
  if (typeof offset !== "number") throw new TypeError(`the list ${name} does not begin with a small integer`);
  const digits = first?.direction === "ascending" ? offset + value : offset - value;
  return [String(digits), String(digits + 1)];
}

/** The ranges of keys of some values, in the order of the list. */
export function rangesOf(list: ListDefinition, values: readonly number[]): KeyRange[] {
  const ranges = [...new Set(values)].map((value): KeyRange => rangeOf(list, value));
  return ranges.sort(([left], [right]) => (left < right ? -1 : 1));
}

/** The same, as an array in JSON. */
export function rangesText(list: ListDefinition, values: readonly number[]): string {
  return JSON.stringify(rangesOf(list, values));
}

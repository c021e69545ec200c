/** Numbers in the keys of listed rows, which are texts. */
import type { Kind } from "../../recordKinds.js";
import { recordFields, recordNames } from "../../records.js";
import type { ListDefinition } from "./list.js";

/**
 * What is added to a number of each kind, or what the number is subtracted from if it descends, so that all numbers of
 * the kind have the same number of digits.
 */
const offsets: Partial<Record<Kind["name"], number>> = {
  level: 2000,
  integer: 30_000_000_000,
  count: 20_000_000_000_000_000,
  time: 20_000_000_000_000_000,
};

const kinds = new Map(recordNames.flatMap((name) => recordFields[name]));

/** The offset of a field that sorts as a number; undefined for a text. */
export function offsetOf(field: string): number | undefined {
  return offsets[kinds.get(field)?.name ?? "text"];
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

/** The ranges for several values, in the order of the list. No row has a value that the field may not have. */
export function rangesOf(list: ListDefinition, values: readonly number[]): KeyRange[] {
  const kind = kinds.get(list.order[0]?.field ?? "");
  const ranges = [...new Set(values)].filter((value) => kind?.fits(value)).map((value) => rangeOf(list, value));
  return ranges.sort(([left], [right]) => (left < right ? -1 : 1));
}

/** Numbers in the keys of listed rows, which are texts. */
import type { Kind } from "../../recordKinds.js";
import { type RecordName, recordFields } from "../../records.js";
import type { ListDefinition } from "./list.js";

interface Digits {
  /**
   * What is added to a number, or what the number is subtracted from if it descends, so that all numbers of the kind have
   * the same number of digits.
   */
  offset: number;
  /** The least and the greatest number that a key has room for. */
  least: string;
  most: string;
}

const digits: Partial<Record<Kind["name"], Digits>> = {
  level: { offset: 2000, least: "0", most: "999" },
  integer: { offset: 30_000_000_000, least: "-2147483648", most: "2147483647" },
  count: { offset: 20_000_000_000_000_000, least: "0", most: "9007199254740991" },
  // Up to the last millisecond with 16 digits.
  time: { offset: 20_000_000_000_000_000, least: "0", most: "9999999999999999" },
};

/** The kind of a field of these records. */
export function kindOf(record: RecordName, field: string): Kind {
  const [, kind] = recordFields[record].find(([name]) => name === field) ?? [];
  if (kind === undefined) throw new TypeError(`${record} have no field ${field}`);
  return kind;
}

/** How a kind of numbers stands in a key; undefined for a text. */
export function digitsOf(kind: Kind): Digits | undefined {
  return digits[kind.name];
}

/** The offset of a field that sorts as a number; undefined for a text. */
export function offsetOf(record: RecordName, field: string): number | undefined {
  return digitsOf(kindOf(record, field))?.offset;
}

/** A range of keys, from the first one up to, and without, the second. */
export type KeyRange = readonly [from: string, to: string];

/** The range of keys whose rows have this value in the first field of the order, which must hold small integers. */
export function rangeOf({ name, table, order: [first] }: ListDefinition, value: number): KeyRange {
  const offset = first && offsetOf(table, first.field);
  if (!Number.isSafeInteger(offset)) throw new TypeError(`the list ${name} does not begin with a small integer`);
  const start = Number(offset) + (first?.direction === "ascending" ? value : -value);
  return [String(start), String(start + 1)];
}

/** The ranges for several values, in the order of the list. No row has a value that the field may not have. */
export function rangesOf(list: ListDefinition, values: readonly number[]): KeyRange[] {
  const kind = kindOf(list.table, list.order[0]?.field ?? "");
  const ranges = [...new Set(values)].filter((value) => kind.fits(value)).map((value) => rangeOf(list, value));
  return ranges.sort(([left], [right]) => (left < right ? -1 : 1));
}

/** The kinds of values that fields of records hold, and their checks. */
/** The kind of a field's values. The bundled stores make their columns from it. */
export interface Kind<Value extends string | number | boolean = string | number | boolean> {
  readonly name: "key" | "text" | "integer" | "level" | "count" | "time" | "flag";
  /** The value of a field that is left out or null; undefined for a field of the key, which cannot be. */
  readonly otherwise: Value | undefined;
  fits(value: unknown): boolean;
  /** What a value must be. */
  readonly mustBe: string;
  /** The least and the greatest number. */
  readonly bounds?: readonly [least: number, greatest: number];
}

const isUnicode = (value: unknown): value is string => typeof value === "string" && value.isWellFormed();

export const key: Kind<string> & { name: "key" } = {
  name: "key",
  otherwise: undefined,
  // Other servers have identifiers with control characters, although no request may name them.
  fits: (value) => isUnicode(value) && value !== "" && !value.includes("\0"),
  mustBe: "a non-empty string of valid Unicode without U+0000",
};

export const text: Kind<string> = {
  name: "text",
  otherwise: "",
  // Not every engine can store U+0000.
  fits: (value) => isUnicode(value) && !value.includes("\0"),
  mustBe: "a string of valid Unicode without U+0000",
};

function integers(name: Kind["name"], least: number, greatest: number, mustBe: string): Kind<number> {
  const fits = (value: unknown) => Number.isInteger(value) && Number(value) >= least && Number(value) <= greatest;
  return { name, otherwise: 0, fits, mustBe, bounds: [least, greatest] };
}

export const integer = integers("integer", -2_147_483_648, 2_147_483_647, "an integer from -2147483648 to 2147483647");
export const level = integers("level", 0, 999, "an integer from 0 to 999");
export const count = integers("count", 0, Number.MAX_SAFE_INTEGER, "an integer from 0 to 2^53 - 1");
/** How many records there are. */
export const size = integers("count", 0, 2_147_483_647, "an integer from 0 to 2147483647");
// 10^16 - 1 has no exact JavaScript number: below 10^16, only even ones have.
export const time = integers("time", 0, 1e16 - 2, "an integer of milliseconds from 0 to 10^16 - 2");

export const flag: Kind<boolean> = {
  name: "flag",
  otherwise: false,
  fits: (value) => typeof value === "boolean",
  mustBe: "true or false",
};

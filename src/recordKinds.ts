/** The kinds of values that fields of records hold, and their checks. */
import { isIdentifier } from "./fields.js";

/** The kind of a field's values. The bundled stores make their columns from it. */
export interface Kind<Value extends string | number | boolean = string | number | boolean> {
  readonly name: "key" | "text" | "integer" | "level" | "count" | "time" | "flag";
  /** The value of a field that is left out or null; undefined for a field of the key, which cannot be. */
  readonly otherwise: Value | undefined;
  fits(value: unknown): boolean;
  /** Says what a wrong value must be. */
  mustBe(value: unknown): string;
}

/** A kind with one sentence for every wrong value. */
function kind<Value extends string | number | boolean>(
  name: Kind["name"],
  otherwise: Value | undefined,
  fits: (value: unknown) => boolean,
  mustBe: string,
): Kind<Value> {
  return { name, otherwise, fits, mustBe: () => mustBe };
}

const isUnicode = (value: unknown): value is string => typeof value === "string" && value.isWellFormed();
const hasNul = (value: unknown) => typeof value === "string" && value.includes("\0");
const isInteger = (value: unknown, least: number, greatest: number) =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= greatest;
const least = -2_147_483_648;
const greatest = 2_147_483_647;
const unicode = "a string of valid Unicode";

export const key = kind<string>(
  "key",
  undefined,
  (value) => isUnicode(value) && isIdentifier(value),
  "a non-empty string of valid Unicode without control characters",
);

export const text: Kind<string> = {
  name: "text",
  otherwise: "",
  // Not every engine can store U+0000.
  fits: (value) => isUnicode(value) && !hasNul(value),
  mustBe: (value) => (isUnicode(value) && hasNul(value) ? `${unicode} without U+0000` : unicode),
};

export const integer: Kind<number> = {
  name: "integer",
  otherwise: 0,
  fits: (value) => isInteger(value, least, greatest),
  mustBe: (value) => `an integer ${typeof value === "number" && value > greatest ? `<= ${greatest}` : `>= ${least}`}`,
};

export const level = kind<number>("level", 0, (value) => isInteger(value, 0, 999), "an integer from 0 to 999");

export const count = kind<number>(
  "count",
  0,
  (value) => isInteger(value, 0, Number.MAX_SAFE_INTEGER),
  "an integer from 0 to 2^53 - 1",
);

export const time = kind<number>(
  "time",
  0,
  // 10^16 - 1 has no exact JavaScript number, hence the strict comparison.
  (value) => isInteger(value, 0, 1e16) && Number(value) < 1e16,
  "an integer of milliseconds from 0 to 10^16 - 1",
);

export const flag = kind<boolean>("flag", false, (value) => typeof value === "boolean", "true or false");

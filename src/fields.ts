import * as v from "valibot";
import type { Limited, Limits } from "./limits.js";

/** The input of a schema, in which arrays may be readonly. */
export type InputOf<Schema extends Limited<v.GenericSchema>> = {
  [Field in keyof v.InferInput<ReturnType<Schema>>]: OrReadonly<v.InferInput<ReturnType<Schema>>[Field]>;
};

type OrReadonly<Value> = Value extends (infer Item)[] ? readonly Item[] : Value;

/** The largest integer of the contract's `int`. */
const maxInt = 2_147_483_647;

/**
 * The least and greatest value of a number, length of a string or length of an array. Schemas and checks carry their
 * bounds, and the description of the interface reads them from there.
 */
export interface Bounds {
  min?: number;
  max: number;
}

// The contract forbids the control characters of ASCII, and allows U+0080 to U+009F.
const controlCharacter = /[^\P{Cc}\u0080-\u009f]/u;

/** Whether a string has at most so many characters (code points). */
export function withinLength(value: string, length: number): boolean {
  // A code point takes at most two UTF-16 units, so most strings need no counting.
  return value.length <= length || (value.length <= 2 * length && [...value].length <= length);
}

/** A string that every store can keep. No store keeps half of a surrogate pair, and some do not keep U+0000. */
export function text(message: string, fits: (value: string) => boolean = () => true, texts: Partial<Bounds> = {}) {
  const isFitting = (value: unknown): value is string => typeof value === "string" && fits(value);
  const schema = v.custom<string>(
    (value) => isFitting(value) && value.isWellFormed() && !value.includes("\0"),
    ({ input }) => {
      if (!isFitting(input)) return message;
      return input.isWellFormed() ? `${message} without U+0000` : `${message}, and of valid Unicode`;
    },
  );
  return { ...schema, texts };
}

/** Whether a string may be an identifier. It does not check the length. */
export function isIdentifier(value: string): boolean {
  return value !== "" && !controlCharacter.test(value);
}

/** An identifier: of a user, a group or a conversation. */
export function id(limits: Limits, { orEmpty = false } = {}) {
  const { idLength } = limits;
  const min = orEmpty ? 0 : 1;
  return text(
    mustBeID(limits, min),
    (value) => (orEmpty && value === "") || (isIdentifier(value) && withinLength(value, idLength)),
    { min, max: idLength },
  );
}

export function mustBeID({ idLength }: Limits, min = 1): string {
  return `must be a string of ${min} to ${idLength} characters without control characters`;
}

/** A keyword; null and the empty string are no restriction. */
export function keyword({ keywordLength }: Limits) {
  return v.nullish(textUpTo(keywordLength));
}

/** A free text that the service stores and does not read. */
export function storedText({ textLength }: Limits) {
  return textUpTo(textLength);
}

function textUpTo(max: number) {
  return text(`must be a string of at most ${max} characters`, (value) => withinLength(value, max), { max });
}

/** An integer within bounds; where only the lower bound is given, the contract's `int` is the upper one. */
export function integer(min: number, max?: number) {
  const message = `must be an integer ${max === undefined ? `>= ${min}` : `from ${min} to ${max}`}`;
  const bounds = { min, max: max ?? maxInt };
  const isLong = (value: unknown) => Number.isInteger(value) && Number(value) > bounds.max;
  const schema = v.custom<number>(
    (value) => Number.isInteger(value) && Number(value) >= min && !isLong(value),
    ({ input }) => (max === undefined && isLong(input) ? `must be an integer <= ${maxInt}` : message),
  );
  return { ...schema, bounds };
}

/** One of some values. The description of the interface reads them from the schema. */
export function oneOf<const Values extends readonly unknown[]>(values: Values, message: string) {
  return { ...v.custom<Values[number]>((value) => values.includes(value), message), values };
}

const printable = /^[ -~]+$/;

/** An array of identifiers. A fast check accepts the usual ones, since there may be ten thousand. */
export function ids(limits: Limits, bounds: Bounds, message: string) {
  const isUsual = (value: unknown) =>
    typeof value === "string" && value.length <= limits.idLength && printable.test(value);
  return list(id(limits), bounds, message, message, isUsual);
}

/**
 * An array. It checks the length first, since checking the entries of a long array takes long.
 *
 * @param isUsual returns true for an entry that needs no further check
 */
export function list<Item extends v.GenericSchema>(
  item: Item,
  bounds: Bounds,
  message: string,
  wrongLength = message,
  isUsual: (entry: unknown) => boolean = () => false,
) {
  const { min = 0, max } = bounds;
  const entries = v.array(item);
  const array = v.custom(
    (value) => Array.isArray(value) && value.length >= min && value.length <= max,
    ({ input }) => (Array.isArray(input) ? wrongLength : message),
  );
  return {
    ...entries,
    bounds,
    "~run"(dataset: Parameters<(typeof entries)["~run"]>[0], config: v.Config<v.BaseIssue<unknown>>) {
      const checked = array["~run"](dataset, config);
      if (checked.issues !== undefined) return checked as v.FailureDataset<v.InferIssue<Item>>;
      // A copy: the caller cannot change it later, and it has no holes.
      const value = Array.from(checked.value as v.InferOutput<Item>[]);
      return value.every(isUsual) ? { typed: true as const, value } : entries["~run"](dataset, config);
    },
  };
}

/** An object, and no array. The error for a missing field says what the field must be. */
export function object<const Entries extends v.ObjectEntries>(entries: Entries) {
  const schema = v.object(entries, ({ path }) => {
    const missing = entries[String(path?.at(-1)?.key)];
    if (missing === undefined) return "must be an object";
    return v.safeParse(missing, undefined).issues?.[0].message ?? "is required";
  });
  return {
    ...schema,
    "~run"(dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) {
      return schema["~run"](Array.isArray(dataset.value) ? { value: undefined } : dataset, config);
    },
  };
}

/** The JSON path of a wrong value, such as `items[1].nickname`; empty for the whole value. */
export function pathOf({ path = [] }: { path?: readonly { key: unknown }[] | undefined }): string {
  const parts = path.map(({ key }) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`));
  return parts.join("").replace(/^\./, "");
}

/** A mistake with its JSON path: `pagination.pageNumber must be an integer >= 1`. */
export function describeIssue(issue: v.BaseIssue<unknown>, root = "input"): string {
  return `${pathOf(issue) || root} ${issue.message}`;
}

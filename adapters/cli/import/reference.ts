/** Documents of the reference server's database, in BSON and in MongoDB's Extended JSON. */
import { deserialize, EJSON } from "bson";
import { shortened } from "../shortened.js";

/**
 * The values of a document, or what is wrong with it.
 *
 * @param document the bytes of BSON, or a value of Extended JSON
 */
export function readDocument(document: unknown): object | string {
  if (typeof document !== "object" || document === null) return "the record must be an object";
  if (document instanceof Uint8Array) return readBytes(document);
  const values: [string, unknown][] = [];
  for (const [field, value] of Object.entries(document)) {
    try {
      values.push([field, valueIn(value)]);
    } catch {
      return `${shortened(field)} is no valid Extended JSON`;
    }
  }
  return Object.fromEntries(values);
}

function readBytes(document: Uint8Array): object | string {
  try {
    // Neither a text that is no UTF-8 nor a regular expression that only MongoDB reads is a reason to refuse it.
    return deserialize(document, { validation: { utf8: false }, bsonRegExp: true, promoteLongs: false });
  } catch (error) {
    return `is no BSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}

const integer = /^[+-]?\d+$/;
const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$|^[+-]?Infinity$|^NaN$/i;

/** The texts of numbers. MongoDB writes them as texts, and other programs as numbers. */
const numbers: Readonly<Record<string, RegExp>> = {
  $numberInt: integer,
  $numberLong: integer,
  $numberDouble: decimal,
  $numberDecimal: decimal,
};

/** @throws Error if it is no valid Extended JSON */
function valueIn(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const [[type, content] = ["", undefined], ...others] = Object.entries(value);
  const form = numbers[type];
  if (form === undefined && type !== "$date") return EJSON.deserialize(value, { relaxed: true });
  if (others.length > 0) throw new Error(`${type} is not alone`);
  return form === undefined ? dateOf(content) : numberOf(content, form);
}

function numberOf(content: unknown, form: RegExp): number | bigint {
  if (!["string", "number"].includes(typeof content) || !form.test(String(content))) throw new Error("no number");
  return form === integer && typeof content === "string" ? BigInt(content.replace("+", "")) : Number(content);
}

/** Milliseconds since 1970. A JavaScript date could not hold all of them. */
function dateOf(content: unknown): number {
  const read = typeof content === "string" ? Date.parse(content) : valueIn(content);
  const time = typeof read === "bigint" ? Number(read) : read;
  if (typeof time !== "number" || Number.isNaN(time)) throw new Error("no date");
  return Math.max(0, time);
}

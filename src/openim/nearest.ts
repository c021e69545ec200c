import type { Kind } from "../recordKinds.js";

/** The value of a kind that is nearest to another one. It is undefined if nothing of it can be a key. */
export function nearest(kind: Kind, value: unknown): string | number | boolean | undefined {
  const { name, bounds, otherwise } = kind;
  if (name === "flag") return typeof value === "number" ? value !== 0 : otherwise;
  if (bounds === undefined) return nearestText(kind, value) || otherwise;
  const [least, greatest] = bounds;
  const number = typeof value === "bigint" ? Number(value) : value;
  return typeof number === "number" && !Number.isNaN(number)
    ? Math.min(Math.max(Math.round(number), least), greatest)
    : otherwise;
}

function nearestText({ name }: Kind, value: unknown): string {
  // A number beyond 2^53 may stand for several: as a key, it could be that of another record.
  if (typeof value === "number" && (name !== "key" || Math.abs(value) <= Number.MAX_SAFE_INTEGER)) return String(value);
  return typeof value === "string" || typeof value === "bigint" ? mendedText(String(value)) : "";
}

/** A text with U+FFFD for what no store can hold. */
function mendedText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\ufffd");
}

/**
 * An identifier without U+0000, which no store can hold. No two become the same: U+FFFD and 0 stand for U+0000, and where
 * these two stand already, a 1 comes between them, or one more of it.
 */
export function withoutNull(identifier: string): string {
  return identifier.replace(/\0|\ufffd(?=1*0)/g, (character) => (character === "\0" ? "\ufffd0" : "\ufffd1"));
}

import type { Kind } from "../recordKinds.js";

/** The value of a kind that is nearest to another one. It is undefined if nothing of it can be a key. */
export function nearest({ name, bounds, otherwise }: Kind, value: unknown): string | number | boolean | undefined {
  if (name === "flag") return typeof value === "number" ? value !== 0 : otherwise;
  if (bounds === undefined) {
    const isText = typeof value === "string" || typeof value === "number";
    return (isText && String(value).toWellFormed().replaceAll("\0", "\ufffd")) || otherwise;
  }
  const [least, greatest] = bounds;
  return typeof value === "number" && !Number.isNaN(value)
    ? Math.min(Math.max(Math.round(value), least), greatest)
    : otherwise;
}

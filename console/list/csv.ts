import { flatten } from "./flatten.js";

/** Rows as CSV (RFC 4180), with a line of names. */
export function csvOf(items: readonly object[]): string {
  const rows = items.map(flatten);
  const names = rows[0]?.map(([name]) => name) ?? [];
  const lines = [names, ...rows.map((row) => row.map(([, value]) => value))];
  return lines.map((line) => `${line.map(cell).join(",")}\r\n`).join("");
}

function cell(value: unknown): string {
  // A spreadsheet would take a text that begins so for a formula, and users choose their nicknames.
  const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

import { flatten } from "./flatten.js";

/** Rows as CSV (RFC 4180), with a line of names. */
export function csvOf(items: readonly object[]): string {
  const [first] = items;
  return first === undefined ? "" : csvNames(first) + csvLines(items);
}

/** The line with the names of the fields that an item has. */
export function csvNames(item: object): string {
  return line(flatten(item).map(([name]) => name));
}

export function csvLines(items: readonly object[]): string {
  return items.map((item) => line(flatten(item).map(([, value]) => value))).join("");
}

function line(values: readonly unknown[]): string {
  return `${values.map(cell).join(",")}\r\n`;
}

/** What begins a formula in a spreadsheet. In East Asia, signs of full width do, too. */
const sign = " *[=+\\-@\\uff1d\\uff0b\\uff0d\\uff20]";

/**
 * The places of a text where a spreadsheet could read a formula: its start, and what follows a line break, a tab or a
 * semicolon, where many spreadsheets begin another cell.
 */
const bare = new RegExp(`(^|[;\\t\\r\\n])('*)(?=${sign})`, "g");

/** The same places, with an apostrophe that keeps a spreadsheet from reading a formula. */
const guarded = new RegExp(`(^|[;\\t\\r\\n])'('*)(?=${sign})`, "g");

function cell(value: unknown): string {
  // Users choose their nicknames, and could choose a formula.
  const text = typeof value === "string" ? value.replace(bare, "$1'$2") : String(value);
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The text without the apostrophes that keep spreadsheets from reading formulas. */
export function unprotected(text: string): string {
  return text.replace(guarded, "$1$2");
}

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

/** Texts that a spreadsheet would read as a formula, with or without the apostrophe that prevents it. */
const formula = /^'*[=+\-@\t\r]/;

function cell(value: unknown): string {
  // Users choose their nicknames, and could choose a formula.
  const text = typeof value === "string" && formula.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Whether a text begins with an apostrophe that prevents spreadsheets from reading it as a formula. */
export function isProtected(text: string): boolean {
  return text.startsWith("'") && formula.test(text);
}

/** The text without this apostrophe. */
export function unprotected(text: string): string {
  return isProtected(text) ? text.slice(1) : text;
}

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

/** What a spreadsheet would take for a formula, and what begins with the apostrophe that keeps it from that. */
const formula = /^'*[=+\-@\t\r]/;

function cell(value: unknown): string {
  // Users choose their nicknames.
  const text = typeof value === "string" && formula.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Whether an apostrophe stands before a text to keep spreadsheets from taking it for a formula. */
export function isProtected(text: string): boolean {
  return text.startsWith("'") && formula.test(text);
}

/** A text as it was before it was protected. */
export function unprotected(text: string): string {
  return isProtected(text) ? text.slice(1) : text;
}

/** The rows of a text with cells between these separators, one after the other. */
export function* csvRows(text: string, separator: "," | ";" | "\t"): Generator<string[], void, undefined> {
  const cell = new RegExp(
    `(?: *"([^"]*(?:""[^"]*)*)"[^${separator}\\r\\n]*|([^${separator}\\r\\n]*))(${separator}|\\r\\n?|\\n|$)`,
    "y",
  );
  let row: string[] = [];
  while (cell.lastIndex < text.length || row.length > 0) {
    const [, quoted, plain = "", end] = cell.exec(text) ?? [];
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === separator) continue;
    yield row;
    row = [];
  }
}

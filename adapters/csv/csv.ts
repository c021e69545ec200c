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

/** @param quotesIDs whether IDs are written so that no spreadsheet takes one such as 0012345 for a number */
export function csvLines(items: readonly object[], { quotesIDs = false } = {}): string {
  const cellOf = ([name, value]: [name: string, value: unknown]) =>
    quotesIDs && name.endsWith("ID") && typeof value === "string" ? idCell(value) : cell(value);
  return items.map((item) => `${flatten(item).map(cellOf).join(",")}\r\n`).join("");
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
  return /[",;\t\r\n]/.test(text) ? quoted(text) : text;
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** The longest text that a formula of Excel may hold. */
const mostOfFormula = 255;

/** The cell of an ID as a formula that is only a text: ="0012345". A user can choose an ID, but not leave the text. */
function idCell(id: string): string {
  if (id === "" || id.length > mostOfFormula) return cell(id);
  // The text begins no cell of its own. What follows a semicolon in it may.
  return quoted(
    `=${quoted(id.replace(bare, (found, separator, rest) => (separator ? `${separator}'${rest}` : found)))}`,
  );
}

/** The text without what keeps spreadsheets from reading formulas and numbers. */
export function unprotected(text: string): string {
  const [, id] = /^="((?:[^"]|"")*)"$/.exec(text) ?? [];
  if (id === undefined) return text.replace(guarded, "$1$2");
  return id.replaceAll('""', '"').replace(guarded, (found, separator, rest) => (separator ? separator + rest : found));
}
